/** A session in a process that can die: real ledger, journal and texts in memory, and a model that a test writes. */

import { z } from 'zod';
import type { RunEvent } from '../../src/contract/event.ts';
import { fail, ok } from '../../src/contract/fault.ts';
import type { AssistantMessage, Message, Model, ModelFinal, ModelRequest } from '../../src/contract/model.ts';
import type { SessionId } from '../../src/contract/session-event.ts';
import type { Tool } from '../../src/contract/tool.ts';
import { makeBank } from '../../src/engine/bank.ts';
import { sessionIndex, type SessionIndex } from '../../src/engine/session-index.ts';
import type { RoundSpec, SessionDeps, SessionEnd } from '../../src/engine/session-spec.ts';
import { restoreTalk } from '../../src/engine/session-talk.ts';
import { playRound } from '../../src/engine/session.ts';
import { createBackOff } from '../../src/model/back-off.ts';
import { memoryStore, type MemoryStore } from '../../src/store/memory-store.ts';
import { defineTool } from '../../src/tool/define.ts';
import { handClock, settle, type HandClock } from '../model/hand-clock.ts';
import { handSay, type HandSay, type HandSayOptions } from './hand-say.ts';

export const WORKER: SessionId = { role: 'worker', node: 'gn-a', born: 1, series: 1, seat: 1 };

export interface Rig {
  readonly say: HandSay;
  readonly clock: HandClock;
  readonly index: SessionIndex;
  readonly deps: SessionDeps;
  /** What the model was asked, in order. */
  readonly asked: readonly ModelRequest[];
  /** What the tools did, in order. */
  readonly effects: string[];
  spec(over?: Partial<RoundSpec>): RoundSpec;
  play(over?: Partial<RoundSpec>, signal?: AbortSignal): Promise<SessionEnd>;
  messages(id?: SessionId): Promise<readonly Message[]>;
}

export type Answering = (request: ModelRequest, nth: number) => ModelFinal | Promise<ModelFinal>;

export interface RigOptions extends HandSayOptions {
  readonly store?: MemoryStore;
  readonly mask?: (text: string) => string;
  /** A model, or what one answers to its nth request (from 1). */
  readonly model: Model | Answering;
}

export function rig(options: RigOptions): Rig {
  const { store = memoryStore(), mask = (text: string) => text, stored = [] } = options;
  const clock = handClock();
  const say = handSay(options);
  const index = sessionIndex();
  for (const event of stored) index.add(event);
  say.listen((event: RunEvent) => index.add(event));
  const asked: ModelRequest[] = [];
  const effects: string[] = [];
  const deps: SessionDeps = {
    say,
    bank: makeBank(say),
    clock,
    random: () => 0.5,
    backOff: createBackOff({ clock: { ...clock, now: () => clock.now() }, random: () => 0.5 }),
    index,
    blobs: store.open({ mask }).log,
    mask,
    progress: () => undefined,
  };
  const spec = (over: Partial<RoundSpec> = {}): RoundSpec => ({
    ...BASE,
    model: heard(options.model, asked),
    tools: tools(effects),
    ...over,
  });
  return {
    say,
    clock,
    index,
    deps,
    asked,
    effects,
    spec,
    play: (over, signal = say.signal) => running(clock, playRound(deps, spec(over), signal)),
    async messages(id = WORKER) {
      const talk = await restoreTalk(deps, id);
      if (talk === null) throw new Error('the conversation cannot be read');
      return talk.messages;
    },
  };
}

const BASE: Omit<RoundSpec, 'model' | 'tools'> = {
  id: WORKER,
  slug: 'a',
  round: 1,
  call: 'a',
  final: false,
  modelName: 'm',
  price: null,
  window: 100_000,
  maxOutput: 1_000,
  floor: 10,
  system: 'You work.',
  ask: () => Promise.resolve('Do it.'),
  toolChoice: 'auto',
  ending: (tool) => tool === 'report',
  apart: false,
  silent: new Set(['report']),
  turns: 20,
  compact: null,
  keep: () => 'THE TASK',
};

/** Lets time pass whenever somebody waits for it. */
async function running(clock: HandClock, round: Promise<SessionEnd>): Promise<SessionEnd> {
  const state = { over: false };
  const end = round.finally(() => (state.over = true));
  for (let turns = 0; !state.over && turns < 5_000; turns++) {
    await settle();
    const due = clock.next();
    if (due !== null && turns % 20 === 19) await clock.moveTo(due);
  }
  return end;
}

function heard(model: Model | Answering, asked: ModelRequest[]): Model {
  return {
    name: 'm',
    async *turn(request, signal) {
      asked.push(request);
      if (typeof model === 'function') yield await model(request, asked.length);
      else yield* model.turn(request, signal);
    },
  };
}

function tools(effects: string[]): readonly Tool[] {
  const note = z.strictObject({ text: z.string() });
  return [
    defineTool({
      name: 'read',
      description: 'Reads.',
      schema: z.strictObject({ path: z.string() }),
      run: ({ path }) => {
        effects.push(`read ${path}`);
        return Promise.resolve(ok({ forModel: `content of ${path}`, forPerson: `read ${path}` }));
      },
    }),
    defineTool({
      name: 'write',
      description: 'Writes.',
      schema: note,
      run: ({ text }) => {
        effects.push(`write ${text}`);
        return Promise.resolve(ok({ forModel: `written ${text}`, forPerson: 'written' }));
      },
    }),
    defineTool({
      name: 'refuse',
      description: 'Refuses.',
      schema: z.strictObject({}),
      run: () => Promise.resolve(fail({ code: 'scope', message: 'Outside. Ask for another path.' } as const)),
    }),
    defineTool({
      name: 'break',
      description: 'Breaks.',
      schema: z.strictObject({}),
      run: () => Promise.reject(new Error('a bug')),
    }),
    defineTool({
      name: 'report',
      description: 'Reports.',
      schema: note,
      run: ({ text }) => {
        effects.push(`report ${text}`);
        return Promise.resolve(ok({ forModel: 'Noted.', forPerson: text }));
      },
    }),
  ];
}

interface Call {
  readonly name: string;
  readonly args: unknown;
  readonly flaw?: 'truncated' | 'not_json';
  readonly id?: string;
}

/** A reply as a model gives it; a text for `args` goes as it stands. */
export function replies(text: string, calls: readonly Call[] = [], over: Partial<Reply> = {}): ModelFinal {
  const message: AssistantMessage = {
    role: 'assistant',
    text,
    reasoning: over.reasoning ?? null,
    calls: calls.map(({ name, args, flaw = null, id }, at) => ({
      id: id ?? `c${at}`,
      name,
      args: typeof args === 'string' ? args : JSON.stringify(args),
      flaw,
      extra: null,
    })),
  };
  const usage = over.usage === undefined ? { input: 100, cached: 0, output: 20, reasoning: 0 } : over.usage;
  return {
    type: 'done',
    message,
    finish: over.finish ?? (calls.length > 0 ? 'tools' : 'stop'),
    usage,
  };
}

interface Reply {
  readonly finish: 'stop' | 'tools' | 'length' | 'filter';
  readonly reasoning: string | null;
  readonly usage: { input: number; cached: number; output: number; reasoning: number } | null;
}

export function call(name: string, args: unknown, over: Partial<Call> = {}): Call {
  return { name, args, ...over };
}
