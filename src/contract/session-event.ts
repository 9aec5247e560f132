/**
 * A session is the conversation of one role. It is stored as it grows: what was asked before the request is sent, the
 * reply before its tool calls run, their results before the next request. Texts are blobs; events name them.
 */

import type { Usage } from './budget.ts';
import type { NodeId } from './ids.ts';
import type { Finish } from './model.ts';

export type Role = 'planner' | 'briefer' | 'worker' | 'skeptic' | 'strategist' | 'summarizer' | 'agent';

/** Names a session. The same names, the same conversation: also after a crash. */
export interface SessionId {
  readonly role: Role;
  /** Null for roles of the whole run. */
  readonly node: NodeId | null;
  /** The run's epoch when the goal (or the planning) began; one that begins anew has another. */
  readonly born: number;
  /** 1-based: which verification, brief, plan or summary of this goal; 1 for the worker. */
  readonly series: number;
  /** 1-based place on a panel; 1 for everyone else. */
  readonly seat: number;
}

interface InSession {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly session: SessionId;
  /** 1-based; always 1 for roles that have no rounds. */
  readonly round: number;
}

/** The program said something to the model: the packet of a round, a nudge. */
export interface SessionAsked extends InSession {
  readonly type: 'session.asked';
  /** Address of a JSON array of messages. */
  readonly messages: string;
}

/** The model replied. */
export interface TurnEnded extends InSession {
  readonly type: 'turn.ended';
  /** 1-based within the round. */
  readonly turn: number;
  /** Address of a JSON array with the one assistant message. */
  readonly messages: string;
  readonly finish: Finish;
  /** As reported; null when the provider reported nothing. */
  readonly usage: Usage | null;
  /** Bytes of the request's messages and tools, and how many of them, from the start, were the last request's too. */
  readonly sent: number;
  readonly same: number;
  /** Names of the tools it wants to use. */
  readonly calls: readonly string[];
}

/** Every call of the reply has its result. */
export interface ToolsEnded extends InSession {
  readonly type: 'tools.ended';
  readonly turn: number;
  /** Address of a JSON array of tool messages. */
  readonly messages: string;
  readonly results: readonly ToolTrace[];
}

export interface ToolTrace {
  readonly name: string;
  /** One line for a person. */
  readonly line: string;
  /** FNV-1a-64 of name, arguments and result: equal for the same call with the same result. */
  readonly hash: string;
  readonly ok: boolean;
}

/** Everything before is replaced, in what is sent, by these messages. */
export interface SessionCompacted extends InSession {
  readonly type: 'session.compacted';
  readonly messages: string;
}

export type SessionEvent = SessionAsked | TurnEnded | ToolsEnded | SessionCompacted;

export function sessionKey({ role, node, born, series, seat }: SessionId): string {
  return `${role} ${node ?? '-'} ${born} ${series} ${seat}`;
}
