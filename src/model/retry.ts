/** Tries a turn again when that can help: so many times, so long, and never without asking first. */

import type {
  Model,
  ModelEvent,
  ModelFailed,
  ModelFault,
  ModelFinal,
  ModelRequest,
} from '../contract/model.ts';
import type { Clock } from '../contract/ports.ts';
import { never } from '../contract/never.ts';
import type { BackOff, Pass } from './back-off.ts';

/** Whether one try may be sent. */
export type Admission =
  | {
      readonly go: true;
      /** Tokens: what the request asked for, or less. */
      readonly maxOutput: number;
      /** Called once with the end of the try, whatever it is, before anything else is tried. */
      readonly settle: (end: ModelFinal) => void | Promise<void>;
    }
  /** For a person: why nothing is sent. */
  | { readonly go: false; readonly message: string };

export interface RetryOptions {
  readonly model: Model;
  /** Of the provider; all models of it share one. */
  readonly backOff: BackOff;
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** Asked before each try, the first included; `attempt` counts from 1. */
  readonly before: (request: ModelRequest, attempt: number) => Promise<Admission>;
  /** Tries in all. */
  readonly tries?: number;
  /** Tries that may have been billed though they failed; each is charged at an estimate. */
  readonly billableTries?: number;
  /** Milliseconds from the beginning of the turn after which none is begun. */
  readonly time?: number;
}

const TRIES = 8;
const BILLABLE_TRIES = 4;
const TIME = 20 * 60_000;

export function withRetries(options: RetryOptions): Model {
  const { model, backOff, clock, tries = TRIES, billableTries = BILLABLE_TRIES, time = TIME } = options;

  async function* turn(request: ModelRequest, signal: AbortSignal): AsyncGenerator<ModelEvent, void> {
    const deadline = clock.now() + time;
    let last: ModelFailed | null = null;
    let billable = 0;
    for (let attempt = 1; ; attempt++) {
      const pass = await backOff.enter(deadline, signal);
      if (pass === null) return yield* [signal.aborted ? ABORTED : (last ?? tooLong(backOff.trouble()))];
      const end = yield* tryOnce(options, { request, attempt, pass, signal });
      if (end.type === 'done' || !isRetryable(end)) return yield* [end];
      last = end;
      if (end.billable) billable += 1;
      const at = nextTry(options, { fault: end.fault, attempt, pass });
      const isEnough = attempt >= tries || billable >= billableTries;
      if (isEnough || at > deadline || signal.aborted) return yield* [end];
      yield { type: 'retrying', fault: end.fault, attempt, at };
      await waitUntil(clock, at, signal);
    }
  }
  return { name: model.name, turn };
}

interface Try {
  readonly request: ModelRequest;
  readonly attempt: number;
  readonly pass: Pass;
  readonly signal: AbortSignal;
}

async function* tryOnce(options: RetryOptions, one: Try): AsyncGenerator<ModelEvent, ModelFinal> {
  const { pass, signal } = one;
  let end: ModelFinal = { ...ABORTED, billable: true };
  let settle: (end: ModelFinal) => void | Promise<void> = () => {};
  try {
    const admission = await options.before(one.request, one.attempt);
    if (!admission.go) return refused(admission.message);
    settle = admission.settle;
    const request = { ...one.request, maxOutput: admission.maxOutput };
    for await (const event of options.model.turn(request, signal)) {
      if (event.type === 'done' || event.type === 'failed') {
        end = event;
        continue;
      }
      // The first sign is enough for those who wait; the reply may take minutes.
      if (event.type !== 'adapted') pass.answered();
      yield event;
    }
    return end;
  } finally {
    // Also when the reader leaves in the middle: what was sent is paid for.
    await settle(end);
    if (end.type === 'done' || isAnswer(end)) pass.answered();
    else if (!isTrouble(end.fault)) pass.leave();
  }
}

/** Earliest time of the next try. Trouble of the provider is everyone's; a broken stream is this turn's alone. */
function nextTry(
  { clock, random }: RetryOptions,
  { fault, attempt, pass }: { readonly fault: ModelFault; readonly attempt: number; readonly pass: Pass },
): number {
  if (isTrouble(fault)) return pass.troubled(fault);
  return clock.now() + Math.min(30_000, 500 * 2 ** attempt) * (0.5 + random() / 2);
}

function isTrouble({ code }: ModelFault): boolean {
  return code === 'rate' || code === 'server' || code === 'network';
}

/** A refusal of this request alone shows that the provider is well; a lost stream, or none, shows nothing. */
function isAnswer(end: ModelFailed): boolean {
  const { fault } = end;
  return !isRetryable(end) && fault.code !== 'aborted' && fault.code !== 'refused';
}

function isRetryable({ fault, billable }: ModelFailed): boolean {
  switch (fault.code) {
    case 'rate':
    case 'server':
    case 'network':
    case 'cut':
    case 'idle':
      return true;
    case 'auth':
    case 'quota':
    case 'not_found':
    case 'context_length':
    case 'no_tools':
    case 'bad_request':
    case 'aborted':
    case 'refused':
      return false;
    // Garbage in a stream is a broken stream; an answer of another kind will be the same again.
    case 'protocol':
      return billable;
    default:
      return never(fault);
  }
}

const ABORTED: ModelFailed = {
  type: 'failed',
  fault: { code: 'aborted', message: 'The request was aborted.' },
  billable: false,
};

function refused(message: string): ModelFailed {
  return { type: 'failed', fault: { code: 'refused', message }, billable: false };
}

/** This turn never got to ask: what others were told is the reason. */
function tooLong(trouble: ModelFault | null): ModelFailed {
  const fault = trouble ?? { code: 'rate', message: 'The provider was busy for too long.', retryAfter: null };
  return { type: 'failed', fault, billable: false };
}

function waitUntil(clock: Clock, at: number, signal: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal.aborted) return resolve();
    const end = () => {
      cancel();
      signal.removeEventListener('abort', end);
      resolve();
    };
    const cancel = clock.at(at, end);
    signal.addEventListener('abort', end, { once: true });
  });
}
