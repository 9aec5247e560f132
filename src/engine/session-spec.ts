/** What a session is played with, and how a round of it can end. */

import type { Price } from '../contract/budget.ts';
import type {
  Finish,
  JsonObject,
  Message,
  Model,
  ModelEvent,
  ModelFault,
  ToolChoice,
} from '../contract/model.ts';
import type { Clock, EventLog } from '../contract/ports.ts';
import type { SessionId } from '../contract/session-event.ts';
import type { Tool } from '../contract/tool.ts';
import type { BackOff } from '../model/back-off.ts';
import type { Bank } from './bank.ts';
import type { Say } from './say.ts';
import type { SessionIndex } from './session-index.ts';

export interface SessionDeps {
  readonly say: Say;
  readonly bank: Bank;
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Of the model's provider. */
  readonly backOff: BackOff;
  readonly index: Pick<SessionIndex, 'of'>;
  readonly blobs: Pick<EventLog, 'putBlob' | 'getBlob'>;
  /** The store's own: what is sent on must be what is stored. */
  readonly mask: (text: string) => string;
  /** For a person who watches; nothing of it is stored. */
  readonly progress: (event: ModelEvent & { readonly session: SessionId }) => void;
}

export interface RoundSpec {
  readonly id: SessionId;
  /** Empty for roles of the whole run. */
  readonly slug: string;
  readonly round: number;
  /** Names the calls for people: their beginning. */
  readonly call: string;
  /** True for roles of the final node. */
  readonly final: boolean;
  readonly modelName: string;
  readonly model: Model;
  readonly price: Price | null;
  /** Tokens the model can take in and give out together. */
  readonly window: number;
  /** Tokens of one reply. */
  readonly maxOutput: number;
  /** Tokens of reply below which a request is of no use. */
  readonly floor: number;
  readonly system: string;
  /** The round's message to the model; not asked for if it is stored already. */
  readonly ask: () => Promise<string>;
  readonly tools: readonly Tool[];
  readonly toolChoice: ToolChoice;
  /** Whether a call that went well ends the round. */
  readonly ending: (tool: string, args: JsonObject) => boolean;
  /** Each round is a task of its own: what was done in another one is no repetition. */
  readonly apart: boolean;
  /** Tools whose results show nothing of the world, and so are no progress. */
  readonly silent: ReadonlySet<string>;
  /** Requests of this round. */
  readonly turns: number;
  /** Null for sessions that are never compacted. */
  readonly compact: Compact | null;
  /** What no compaction may lose, verbatim. */
  readonly keep: () => string;
}

export interface CompactRequest {
  readonly deps: SessionDeps;
  readonly spec: RoundSpec;
  /** What is sent after the system message. */
  readonly messages: readonly Message[];
  /** How often this session was compacted before. */
  readonly done: number;
  /** True when the provider has refused the request as too long. */
  readonly forced: boolean;
}

/** The messages to go on with; null when there is nothing to gain, or the signal fired. */
export type Compact = (request: CompactRequest, signal: AbortSignal) => Promise<readonly Message[] | null>;

export type SessionEnd = Counted &
  (
    | { readonly type: 'said'; readonly text: string; readonly finish: Finish }
    /** An ending tool was called, and went well. `args`: as stored. */
    | { readonly type: 'ended'; readonly tool: string; readonly args: JsonObject }
    /** It used up its requests. */
    | { readonly type: 'turns' }
    /** The same call with the same result, or with arguments nobody can read, again and again. */
    | { readonly type: 'loop'; readonly detail: string }
    | { readonly type: 'failed'; readonly fault: ModelFault }
    /** The signal fired, or the ledger or the journal did not let it go on; the detail says why, as far as known. */
    | { readonly type: 'cut'; readonly detail: string | null }
  );

export interface Counted {
  /** Tool results of this round that none before had in this session. */
  readonly results: number;
  /** Tool calls of this round that have a result. */
  readonly calls: number;
}
