/** Events for tests of the store: plain ones to hand, and arbitrary ones of every type. */

import fc from 'fast-check';
import type { RunCreated, RunEvent, RunPaused } from '../../src/contract/event.ts';
import type { Fault, Result } from '../../src/contract/fault.ts';
import { FINAL_NODE, nodeId } from '../../src/contract/ids.ts';
import type { Limits } from '../../src/contract/limits.ts';
import { NO_LIMITS } from '../../src/contract/limits.ts';
import type { Plan, PlanNode } from '../../src/contract/plan.ts';
import type { SessionId } from '../../src/contract/session-event.ts';
import type { FlowRun } from '../../src/contract/flow.ts';
import type { ModelSettings } from '../../src/contract/settings.ts';

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
    objective: 'o',
    plan: plan(),
    models: null,
    flow: null,
    approve: false,
    workspace: '/w',
    concurrency: 4,
    limits: NO_LIMITS,
    ...over,
  };
}

export function paused(detail: string, at = 2): RunPaused {
  return { type: 'run.paused', at, why: 'user', detail, resetAt: null };
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

const texts = fc.array(text, { maxLength: 3 });
const positive = fc.integer({ min: 1 });
const tree = hex(40);
const price = fc.record({ input: count, cached: count, output: count });
const models: fc.Arbitrary<ModelSettings> = fc.record({
  worker: text,
  verifier: text,
  baseUrl: orNull(text),
  prices: fc.record({ worker: orNull(price), verifier: orNull(price) }),
  panel: fc.record({ node: count, final: count }),
  caps: fc.record({ rounds: positive, verifications: positive, turns: positive }),
  sandbox: fc.constantFrom('auto', 'off', 'required'),
  allowNet: fc.boolean(),
});
const flowRun: fc.Arbitrary<FlowRun> = fc.record({
  name: text.filter((name) => name !== ''),
  flow: fc.record({
    nodes: fc.array(
      fc.record({
        id: text,
        label: text,
        kind: fc.constantFrom('begin', 'end', 'task', 'decision'),
        exits: fc.array(fc.record({ to: text, label: orNull(text) }), { maxLength: 3 }),
      }),
      { maxLength: 3 },
    ),
    begin: text,
    end: text,
  }),
  args: text,
  maxMoves: orNull(count),
});
const session: fc.Arbitrary<SessionId> = fc.record({
  role: fc.constantFrom('planner', 'briefer', 'worker', 'skeptic', 'strategist', 'summarizer', 'agent'),
  node: orNull(id),
  born: count,
  series: positive,
  seat: positive,
});
const inSession = { session, round: positive, messages: hex(64) };
const usage = fc.record({ input: count, cached: count, output: count });
const amount = fc.record({ tokens: count, cost: count });
const request = {
  id: positive,
  call: text,
  role: text,
  model: text,
  final: fc.boolean(),
  input: fc.record({ known: count, fresh: count }),
  maxOutput: count,
  floor: count,
  price: orNull(price),
};
const wait = fc.oneof(
  fc.record({ kind: fc.constant('time' as const), ms: count }),
  fc.record({ kind: fc.constant('process' as const), pid: positive }),
);
const report = fc.record({
  status: fc.constantFrom('done', 'blocked', 'wait', 'note'),
  summary: text,
  evidence: texts,
  discovered: texts,
  wait: orNull(wait),
});
const brief = fc.record({
  criteria: fc.array(fc.record({ text, gating: fc.boolean() }), { maxLength: 3 }),
  nonGoals: texts,
});

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
    objective: text,
    plan: orNull(anyPlan),
    models: orNull(models),
    flow: orNull(flowRun),
    approve: fc.boolean(),
    workspace: text,
    concurrency: fc.integer({ min: 1 }),
    limits,
  },
  'run.restored': {},
  'run.paused': {
    why: fc.constantFrom('user', 'deadline', 'budget', 'moves', 'provider', 'infra', 'stuck'),
    detail: orNull(text),
    resetAt: orNull(count),
  },
  'run.resumed': { limits, concurrency: fc.integer({ min: 1 }), models: orNull(models), moves: count },
  'run.completed': {},
  'run.cleared': {},
  'node.started': { ...fence, rerun: fc.boolean() },
  'work.ended': { ...fence, ...ended, rerun: fc.boolean() },
  'check.ended': {
    ...fence,
    ...ended,
    check: count,
    tree: orNull(text),
    reused: fc.boolean(),
    restored: texts,
  },
  'node.achieved': { node: id },
  'node.failed': {
    node: id,
    why: fc.constantFrom('exit', 'check_red', 'timeout', 'no_progress', 'cap', 'turns'),
    detail: text,
    red: ids,
  },
  'node.blocked': { node: id, why: fc.constantFrom('cut', 'infra', 'claimed', 'unverifiable'), detail: text },
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
  'run.planned': { epoch: count, plan: anyPlan, warnings: texts },
  'plan.refused': { epoch: count, faults: texts },
  'run.approved': {},
  'base.ended': { ...fence, tree },
  'brief.ended': { ...fence, brief: orNull(brief), detail: orNull(text) },
  'round.ended': {
    ...fence,
    round: positive,
    outcome: fc.constantFrom('claim', 'blocked', 'wait', 'none', 'loop', 'failed'),
    report: orNull(report),
    tree: orNull(tree),
    results: count,
    detail: orNull(text),
  },
  'vote.ended': {
    ...fence,
    verification: positive,
    seat: positive,
    ballot: positive,
    tree,
    verdict: fc.constantFrom('achieved', 'refuted', 'unverifiable', 'inconclusive'),
    gaps: texts,
    why: text,
    injection: orNull(text),
  },
  'strategy.ended': { ...fence, round: positive, suggestion: orNull(text) },
  'wake.ended': { ...fence, round: positive },
  'effect.failed': {
    effect: text,
    why: fc.constantFrom('provider', 'infra'),
    detail: text,
    resetAt: orNull(count),
  },
  'node.parked': { node: id, until: count, pid: orNull(positive), detail: text },
  'node.kept': {
    node: id,
    base: tree,
    tree,
    patch: orNull(hex(64)),
    files: count,
    detail: orNull(text),
  },
  'move.ended': {
    ...fence,
    move: positive,
    step: text,
    outcome: fc.constantFrom('said', 'short', 'failed'),
    choice: orNull(text),
    tree: orNull(tree),
    detail: orNull(text),
  },
  'flow.chosen': { node: id, step: text, branch: text, move: count },
  'session.asked': inSession,
  'turn.ended': {
    ...inSession,
    turn: positive,
    finish: fc.constantFrom('stop', 'tools', 'length', 'filter'),
    usage: orNull(usage),
    sent: count,
    same: count,
    calls: texts,
  },
  'tools.ended': {
    ...inSession,
    turn: positive,
    results: fc.array(fc.record({ name: text, line: text, hash: hex(16), ok: fc.boolean() }), {
      maxLength: 3,
    }),
  },
  'session.compacted': inSession,
  'budget.reserved': {
    ...request,
    hold: fc.record({ input: count, output: count, cost: count }),
    granted: positive,
  },
  'budget.waiting': request,
  'budget.tripped': {
    id: positive,
    call: text,
    role: text,
    model: text,
    final: fc.boolean(),
    by: fc.constantFrom('tokens', 'cost'),
    need: count,
    left: fc.integer(),
    standing: count,
  },
  'budget.charged': {
    id: positive,
    usage,
    cost: count,
    estimated: fc.boolean(),
    overrun: orNull(amount),
    factor: positive,
  },
  'budget.released': { id: positive },
  'budget.added': { tokens: orNull(count), cost: orNull(count), standing: amount },
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
