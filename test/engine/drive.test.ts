import { describe, expect, it } from 'vitest';
import type { Effect } from '../../src/contract/command.ts';
import { nodeId } from '../../src/contract/ids.ts';
import { ok, type Fault } from '../../src/contract/fault.ts';
import { drive, type Drive } from '../../src/engine/drive.ts';
import { watchInbox } from '../../src/engine/control.ts';
import { NO_RUN } from '../../src/graph/run-state.ts';
import { memoryStore, type MemoryProcess } from '../../src/store/memory-store.ts';
import { virtualClock, type VirtualClock } from '../sim/virtual-clock.ts';
import { answer, GREEN, runOf } from '../support/answers.ts';
import { modelRun, report, type ModelRun } from '../support/model-runs.ts';
import { created, plan, type NodeText } from '../support/plans.ts';
import type { Request } from '../../src/contract/request.ts';
import { NO_LIMITS, type Limits } from '../../src/contract/limits.ts';
import type { Fate } from '../../src/store/memory-log.ts';

/** Commands in flight, each held open until the test ends it. */
interface Puppet {
  readonly effect: Effect;
  readonly signal: AbortSignal;
  end(): void;
}

interface Rig {
  readonly clock: VirtualClock;
  readonly driving: Drive;
  readonly puppets: Map<string, Puppet>;
  readonly process: MemoryProcess;
  readonly other: MemoryProcess;
  readonly epoch: number;
  readonly bodies: () => readonly string[];
  /** Lets everything happen that can happen before `until`. */
  pass(until?: number): Promise<void>;
}

interface RigOptions {
  readonly concurrency?: number;
  readonly limits?: Partial<Limits>;
  readonly fate?: () => Fate | Promise<Fate>;
}

function rig(nodes: readonly NodeText[], options: RigOptions = {}): Rig {
  const clock = virtualClock(1_000);
  const store = memoryStore(options.fate ? { fate: options.fate } : {});
  const process = store.open();
  const owner = process.lease.take('r1');
  if (!owner.ok) throw new Error(owner.fault.message);
  const puppets = new Map<string, Puppet>();
  const driving = drive({
    run: 'r1',
    state: NO_RUN,
    version: 0,
    log: process.log,
    clock: clock.forProcess(() => true),
    perform: (effect, signal) =>
      new Promise((resolve) => {
        const end = () => {
          puppets.delete(runOf(effect));
          resolve(answer(effect, signal.aborted ? { ...GREEN, outcome: 'aborted', exit: null } : GREEN));
        };
        puppets.set(runOf(effect), { effect, signal, end });
      }),
    slots: options.concurrency ?? 3,
    onStored: () => undefined,
  });
  driving.propose((_, at) => ok({ ...created(plan(nodes), options), at }));
  return {
    clock,
    driving,
    puppets,
    process,
    other: store.open(),
    epoch: owner.value.epoch,
    bodies: () => store.bodies('r1'),
    async pass(until = Infinity) {
      await new Promise((resolve) => setImmediate(resolve));
      for (let turns = 0; turns < 100 && clock.now() <= until && (await clock.tick()); turns++);
    },
  };
}

const types = ({ bodies }: Rig) => bodies().map((body) => (JSON.parse(body) as { type: string }).type);

describe('a drive', () => {
  it('starts nothing before its start is stored', async () => {
    let release: (fate: Fate) => void = () => undefined;
    const slow = new Promise<Fate>((resolve) => (release = resolve));
    const run = rig([{ slug: 'a' }], { fate: () => slow });
    await run.pass();
    expect(run.puppets.size).toBe(0);
    release('store');
    await new Promise((resolve) => setImmediate(resolve));
    expect([...run.puppets.keys()]).toEqual(['work a']);
  });

  it('stores what happens in one turn in one transaction', async () => {
    let appends = 0;
    const run = rig([{ slug: 'a' }, { slug: 'b' }], {
      fate: () => {
        appends++;
        return 'store';
      },
    });
    await run.pass();
    const before = appends;
    run.puppets.get('work a')?.end();
    run.puppets.get('work b')?.end();
    await run.pass();
    expect(appends).toBe(before + 1);
    expect(types(run).filter((type) => type === 'work.ended')).toHaveLength(2);
  });

  it('ends what is in flight when the run is paused, and rests only when all of it is gone', async () => {
    const run = rig([{ slug: 'a' }, { slug: 'b' }]);
    await run.pass();
    let ended = false;
    void run.driving.ended.then(() => (ended = true));
    run.driving.propose((_, at) => ok({ type: 'run.paused', at, why: 'user', detail: null, resetAt: null }));
    await run.pass();
    const puppets = [...run.puppets.values()];
    expect(puppets.map(({ signal }) => signal.aborted)).toEqual([true, true]);
    expect(ended).toBe(false);
    puppets.forEach((puppet) => puppet.end());
    await run.pass();
    expect(ended).toBe(true);
    expect(types(run).slice(-2)).toEqual(['late', 'late']);
  });

  it('starts nothing new while something is still being ended', async () => {
    const run = rig(
      [
        { slug: 'a', scope: ['x'] },
        { slug: 'b', scope: ['x'] },
      ],
      { concurrency: 2 },
    );
    await run.pass();
    expect([...run.puppets.keys()]).toEqual(['work a']);
    const node = nodeId('a');
    run.driving.propose((_, at) => ok({ type: 'node.skipped', at, node }));
    await run.pass();
    expect([...run.puppets.keys()]).toEqual(['work a']);
    run.puppets.get('work a')?.end();
    await run.pass();
    expect([...run.puppets.keys()]).toEqual(['work b']);
  });

  it('does not start a command again whose end is waiting for a slow disk', async () => {
    const disk: ((fate: Fate) => void)[] = [];
    const run = rig([{ slug: 'a' }, { slug: 'b' }], {
      fate: () => (disk.length === 0 ? 'store' : new Promise<Fate>((resolve) => disk.push(resolve))),
    });
    await run.pass();
    disk.push(() => undefined);
    run.puppets.get('work a')?.end();
    await run.pass();
    run.puppets.get('work b')?.end();
    await run.pass();
    disk.pop()?.('store');
    await run.pass();
    expect([...run.puppets.keys()]).toEqual(['check a']);
  });

  it('pauses at its deadline', async () => {
    const run = rig([{ slug: 'a' }], { limits: { maxTime: 500 } });
    await run.pass(1_499);
    expect(run.driving.state().graph.value).toBe('running');
    await run.pass();
    expect(run.driving.state().graph.context.paused?.why).toBe('deadline');
    expect(run.clock.now()).toBe(1_500);
    expect(run.puppets.get('work a')?.signal.aborted).toBe(true);
  });

  it('stops at a store that cannot be written, with what is in flight ended and the old state kept', async () => {
    const fault: Fault = { code: 'store_full', message: 'The disk is full.' };
    let full = false;
    const run = rig([{ slug: 'a' }, { slug: 'b' }], {
      fate: () => (full ? { fault, stored: false } : 'store'),
    });
    await run.pass();
    const stored = run.bodies().length;
    full = true;
    run.puppets.get('work a')?.end();
    await run.pass();
    expect(run.puppets.get('work b')?.signal.aborted).toBe(true);
    run.puppets.get('work b')?.end();
    expect(await run.driving.ended).toEqual({ ok: false, fault });
    expect(run.bodies()).toHaveLength(stored);
  });

  it('tells who asked why it refuses, and goes on', async () => {
    const run = rig([{ slug: 'a' }]);
    const heard: (string | null)[] = [];
    const reply = (why: string | null) => heard.push(why);
    await run.pass();
    run.driving.propose(
      (_, at) => ok({ type: 'run.resumed', at, limits: NO_LIMITS, concurrency: 1, models: null, moves: 0 }),
      {
        reply,
      },
    );
    await run.pass();
    expect(heard).toEqual(['the run is running already']);
    expect([...run.puppets.keys()]).toEqual(['work a']);
  });
});

describe('a drive of a run with models', () => {
  it('waits again for a parked node when it is paused and resumed before the waiting has ended', async () => {
    const clock = virtualClock(1_000);
    const waits: { readonly signal: AbortSignal; readonly leave: () => void }[] = [];
    const process = memoryStore().open();
    process.lease.take('r1');
    const run = parked();
    await process.log.append({ run: 'r1', expected: 0, events: run.events() });
    const driving = drive({
      run: 'r1',
      state: run.state(),
      version: run.events().length,
      log: process.log,
      clock: clock.forProcess(() => true),
      perform: (effect, signal) =>
        new Promise((resolve) => {
          if (effect.type === 'wake') waits.push({ signal, leave: () => resolve(null) });
        }),
      slots: 1,
      onStored: () => undefined,
    });
    const pass = async () => {
      for (let turns = 0; turns < 20 && (await clock.tick()); turns++);
    };
    driving.propose((_, at) => ok({ type: 'run.paused', at, why: 'user', detail: null, resetAt: null }));
    driving.propose((_, at) =>
      ok({ type: 'run.resumed', at, limits: NO_LIMITS, concurrency: 1, models: null, moves: 0 }),
    );
    await pass();
    expect(waits).toHaveLength(1);
    driving.propose((_, at) => ok({ type: 'run.paused', at, why: 'user', detail: null, resetAt: null }));
    await pass();
    expect(waits[0]?.signal.aborted).toBe(true);
    driving.propose((_, at) =>
      ok({ type: 'run.resumed', at, limits: NO_LIMITS, concurrency: 1, models: null, moves: 0 }),
    );
    await pass();
    waits[0]?.leave();
    await pass();
    expect(waits).toHaveLength(2);
    expect(waits[1]?.signal.aborted).toBe(false);
  });

  /** A run whose only node waits. */
  function parked(): ModelRun {
    const run = modelRun([{ slug: 'a' }], { concurrency: 1 });
    run.base();
    run.round('wait', { report: report({ status: 'wait', wait: { kind: 'time', ms: 60_000 } }) });
    return run;
  }
});

describe('the inbox of a drive', () => {
  function watched(nodes: readonly NodeText[]) {
    const run = rig(nodes);
    const stop = watchInbox({
      run: 'r1',
      epoch: run.epoch,
      inbox: run.process.inbox,
      clock: run.clock.forProcess(() => true),
      drive: run.driving,
      parse: (text) => (text.startsWith('{') ? (JSON.parse(text) as Request) : null),
    });
    return { run, stop };
  }

  async function asked(run: Rig, text: string, epoch = run.epoch) {
    const posted = await run.other.inbox.post({ run: 'r1', epoch, request: text });
    if (!posted.ok) throw new Error(posted.fault.message);
    await run.pass(run.clock.now() + 200);
    const given = await run.other.inbox.answer(posted.value);
    return given.ok ? given.value : given.fault.message;
  }

  it('is answered within 200 ms, in the transaction of what was asked for', async () => {
    const { run, stop } = watched([{ slug: 'a' }]);
    await run.pass(1_200);
    expect(await asked(run, JSON.stringify({ type: 'pause', by: 'test' }))).toBe('{"refused":null}');
    expect(run.driving.state().graph.value).toBe('paused');
    stop();
  });

  it('refuses what cannot be done, and what it does not understand, with words', async () => {
    const { run, stop } = watched([{ slug: 'a' }]);
    await run.pass(1_200);
    expect(await asked(run, JSON.stringify({ type: 'skip', node: 'b' }))).toContain('there is no node b');
    expect(await asked(run, 'dance')).toContain('must be of the same version');
    stop();
  });

  it('does not hear what was asked of an older owner', async () => {
    const { run, stop } = watched([{ slug: 'a' }]);
    await run.pass(1_200);
    expect(await asked(run, JSON.stringify({ type: 'pause', by: 'test' }), run.epoch - 1)).toBeNull();
    expect(run.driving.state().graph.value).toBe('running');
    stop();
  });
});
