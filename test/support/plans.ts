import type { RunCreated, RunEvent } from '../../src/contract/event.ts';
import { DEFAULT_CAPS, type ModelSettings } from '../../src/contract/settings.ts';
import { NO_LIMITS, type Limits } from '../../src/contract/limits.ts';
import type { Plan } from '../../src/contract/plan.ts';
import { gate } from '../../src/graph/gate.ts';
import { parsePlan } from '../../src/graph/parse-plan.ts';
import { stepRun } from '../../src/graph/run.ts';
import { NO_RUN, type RunState } from '../../src/graph/run-state.ts';

export interface NodeText {
  readonly slug: string;
  readonly deps?: readonly string[];
  readonly scope?: readonly string[];
  readonly checks?: readonly { readonly run: string; readonly once?: boolean }[];
  readonly run?: string | null;
  readonly retries?: number;
  readonly 'on-cut'?: 'rerun' | 'block';
}

/** A worker and a skeptic, as a run has them. */
export const MODELS: ModelSettings = {
  worker: 'test/worker',
  verifier: 'test/verifier',
  baseUrl: null,
  prices: { worker: null, verifier: null },
  panel: { node: 1, final: 1 },
  caps: DEFAULT_CAPS,
  sandbox: 'auto',
  allowNet: false,
};

/** A plan through the real gate; a node has a command, a scope and a check of its own unless it says otherwise. */
export function plan(nodes: readonly NodeText[], checks: readonly string[] = [], byModel = false): Plan {
  const full = nodes.map(({ slug, run, ...rest }) => ({
    slug,
    title: slug,
    spec: byModel ? `do ${slug}` : '',
    scope: [`${slug}/**`],
    checks: [{ run: `check ${slug}` }],
    ...(run === null ? {} : { run: run ?? `work ${slug}` }),
    ...rest,
  }));
  const text = JSON.stringify({ objective: 'test', checks: checks.map((run) => ({ run })), nodes: full });
  const draft = parsePlan({ text, file: 'plan.json', source: 'file', format: 'json' });
  const gated = gate(draft, { source: 'file', hasModel: byModel, hasPanel: byModel, budget: null });
  if (!gated.ok) throw new Error(gated.faults.map(({ message }) => message).join('\n'));
  return gated.plan;
}

export function created(
  of: Plan | null,
  change: {
    concurrency?: number;
    limits?: Partial<Limits>;
    models?: Partial<ModelSettings> | null;
    approve?: boolean;
  } = {},
): RunCreated {
  return {
    type: 'run.created',
    at: 1_000,
    run: 'r1',
    machine: 1,
    objective: of?.objective ?? 'test',
    plan: of,
    models: change.models ? { ...MODELS, ...change.models } : null,
    flow: null,
    approve: change.approve ?? false,
    workspace: '/w',
    concurrency: change.concurrency ?? 3,
    limits: { ...NO_LIMITS, ...change.limits },
  };
}

/** A run in memory: step events, look at the state, see what was derived. */
export interface Stepper {
  readonly state: () => RunState;
  /** All events so far, the derived ones included. */
  readonly events: () => readonly RunEvent[];
  /** Returns why it was refused, or null. */
  readonly step: (event: RunEvent) => string | null;
}

export function stepper(first: RunCreated): Stepper {
  let state = NO_RUN;
  const events: RunEvent[] = [];
  const step = (event: RunEvent) => {
    const stepped = stepRun(state, event);
    if (!stepped.ok) return stepped.why;
    state = stepped.next;
    events.push(...stepped.events);
    return null;
  };
  const refused = step(first);
  if (refused !== null) throw new Error(refused);
  return { state: () => state, events: () => events, step };
}
