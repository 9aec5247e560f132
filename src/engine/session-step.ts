/** What comes next in a round, told by what is stored of it and nothing else: so a restart goes on at the same place. */

import type { AssistantMessage } from '../contract/model.ts';
import type { ToolTrace } from '../contract/session-event.ts';
import { parseObject } from '../model/tool-args.ts';
import { newResults, repeatCounter, tracesOf, type Piece } from './session-index.ts';
import type { Counted, RoundSpec, SessionEnd } from './session-spec.ts';
import { lastReply, type Talk } from './session-talk.ts';
import { MALFORMED, NO_TOOL, SAME_RESULTS } from './session-tools.ts';

/** How a round ended, before its results are counted. */
export type BareEnd = SessionEnd extends infer E
  ? E extends Counted
    ? Omit<E, keyof Counted>
    : never
  : never;

export type Step =
  /** The round's own message must be said. */
  | { readonly type: 'ask' }
  /** The reply hit the limit of the output in the middle of words. */
  | { readonly type: 'go_on' }
  | { readonly type: 'request'; readonly turn: number }
  | { readonly type: 'answer'; readonly turn: number; readonly reply: AssistantMessage }
  | { readonly type: 'end'; readonly end: BareEnd };

/** Replies cut by the limit, one after the other, that are gone on with. */
const CONTINUED = 2;

/** Calls of one tool, one after the other, that nobody can read. */
const MALFORMED_RUNNING = 3;

export function nextStep(talk: Talk, spec: Pick<RoundSpec, 'round' | 'turns' | 'ending' | 'apart'>): Step {
  const round = talk.pieces.filter(
    (piece) => piece.round === spec.round && piece.type !== 'session.compacted',
  );
  const turns = round.filter(({ type }) => type === 'turn.ended').length;
  const last = round.at(-1);
  if (!round.some(({ type }) => type === 'session.asked')) return beginning(talk);
  switch (last?.type) {
    case 'turn.ended': {
      const reply = lastReply(talk);
      if (reply === null) throw new Error('a stored turn has no message');
      if (reply.calls.length > 0) return { type: 'answer', turn: last.turn, reply };
      if (last.finish === 'length' && turns < spec.turns && cutRunning(round) <= CONTINUED)
        return { type: 'go_on' };
      return { type: 'end', end: { type: 'said', text: reply.text, finish: last.finish } };
    }
    case 'tools.ended': {
      const end = endAfter(talk, { ...spec, pieces: round, results: last.results });
      return end === null ? requestOr(turns, spec) : { type: 'end', end };
    }
    default:
      return requestOr(turns, spec);
  }
}

/** A round before may have been given up in the middle: each of its calls must have a result before anything is said. */
function beginning({ pieces, messages }: Talk): Step {
  const last = pieces.findLast(({ type }) => type !== 'session.compacted');
  const reply = messages.at(-1);
  const isOpen = last?.type === 'turn.ended' && reply?.role === 'assistant' && reply.calls.length > 0;
  return isOpen ? { type: 'answer', turn: last.turn, reply } : { type: 'ask' };
}

export function counted(
  talk: Talk,
  { round, silent }: Pick<RoundSpec, 'round' | 'silent'>,
  end: BareEnd,
): SessionEnd {
  const calls = tracesOf(talk.pieces.filter((piece) => piece.round === round)).length;
  return { ...end, results: newResults(talk.pieces, round, silent), calls };
}

function requestOr(turns: number, spec: Pick<RoundSpec, 'turns'>): Step {
  return turns < spec.turns ? { type: 'request', turn: turns + 1 } : { type: 'end', end: { type: 'turns' } };
}

interface After extends Pick<RoundSpec, 'round' | 'ending' | 'apart'> {
  /** Of this round. */
  readonly pieces: readonly Piece[];
  readonly results: readonly ToolTrace[];
}

/** What a call of this round may repeat. */
export function repeatable(
  pieces: readonly Piece[],
  { round, apart }: Pick<RoundSpec, 'round' | 'apart'>,
): readonly Piece[] {
  return apart ? pieces.filter((piece) => piece.round === round) : pieces;
}

function endAfter(talk: Talk, after: After): BareEnd | null {
  const { pieces, results, ending } = after;
  const calls = lastReply(talk)?.calls ?? [];
  for (const [at, { name, ok }] of results.entries()) {
    const args = parseObject(calls[at]?.args ?? '');
    if (ok && args !== null && ending(name, args)) return { type: 'ended', tool: name, args };
  }
  const before = talk.pieces.slice(
    0,
    talk.pieces.findLastIndex(({ type }) => type === 'tools.ended'),
  );
  const repeats = repeatCounter(repeatable(before, after));
  const repeated = results.find(({ hash }) => repeats(hash) >= SAME_RESULTS);
  if (repeated !== undefined) {
    const detail = `${repeated.name} was called ${SAME_RESULTS} times with the same arguments and the same result`;
    return { type: 'loop', detail };
  }
  if (missingRunning(pieces) >= SAME_RESULTS) {
    return { type: 'loop', detail: `tools that do not exist were called ${SAME_RESULTS} times running` };
  }
  const unreadable = results.find(({ name }) => malformedRunning(pieces, name) >= MALFORMED_RUNNING);
  if (unreadable === undefined) return null;
  const detail = `${unreadable.name} was called ${MALFORMED_RUNNING} times running with arguments that nobody can read`;
  return { type: 'loop', detail };
}

/** Calls at the end of the round for which there is no tool. */
function missingRunning(round: readonly Piece[]): number {
  const traces = tracesOf(round);
  return traces.length - 1 - traces.findLastIndex(({ ok, line }) => ok || line !== NO_TOOL);
}

/** Calls of this tool at the end of the round that had no readable arguments. */
function malformedRunning(round: readonly Piece[], name: string): number {
  const own = tracesOf(round).filter((trace) => trace.name === name);
  const good = own.findLastIndex((trace) => trace.ok || !trace.line.startsWith(MALFORMED));
  return own.length - 1 - good;
}

/** Replies without calls at the end of the round that were cut by the limit. */
function cutRunning(round: readonly Piece[]): number {
  const turns = round.filter((piece) => piece.type === 'turn.ended');
  const whole = turns.findLastIndex(({ finish, calls }) => finish !== 'length' || calls.length > 0);
  return turns.length - 1 - whole;
}
