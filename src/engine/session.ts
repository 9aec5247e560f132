/**
 * The one loop that all roles are played on: ask, reply, tools, ask again, until the round is over. Each step is
 * stored before the next one begins, and what comes next is told from what is stored; so a session that was cut
 * anywhere goes on at the same place, and no reply is paid for twice.
 */

import type { AssistantMessage, Message, ModelFault } from '../contract/model.ts';
import { never } from '../contract/never.ts';
import { repeatCounter } from './session-index.ts';
import { inputBound, previousBytes, requestTurn, wireOf, type Wire } from './session-request.ts';
import type { RoundSpec, SessionDeps, SessionEnd } from './session-spec.ts';
import { counted, nextStep, repeatable, type BareEnd, type Step } from './session-step.ts';
import { record, restoreTalk, seal, type Talk } from './session-talk.ts';
import { answerCalls, interrupted } from './session-tools.ts';

export async function playRound(
  deps: SessionDeps,
  spec: RoundSpec,
  signal: AbortSignal,
): Promise<SessionEnd> {
  const talk = await restoreTalk(deps, spec.id);
  if (talk === null) return { type: 'failed', fault: UNREADABLE, results: 0, calls: 0 };
  let state: State = { talk, reply: null, previous: previousBytes(deps, spec, talk), squeezed: false };
  for (;;) {
    const step = nextStep(state.talk, spec);
    if (step.type === 'end') return counted(state.talk, spec, step.end);
    if (signal.aborted) return counted(state.talk, spec, CUT);
    const next = await take({ deps, spec, signal, state }, step);
    if ('end' in next) return counted(state.talk, spec, next.end);
    state = next;
  }
}

interface State {
  readonly talk: Talk;
  /** What this process was just replied, unmasked; null after a restart: then nobody knows whether its calls ran. */
  readonly reply: AssistantMessage | null;
  readonly previous: Buffer | null;
  /** True when the request that comes next was compacted because it was refused as too long. */
  readonly squeezed: boolean;
}

interface Playing {
  readonly deps: SessionDeps;
  readonly spec: RoundSpec;
  readonly signal: AbortSignal;
  readonly state: State;
}

type Next = State | { readonly end: BareEnd };

const CUT: BareEnd = { type: 'cut', detail: null };
const UNSTORED: BareEnd = { type: 'cut', detail: 'The next step of the conversation could not be stored.' };

const UNREADABLE: ModelFault = {
  code: 'protocol',
  message:
    'What is stored of this conversation cannot be read. Retry the node, which begins a new one; a flow must be started anew.',
};

const GO_ON = 'Your reply was cut off at the limit of its length. Go on exactly where it stopped.';

/** Above this part of the window a request is compacted before a provider refuses it. */
const FULL = 0.8;

/** Bytes of a token, when it is guessed how long a request is and not how long it may be. */
const USUAL_TOKEN = 3;

async function take(playing: Playing, step: Exclude<Step, { type: 'end' }>): Promise<Next> {
  switch (step.type) {
    case 'ask':
      return say(playing, await playing.spec.ask());
    case 'go_on':
      return say(playing, GO_ON);
    case 'answer':
      return answer(playing, step);
    case 'request':
      return request(playing, step.turn);
    default:
      return never(step);
  }
}

async function say({ deps, spec, state }: Playing, text: string): Promise<Next> {
  const sealed = await seal(deps, [{ role: 'user', text }]);
  if (sealed === null) return { end: UNSTORED };
  const talk = await record(deps, {
    talk: state.talk,
    of: spec,
    sealed,
    make: (common) => ({ type: 'session.asked', ...common }),
  });
  return talk === null ? { end: UNSTORED } : { ...state, talk };
}

async function answer(
  { deps, spec, signal, state }: Playing,
  { turn, reply }: Extract<Step, { type: 'answer' }>,
): Promise<Next> {
  const { mask } = deps;
  const answered =
    state.reply === null
      ? interrupted(reply, mask)
      : await answerCalls({
          reply: state.reply,
          tools: spec.tools,
          ending: spec.ending,
          repeats: repeatCounter(repeatable(state.talk.pieces, spec)),
          mask,
          signal,
        });
  const sealed = await seal(deps, answered.messages);
  if (sealed === null) return { end: UNSTORED };
  const talk = await record(deps, {
    talk: state.talk,
    of: spec,
    sealed,
    make: (common) => ({ type: 'tools.ended', ...common, turn, results: answered.results }),
  });
  return talk === null ? { end: UNSTORED } : { ...state, talk, reply: null };
}

async function request(playing: Playing, turn: number): Promise<Next> {
  const { deps, spec, signal } = playing;
  const state = await roomy(playing);
  if (signal.aborted) return { end: CUT };
  if (state === null) return { end: UNSTORED };
  const { talk, previous } = state;
  const wire = wireOf(deps, spec, talk.messages);
  const outcome = await requestTurn(deps, { spec, talk, turn, wire, previous }, signal);
  switch (outcome.type) {
    case 'replied':
      return { talk: outcome.talk, reply: outcome.reply, previous: wire.bytes, squeezed: false };
    case 'lost':
      return { end: UNSTORED };
    case 'failed':
      return failed({ ...playing, state: { ...state, previous: wire.bytes } }, outcome.fault);
    default:
      return never(outcome);
  }
}

async function failed(playing: Playing, fault: ModelFault): Promise<Next> {
  const { signal, state } = playing;
  if (fault.code === 'refused') return { end: { type: 'cut', detail: fault.message } };
  // A provider that fails while the run is stopped is no news.
  if (fault.code === 'aborted' || isFired(signal)) return { end: CUT };
  if (fault.code !== 'context_length' || state.squeezed) return { end: { type: 'failed', fault } };
  const shorter = await squeeze(playing, true);
  if (isFired(signal)) return { end: CUT };
  if (shorter === null) return { end: UNSTORED };
  return shorter === state ? { end: { type: 'failed', fault } } : { ...shorter, squeezed: true };
}

/** A call, because the compiler takes what it has seen of a signal for lasting. */
function isFired(signal: AbortSignal): boolean {
  return signal.aborted;
}

/** The state to ask in: compacted first if the window is nearly full. Null when that could not be stored. */
async function roomy(playing: Playing): Promise<State | null> {
  const { deps, spec, state } = playing;
  const wire = wireOf(deps, spec, state.talk.messages);
  const full = !state.squeezed && guessed(state.talk, wire) + spec.maxOutput > FULL * spec.window;
  return full ? squeeze(playing, false) : state;
}

function guessed(talk: Talk, wire: Wire): number {
  const { known, fresh } = inputBound(talk, wire);
  return known + fresh / USUAL_TOKEN;
}

/** The same state when there is nothing to gain; null when it could not be stored. */
async function squeeze({ deps, spec, signal, state }: Playing, forced: boolean): Promise<State | null> {
  const { talk } = state;
  const done = talk.pieces.filter(({ type }) => type === 'session.compacted').length;
  const { messages } = talk;
  const shorter = (await spec.compact?.({ deps, spec, messages, done, forced }, signal)) ?? null;
  if (shorter === null) return state;
  const compacted = await storeShorter({ deps, spec, signal, state }, shorter);
  return compacted === null ? null : { ...state, talk: compacted };
}

async function storeShorter(
  { deps, spec, state }: Playing,
  messages: readonly Message[],
): Promise<Talk | null> {
  const sealed = await seal(deps, messages);
  if (sealed === null) return null;
  return record(deps, {
    talk: state.talk,
    of: spec,
    sealed,
    make: (common) => ({ type: 'session.compacted', ...common }),
  });
}
