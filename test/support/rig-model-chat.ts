/** One request for a reply, and what can be read out of it: who asks, for which node, at which point. */

import type { WireRequest } from './wire-server.ts';

export interface WireMessage {
  readonly role: 'system' | 'user' | 'assistant' | 'tool';
  readonly content: string | null;
  readonly reasoning_content?: string;
  readonly reasoning?: string;
  readonly tool_call_id?: string;
  readonly tool_calls?: readonly {
    readonly id: string;
    readonly function: { readonly name: string; readonly arguments: string };
  }[];
}

export interface ChatBody {
  readonly model: string;
  readonly messages: readonly WireMessage[];
  readonly tools?: readonly { readonly function: { readonly name: string } }[];
  readonly max_tokens?: number;
}

/** As in a script of the scripted model. A skeptic's round is that of the work it judges. */
export interface ChatKey {
  readonly role: string;
  readonly node: string;
  readonly round: number;
  readonly turn: number;
  readonly seat: number;
}

export interface Chat {
  /** From 1. */
  readonly nth: number;
  readonly key: ChatKey;
  readonly body: ChatBody;
  readonly request: WireRequest;
  /** When it came, on the clock of `performance`. */
  readonly at: number;
}

const ROLES = [
  ['submit_plan', 'planner'],
  ['submit_brief', 'briefer'],
  ['verdict', 'skeptic'],
  ['report', 'worker'],
  ['log', 'guide'],
  ['write', 'agent'],
] as const;

/** `seats`: how many skeptics of a verification have begun; those on one panel are told apart by their arrival. */
export function chatOf(request: WireRequest, before: readonly Chat[], seats: Map<string, number>): Chat {
  const body = request.body as ChatBody;
  const names = body.tools?.map((tool) => tool.function.name) ?? [];
  const role =
    ROLES.find(([tool]) => names.includes(tool))?.[1] ?? (names.length > 0 ? 'strategist' : 'other');
  const node = nodeIn(body);
  const { messages } = body;
  const asked = messages.findLastIndex((message) => message.role === 'user');
  const turn = messages.slice(asked).filter((_, at) => isTaken(messages, asked + at)).length + 1;
  const rounds = messages.filter((message) => message.role === 'user').length;
  const round =
    role === 'skeptic' ? judgedRound(node, before) : role === 'worker' || role === 'agent' ? rounds : 1;
  const seat = role === 'skeptic' ? seatOf(body, `${node} ${round}`, seats) : 1;
  const key = { role, node, round, turn, seat };
  return { nth: before.length + 1, key, body, request, at: performance.now() };
}

/** How the result of a call begins that was cut by a crash: whoever is told so does it again. */
const INTERRUPTED = 'The program was interrupted';

/** A reply whose calls are all through. */
function isTaken(messages: readonly WireMessage[], at: number): boolean {
  return messages[at]?.role === 'assistant' && !(messages[at + 1]?.content ?? '').startsWith(INTERRUPTED);
}

/** Empty for the planner. */
function nodeIn({ messages }: ChatBody): string {
  const text = messages.map(({ role, content }) => (role === 'user' ? (content ?? '') : '')).join('\n');
  return /^(?:Your task is|The claim is about) the node "?([\w-]+)"?:/m.exec(text)?.[1] ?? '';
}

/** The final node is judged before anybody works on it. */
function judgedRound(node: string, before: readonly Chat[]): number {
  const rounds = before
    .filter(({ key }) => key.role === 'worker' && key.node === node)
    .map(({ key }) => key.round);
  return Math.max(node === 'gn-final' ? 0 : 1, ...rounds) + (node === 'gn-final' ? 1 : 0);
}

/** The ids of our tool calls carry the seat back to us. */
function seatOf({ messages }: ChatBody, vote: string, seats: Map<string, number>): number {
  const id = messages.flatMap((message) => message.tool_calls ?? []).at(0)?.id ?? '';
  const known = /-seat(\d+)-/.exec(id)?.[1];
  if (known !== undefined) return Number(known);
  const seat = (seats.get(vote) ?? 0) + 1;
  seats.set(vote, seat);
  return seat;
}
