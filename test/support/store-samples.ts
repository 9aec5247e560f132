/** Events for tests of the store: plain ones to hand, and arbitrary ones of every type. */

import fc from 'fast-check';
import type { RunCreated, RunEvent, RunPaused } from '../../src/contract/event.ts';
import type { Fault, Result } from '../../src/contract/fault.ts';
import { FINAL_NODE, nodeId } from '../../src/contract/ids.ts';
import type { Limits } from '../../src/contract/limits.ts';
import { NO_LIMITS } from '../../src/contract/limits.ts';
import type { Plan, PlanNode } from '../../src/contract/plan.ts';

export function planNode(slug: string, over: Partial<PlanNode> = {}): PlanNode {
  return {
    id: nodeId(slug),
    slug,
    title: slug,
    spec: '',
    deps: [],
    scope: [],
    checks: [{ run: 'npm test', once: false }],
    run: 'make',
    timeout: null,
    retries: 0,
    onCut: 'rerun',
    frozen: [],
    budget: null,
    ...over,
  };
}

export function plan(nodes: readonly PlanNode[] = [planNode('a')]): Plan {
  return { version: 1, hash: '0123456789abcdef', objective: 'o', checks: [], workspace: null, nodes };
}

export function created(run: string, over: Partial<RunCreated> = {}): RunCreated {
  return {
    type: 'run.created',
    at: 1,
    run,
    machine: 1,
    plan: plan(),
    workspace: '/w',
    concurrency: 4,
    limits: NO_LIMITS,
    ...over,
  };
}

export function paused(detail: string, at = 2): RunPaused {
  return { type: 'run.paused', at, why: 'user', detail };
}

/** The value, or the fault as an error. */
export function must<T>(result: Result<T>): T {
  if (!result.ok) throw new Error(`${result.fault.code}: ${result.fault.message}`);
  return result.value;
}

export function faultOf<T>(result: Result<T>): Fault {
  if (result.ok) throw new Error(`a fault was expected, not ${JSON.stringify(result.value)}`);
  return result.fault;
}

const count = fc.nat();
const text = fc.string({ unit: 'binary' });
const orNull = <T>(value: fc.Arbitrary<T>) => fc.option(value);
const id = fc.oneof(fc.constant(FINAL_NODE), text.map(nodeId));
const ids = fc.array(id, { maxLength: 3 });
const hex = (length: number) =>
  fc
    .array(fc.nat({ max: 15 }), { minLength: length, maxLength: length })
    .map((digits) => digits.map((digit) => digit.toString(16)).join(''));
const check = fc.record({ run: text, once: fc.boolean() });
const limits: fc.Arbitrary<Limits> = fc.record({
  tokens: orNull(count),
  cost: orNull(count),
  maxTime: orNull(count),
  until: orNull(fc.maxSafeNat()),
});
const node: fc.Arbitrary<PlanNode> = fc.record({
  id,
  slug: text,
  title: text,
  spec: text,
  deps: ids,
  scope: fc.array(text),
  checks: fc.array(check),
  run: orNull(text),
  timeout: orNull(count),
  retries: count,
  onCut: fc.constantFrom('rerun', 'block'),
  frozen: fc.array(text),
  budget: orNull(count),
});
const anyPlan: fc.Arbitrary<Plan> = fc.record({
  version: fc.integer({ min: 1 }),
  hash: hex(16),
  objective: text,
  checks: fc.array(check),
  workspace: orNull(text),
  nodes: fc.array(node, { maxLength: 4 }),
});
const outcome = fc.constantFrom('exit', 'signal', 'timeout', 'spawn', 'aborted');
const fence = { node: id, epoch: count, attempt: fc.integer({ min: 1 }) };
const ended = {
  outcome,
  exit: orNull(fc.integer({ min: -1, max: 255 })),
  detail: orNull(text),
  ms: count,
  output: orNull(hex(64)),
  bytes: count,
  tail: text,
};

type Fields<T extends RunEvent['type']> = {
  readonly [K in keyof Omit<Extract<RunEvent, { type: T }>, 'type' | 'at'>]: fc.Arbitrary<
    Extract<RunEvent, { type: T }>[K]
  >;
};

/** One entry a type, so that a new type without an arbitrary does not compile. */
const FIELDS: { readonly [T in RunEvent['type']]: Fields<T> } = {
  'run.created': {
    run: text.filter((run) => run !== ''),
    machine: fc.constant(1),
    plan: anyPlan,
    workspace: text,
    concurrency: fc.integer({ min: 1 }),
    limits,
  },
  'run.restored': {},
  'run.paused': {
    why: fc.constantFrom('user', 'deadline', 'budget', 'infra', 'stuck'),
    detail: orNull(text),
  },
  'run.resumed': { limits, concurrency: fc.integer({ min: 1 }) },
  'run.completed': {},
  'run.cleared': {},
  'node.started': { ...fence, rerun: fc.boolean() },
  'work.ended': { ...fence, ...ended, rerun: fc.boolean() },
  'check.ended': { ...fence, ...ended, check: count, tree: orNull(text), reused: fc.boolean() },
  'node.achieved': { node: id },
  'node.failed': {
    node: id,
    why: fc.constantFrom('exit', 'check_red', 'timeout'),
    detail: text,
    red: ids,
  },
  'node.blocked': { node: id, why: fc.constantFrom('cut', 'infra'), detail: text },
  'node.retried': { node: id },
  'node.skipped': { node: id },
  'node.edited': {
    node: id,
    version: fc.integer({ min: 1 }),
    hash: hex(16),
    spec: orNull(text),
    run: orNull(text),
    checks: orNull(fc.array(text)),
  },
  late: {
    ...fence,
    of: fc.constantFrom('work.ended', 'check.ended'),
    check: orNull(count),
    outcome,
    ms: count,
  },
};

export const EVENT_TYPES = Object.keys(FIELDS) as readonly RunEvent['type'][];

export function eventOf(type: RunEvent['type']): fc.Arbitrary<RunEvent> {
  const fields = { type: fc.constant(type), at: fc.maxSafeNat(), ...FIELDS[type] };
  // Which fields belong to which type is what the table above says; TypeScript loses the link here.
  return fc.record<unknown>(fields) as fc.Arbitrary<RunEvent>;
}

export function anyEvent(): fc.Arbitrary<RunEvent> {
  return fc.oneof(...EVENT_TYPES.map(eventOf));
}
