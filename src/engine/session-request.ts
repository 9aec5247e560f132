/** One request of a session: what is sent, how much it may use, and its reply stored together with its charge. */

import type { InputBound } from '../contract/budget.ts';
import type {
  AssistantMessage,
  JsonObject,
  Message,
  ModelFault,
  ModelFinal,
  ModelRequest,
  ToolSpec,
} from '../contract/model.ts';
import type { TurnEnded } from '../contract/session-event.ts';
import { firstInput, laterInput } from '../kernel/ledger-room.ts';
import { withRetries, type Admission } from '../model/retry.ts';
import type { Grant } from './bank.ts';
import type { RoundSpec, SessionDeps } from './session-spec.ts';
import { bytesOf, lastReply, record, seal, type Talk } from './session-talk.ts';

export interface Wire {
  readonly messages: readonly Message[];
  readonly tools: readonly ToolSpec[];
  /** What stands for the request when its length and its beginning are compared: what changes last is last. */
  readonly bytes: Buffer;
}

export function wireOf(
  { mask }: Pick<SessionDeps, 'mask'>,
  spec: Pick<RoundSpec, 'system' | 'tools'>,
  rest: readonly Message[],
): Wire {
  const messages: readonly Message[] = [{ role: 'system', text: mask(spec.system) }, ...rest];
  const tools = spec.tools.map(({ name, description, parameters }): ToolSpec => {
    // A JSON schema: plain JSON, though its type cannot say so.
    return { name, description, parameters: parameters as JsonObject };
  });
  return { messages, tools, bytes: Buffer.from(JSON.stringify([tools, messages])) };
}

/** The request of the last stored reply, made again; null when it cannot be, or was another one. */
export function previousBytes(deps: SessionDeps, spec: RoundSpec, talk: Talk): Buffer | null {
  const last = lastTurn(talk);
  const at = talk.messages.findLastIndex(({ role }) => role === 'assistant');
  if (last === null || at < 0) return null;
  const { bytes } = wireOf(deps, spec, talk.messages.slice(0, at));
  return bytes.length === last.sent ? bytes : null;
}

/** Output below an eighth of a token a byte is not believed to be all of the reply. */
const LONGEST_TOKEN = 8;

/** At least as many tokens as the request's input, as long as no token is shorter than a byte. */
export function inputBound(talk: Talk, { bytes }: Pick<Wire, 'bytes'>): InputBound {
  const last = lastTurn(talk);
  const reply = lastReply(talk);
  if (last?.usage == null || last.usage.input === 0 || reply === null) return firstInput(bytes.length);
  const { input, output } = last.usage;
  const size = bytesOf(reply);
  // The reply is counted as output, but for what others than the model put into it.
  const made = bytesOf(reply.calls.map(({ id, name, extra }) => [id, name, extra]));
  const unexplained = Math.max(0, size - LONGEST_TOKEN * output);
  const added = Math.max(0, bytes.length - last.sent - size);
  const newMessages = talk.messages.length - talk.messages.lastIndexOf(reply);
  return laterInput({ lastReported: input + output, newBytes: added + made + unexplained, newMessages });
}

/** The turn whose report still tells how long the conversation is: none after a compaction. */
function lastTurn({ pieces }: Talk): TurnEnded | null {
  const last = pieces.findLast(({ type }) => type === 'turn.ended' || type === 'session.compacted');
  return last?.type === 'turn.ended' ? last : null;
}

export interface TurnRequest {
  readonly spec: RoundSpec;
  readonly talk: Talk;
  readonly turn: number;
  readonly wire: Wire;
  /** The session's request before this one; null when there is none, or it is not known. */
  readonly previous: Buffer | null;
}

export type TurnOutcome =
  /** `reply`: as the model wrote it. */
  | { readonly type: 'replied'; readonly talk: Talk; readonly reply: AssistantMessage }
  | { readonly type: 'failed'; readonly fault: ModelFault }
  /** There was a reply, but it could not be stored. */
  | { readonly type: 'lost' };

export async function requestTurn(
  deps: SessionDeps,
  asked: TurnRequest,
  signal: AbortSignal,
): Promise<TurnOutcome> {
  const { spec, turn, wire } = asked;
  const { id } = spec;
  const grown: { talk: Talk | null } = { talk: null };
  const model = withRetries({
    model: spec.model,
    backOff: deps.backOff,
    clock: deps.clock,
    random: deps.random,
    before: (request, attempt) =>
      admit(deps, { asked, request, attempt, signal, keep: (talk) => void (grown.talk = talk) }),
  });
  const request: ModelRequest = {
    key: { role: id.role, node: spec.slug, round: spec.round, turn, seat: id.seat },
    messages: wire.messages,
    tools: wire.tools,
    toolChoice: spec.toolChoice,
    maxOutput: spec.maxOutput,
  };
  let end: ModelFinal | null = null;
  for await (const event of model.turn(request, signal)) {
    deps.progress({ ...event, session: id });
    if (event.type === 'done' || event.type === 'failed') end = event;
  }
  if (end === null) throw new Error('a turn of a model has ended without a final event');
  if (end.type === 'failed') return { type: 'failed', fault: end.fault };
  return grown.talk === null
    ? { type: 'lost' }
    : { type: 'replied', talk: grown.talk, reply: trimmed(end.message) };
}

/** Calls of one reply; what is beyond is as if it had never been said. */
const MOST_CALLS = 64;

function trimmed(message: AssistantMessage): AssistantMessage {
  return message.calls.length <= MOST_CALLS
    ? message
    : { ...message, calls: message.calls.slice(0, MOST_CALLS) };
}

interface Try {
  readonly asked: TurnRequest;
  readonly request: ModelRequest;
  readonly attempt: number;
  readonly signal: AbortSignal;
  readonly keep: (talk: Talk | null) => void;
}

async function admit(deps: SessionDeps, one: Try): Promise<Admission> {
  const { asked, request, attempt, signal, keep } = one;
  const { spec, turn } = asked;
  const again = attempt === 1 ? '' : `, try ${attempt}`;
  const call = {
    call: `${spec.call} round ${spec.round} turn ${turn}${again}`,
    role: spec.id.role,
    model: spec.modelName,
    final: spec.final,
    input: inputBound(asked.talk, asked.wire),
    maxOutput: request.maxOutput,
    floor: spec.floor,
    price: spec.price,
  };
  const grant = await deps.bank.ask(call, signal);
  if (!grant.go) return grant;
  const settle = async (end: ModelFinal) => keep(await settled(deps, asked, { grant, end }));
  return { go: true, maxOutput: grant.maxOutput, settle };
}

/** The charge and the reply are queued in one turn of the event loop: neither is ever stored without the other. */
async function settled(
  deps: SessionDeps,
  { spec, talk, turn, wire, previous }: TurnRequest,
  { grant, end }: { readonly grant: Grant; readonly end: ModelFinal },
): Promise<Talk | null> {
  if (end.type === 'failed') {
    grant.settle(end);
    return null;
  }
  const { finish, usage } = end;
  const message = trimmed(end.message);
  const sealed = await seal(deps, [message]);
  grant.settle(end);
  if (sealed === null) return null;
  return record(deps, {
    talk,
    of: spec,
    sealed,
    make: (common) => ({
      type: 'turn.ended',
      ...common,
      turn,
      finish,
      usage: usage && { input: usage.input, cached: usage.cached, output: usage.output },
      sent: wire.bytes.length,
      same: previous === null ? 0 : commonPrefix(previous, wire.bytes),
      calls: message.calls.map(({ name }) => name),
    }),
  });
}

function commonPrefix(a: Buffer, b: Buffer): number {
  const most = Math.min(a.length, b.length);
  let at = 0;
  while (at < most && a[at] === b[at]) at += 1;
  return at;
}
