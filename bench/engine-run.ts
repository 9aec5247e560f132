/** One run on the real engine and the real store, with commands that end well as soon as they begin. */

import type { Effect } from '../src/contract/command.ts';
import type { Plan } from '../src/contract/plan.ts';
import type { EventLog } from '../src/contract/ports.ts';
import { NO_LIMITS } from '../src/contract/limits.ts';
import { realClock } from '../src/cli/real-clock.ts';
import { drive, type Perform } from '../src/engine/drive.ts';
import { keepRecords } from '../src/graph/records.ts';
import { NO_RUN } from '../src/graph/run-state.ts';
import { openStore } from '../src/store/store.ts';

export const RUN = 'bench';
export const CONCURRENCY = 8;

export interface EngineRun {
  readonly ms: number;
  readonly commits: number;
  readonly events: number;
}

/** Timed from the first proposal to the rest: opening the store and gating the plan are not what is measured. */
export async function runOnEngine(plan: Plan, dir: string): Promise<EngineRun> {
  const store = openStore(dir);
  if (!store.ok) throw new Error(store.fault.message);
  const { log } = store.value;
  const owner = store.value.lease.take(RUN);
  if (!owner.ok) throw new Error(owner.fault.message);
  let commits = 0;
  let events = 0;
  const counted: EventLog = {
    ...log,
    append(batch) {
      commits++;
      events += batch.events.length;
      return log.append(batch);
    },
  };
  const records = keepRecords();
  const start = performance.now();
  const driving = drive({
    run: RUN,
    state: NO_RUN,
    version: 0,
    log: counted,
    clock: realClock,
    perform,
    slots: CONCURRENCY,
    onStored: (stored) => stored.forEach(({ event }) => records.add(event)),
  });
  driving.propose((_, at) => ({
    ok: true,
    value: {
      type: 'run.created',
      at,
      run: RUN,
      machine: 1,
      objective: plan.objective,
      plan,
      models: null,
      flow: null,
      approve: false,
      workspace: '/w',
      concurrency: CONCURRENCY,
      limits: NO_LIMITS,
    },
  }));
  const ended = await driving.ended;
  const ms = performance.now() - start;
  store.value.close();
  if (!ended.ok) throw new Error(ended.fault.message);
  if (ended.value.graph.value !== 'complete') throw new Error(`the run is ${ended.value.graph.value}`);
  return { ms, commits, events };
}

const GREEN = { outcome: 'exit', exit: 0, detail: null, ms: 0, output: null, bytes: 0, tail: '' } as const;

const perform: Perform = (effect) => Promise.resolve(answerOf(effect));

function answerOf(effect: Effect) {
  if (effect.type !== 'work' && effect.type !== 'check') throw new Error(`${effect.type} is no command`);
  const { node, epoch, attempt } = effect;
  if (effect.type === 'work') {
    return { type: 'work.ended', node, epoch, attempt, rerun: effect.rerun, ...GREEN } as const;
  }
  const { check } = effect;
  const seen = { check, tree: null, reused: false, restored: [] } as const;
  return { type: 'check.ended', node, epoch, attempt, ...seen, ...GREEN } as const;
}
