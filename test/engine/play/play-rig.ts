/** A run with models in a process that can die: the real loop, machines, ledger and roles; workspace and model are a test's. */

import { mkdirSync, realpathSync } from 'node:fs';
import { join } from 'node:path';
import { realClock } from '../../../src/cli/real-clock.ts';
import type { Ended, RunEvent } from '../../../src/contract/event.ts';
import { fail, ok } from '../../../src/contract/fault.ts';
import { NO_LIMITS } from '../../../src/contract/limits.ts';
import type { Model, TurnKey } from '../../../src/contract/model.ts';
import { NOTHING_ADDED } from '../../../src/contract/request.ts';
import { DEFAULT_CAPS, type ModelSettings } from '../../../src/contract/settings.ts';
import { drive, type Drive } from '../../../src/engine/drive.ts';
import { loadRun, type LoadedRun } from '../../../src/engine/load.ts';
import { modelPerformer } from '../../../src/engine/play/perform.ts';
import type { RoleModel, World } from '../../../src/engine/play/world.ts';
import { openings } from '../../../src/engine/restore.ts';
import type { Proposal } from '../../../src/engine/say.ts';
import { sessionIndex } from '../../../src/engine/session-index.ts';
import { keepRecords } from '../../../src/graph/records.ts';
import { NO_RUN, type RunState } from '../../../src/graph/run-state.ts';
import { createBackOff } from '../../../src/model/back-off.ts';
import { memoryStore } from '../../../src/store/memory-store.ts';
import { tempFolder } from '../../support/os.ts';
import { replies } from '../session-rig.ts';

/** What the model says to a request: words, or calls of tools. */
export type Story = (key: TurnKey) => string | readonly (readonly [tool: string, args: unknown])[];

export interface PlayOptions {
  /** Paths that a model's work is said to have changed. */
  readonly changed?: readonly string[];
}

export interface PlayRig {
  readonly workspace: string;
  /** Begins the run, or goes on with it. Resolves to how it rests: its status, and why it is paused. */
  play(process?: PlayProcess): Promise<string>;
  load(): Promise<LoadedRun>;
}

export interface PlayProcess {
  /** An append that would reach beyond so many events fails, and everything stops. */
  readonly dieAfter?: number;
  readonly onStored?: (event: RunEvent, version: number, driving: Drive) => void;
}

const GREEN: Ended = { outcome: 'exit', exit: 0, detail: null, ms: 1, output: null, bytes: 0, tail: '' };
const TREE = 'e'.repeat(40);

const MODELS: ModelSettings = {
  worker: 'm',
  verifier: 'm',
  baseUrl: null,
  prices: { worker: null, verifier: null },
  panel: { node: 1, final: 1 },
  caps: DEFAULT_CAPS,
  sandbox: 'off',
  allowNet: false,
};

export function playRig(story: Story, { changed = ['x'] }: PlayOptions = {}): PlayRig {
  const workspace = realpathSync(tempFolder());
  const stateDir = join(workspace, '.goalgraph');
  mkdirSync(stateDir);
  const store = memoryStore();
  const role: RoleModel = { ...roleOf(modelOf(story)) };

  async function load(): Promise<LoadedRun> {
    const loaded = await loadRun(store.open().log, 'r');
    if (!loaded.ok) throw new Error(loaded.fault.message);
    return loaded.value;
  }

  async function play({ dieAfter = Infinity, onStored }: PlayProcess = {}): Promise<string> {
    const isNew = (await store.open().log.runs()).ok && store.bodies('r').length === 0;
    const { state, version, records, events } = isNew
      ? { state: NO_RUN, version: 0, records: keepRecords(), events: [] }
      : await load();
    const { log, children } = store.open();
    const index = sessionIndex();
    for (const { event } of events) index.add(event);
    let stored = version;
    const mortal: typeof log = {
      ...log,
      append: (batch) =>
        stored + batch.events.length > dieAfter
          ? Promise.resolve(fail({ code: 'store_io', message: 'dead' }))
          : log.append(batch),
    };
    const driving = drive({
      run: 'r',
      state,
      version,
      log: mortal,
      clock: realClock,
      perform: modelPerformer({
        ...worldOf({ workspace, stateDir, changed, role }),
        ...{ blobs: log, children, index, records },
      }),
      slots: 3,
      onStored(batch) {
        for (const { event } of batch) {
          records.add(event);
          index.add(event);
          onStored?.(event, ++stored, driving);
        }
      },
    });
    for (const proposal of isNew ? [created(workspace)] : resumed(state)) driving.propose(proposal);
    const end = await driving.ended;
    return end.ok ? restOf(end.value) : end.fault.message;
  }

  return { workspace, play, load };
}

function created(workspace: string): Proposal {
  const event = { type: 'run.created', run: 'r', machine: 1, objective: 'Do it.', plan: null } as const;
  const settings = {
    models: MODELS,
    flow: null,
    approve: false,
    workspace,
    concurrency: 3,
    limits: NO_LIMITS,
  };
  return (_, at) => ok({ ...event, ...settings, at });
}

function resumed(state: RunState): readonly Proposal[] {
  return openings(state, { type: 'resume', add: NOTHING_ADDED, concurrency: null, models: null });
}

function restOf({ graph }: RunState): string {
  const { paused } = graph.context;
  return paused ? `${graph.value} (${paused.why}): ${paused.detail ?? ''}` : graph.value;
}

function modelOf(story: Story): Model {
  return {
    name: 'm',
    async *turn(request, signal) {
      await Promise.resolve();
      if (signal.aborted) {
        yield { type: 'failed', fault: { code: 'aborted', message: 'aborted' }, billable: false };
        return;
      }
      const said = story(request.key);
      yield typeof said === 'string'
        ? replies(said)
        : replies(
            '',
            said.map(([name, args]) => ({ name, args })),
          );
    },
  };
}

function roleOf(model: Model): RoleModel {
  const backOff = createBackOff({ clock: realClock, random: () => 0.5 });
  return { name: 'm', model, backOff, price: null, window: 100_000 };
}

interface Ground {
  readonly workspace: string;
  readonly stateDir: string;
  readonly changed: readonly string[];
  readonly role: RoleModel;
}

function worldOf({
  workspace,
  stateDir,
  changed,
  role,
}: Ground): Omit<World, 'blobs' | 'children' | 'index' | 'records'> {
  const files = changed.map((path) => ({
    path,
    change: 'changed' as const,
    from: null,
    added: 1,
    removed: 0,
  }));
  const nowhere = () => Promise.reject(new Error('no command is run here'));
  return {
    run: 'r',
    skills: [],
    sandboxed: true,
    objective: 'Do it.',
    workspace,
    stateDir,
    worker: role,
    verifier: role,
    shadow: {
      snapshot: () => Promise.resolve(ok(TREE)),
      diff: () => Promise.resolve(ok({ files, patch: changed.join('\n'), cut: false })),
      patch: () => Promise.resolve(ok(Buffer.from('patch'))),
      materialise: () => Promise.resolve(ok(null)),
      files: () => Promise.resolve(ok(['x'])),
    },
    copies: { copy: nowhere, restore: nowhere },
    runner: { run: () => Promise.resolve(GREEN), fingerprint: () => Promise.resolve(null) },
    runnerIn: () => ({ run: nowhere }),
    timeouts: { run: 1_000, check: 1_000 },
    pipes: { make: nowhere } as unknown as World['pipes'],
    env: {},
    secrets: [],
    wrap: (command) => command,
    mask: (text) => text,
    ceilings: null,
    clock: realClock,
    random: () => 0.5,
    progress: () => undefined,
  };
}
