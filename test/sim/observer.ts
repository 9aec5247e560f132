/**
 * Holds a run's stored events to the invariants, with a model of its own: it shares no code with the machines but
 * the shapes of events and plans. Everything it says is a sentence about what went wrong.
 */

import type { Usage } from '../../src/contract/budget.ts';
import type { CheckEnded, NodeStarted, RunEvent, WorkEnded } from '../../src/contract/event.ts';
import type { FlowChosen, MoveEnded } from '../../src/contract/flow-event.ts';
import type { FlowRun } from '../../src/contract/flow.ts';
import type { BaseEnded, RoundEnded } from '../../src/contract/goal-event.ts';
import type { NodeId } from '../../src/contract/ids.ts';
import type { Plan, PlanNode } from '../../src/contract/plan.ts';
import type { ModelSettings } from '../../src/contract/settings.ts';
import { observeBudget } from './observed-budget.ts';
import * as flows from './observed-flow.ts';
import * as goals from './observed-goal.ts';
import { deadlineOf, newTime, passTime, type RunningTime } from './running-time.ts';

type Status = 'open' | 'achieved' | 'failed' | 'blocked' | 'skipped';

export interface Watched {
  readonly node: PlanNode;
  /** In plan order: the runs of its checks, the plan's and all nodes' for the final node. */
  checks: readonly string[];
  status: Status;
  active: boolean;
  epoch: number;
  attempt: number;
  worked: boolean;
  /** False once it is known that its command in flight never began. */
  begun: boolean;
  /** Its command was in flight when the run was paused or its process died. */
  cut: boolean;
  /** The check that is next. */
  at: number;
  /** The tree of the last check, and whether a cut came after it (the final node only). */
  tree: string | null;
  doubt: boolean;
  /** Of a model's node, from its first start on. */
  goal: goals.ObservedGoal | null;
  /** Of a flow's node, from its first start on. */
  walk: flows.Walk | null;
  parked: boolean;
  /** Of the checks that speak of the same state of things, in the order in which they were seen. */
  ends: boolean[];
}

export interface Observer {
  /** Takes a batch as it was stored; returns what is wrong with it. */
  batch(events: readonly RunEvent[]): string[];
  /** Keys of the effects that are issued and not answered, as `work <id> <epoch>.<attempt>` or `check …:<n>`. */
  owed(): string[];
  /** What each node's status must be shown as. */
  statuses(): string[];
  /** The run goes on by itself: it runs, or is being planned. */
  running(): boolean;
  /** Calls that are reserved and not paid for. */
  unpaid(): number;
  nodes(): readonly Watched[];
}

export interface Provider {
  /** Whether it keeps to one token a byte and to the limit of the output. */
  readonly lawful: boolean;
  readonly reported: (usage: Usage) => boolean;
}

export function observe({ lawful, reported }: Provider): Observer {
  let plan: Plan | null = null;
  let nodes = new Map<NodeId, Watched>();
  let run: 'none' | 'planning' | 'approval' | 'running' | 'paused' | 'complete' | 'cleared' = 'none';
  let models: ModelSettings | null = null;
  let flow: FlowRun | null = null;
  let approve = false;
  let cap = 0;
  let voided = -1;
  let time: RunningTime = newTime();
  /** `tree run` of every check that was seen green. */
  const greens = new Set<string>();
  let wrong: string[] = [];

  const must = (holds: boolean, sentence: string) => {
    if (!holds) wrong.push(sentence);
  };
  const live = () => run === 'running' || run === 'planning';
  const budget = observeBudget({ must, lawful, reported, isOwed: (call) => owedNow().includes(call) });
  const byModel = (node: Watched) => models !== null && node.node.run === null;
  const get = (id: NodeId) => {
    const node = nodes.get(id);
    if (!node) throw new Error(`no node ${id}`);
    return node;
  };
  const all = () => [...nodes.values()];
  const isFinal = (node: Watched) => node.node.id === 'gn-final';
  const satisfied = (id: NodeId) => ['achieved', 'skipped'].includes(get(id).status);

  /** The earliest failed or blocked node upstream. */
  function holder(node: Watched): string | null {
    const upstream = new Set<NodeId>();
    const walk = (id: NodeId) => {
      if (upstream.has(id)) return;
      upstream.add(id);
      // What lies behind an end that was reached does not hold any more.
      if (get(id).status === 'open') get(id).node.deps.forEach(walk);
    };
    node.node.deps.forEach(walk);
    const stopped = all().find(
      (other) => upstream.has(other.node.id) && ['failed', 'blocked'].includes(other.status),
    );
    return stopped?.node.slug ?? null;
  }

  const isReady = (node: Watched) =>
    node.status === 'open' && !node.active && !node.parked && node.node.deps.every(satisfied);
  /** A model works in place: nothing may write beside it. */
  const overlap = (a: Watched, b: Watched) => byModel(a) || byModel(b) || scopesOverlap(a.node, b.node);

  function create(event: Extract<RunEvent, { type: 'run.created' }>) {
    must(run === 'none', 'a run is created twice');
    run = event.plan ? 'running' : 'planning';
    cap = event.concurrency;
    models = event.models;
    flow = event.flow;
    approve = event.approve;
    if (event.plan) setPlan(event.plan);
    time = passTime(newTime(event.limits, approve), event);
  }

  function setPlan(next: Plan) {
    plan = next;
    nodes = new Map(
      next.nodes.map((node) => {
        const old = nodes.get(node.id);
        return [node.id, { ...(old ?? fresh(node)), node, checks: node.checks.map((check) => check.run) }];
      }),
    );
  }

  /** The plan's checks, then every node's but the `once` ones, each once; none that only skipped nodes have. */
  function finals(): string[] {
    const kept = all().filter(({ status }) => status !== 'skipped');
    const open = new Set(kept.flatMap(({ node }) => node.checks.filter((c) => !c.once).map((c) => c.run)));
    const everyones = all().flatMap(({ node }) => node.checks.filter((c) => !c.once).map((c) => c.run));
    return [
      ...new Set([...(plan?.checks.map((c) => c.run) ?? []), ...everyones.filter((run) => open.has(run))]),
    ];
  }

  function start(event: NodeStarted) {
    const node = get(event.node);
    const { slug, deps } = node.node;
    must(run === 'running', `${slug} starts while the run is ${run}`);
    must(isReady(node), `${slug} starts while it is ${node.status}${node.active ? ' and in flight' : ''}`);
    for (const dep of deps)
      must(satisfied(dep), `${slug} starts before ${get(dep).node.slug} is achieved or skipped`);
    const active = all().filter((other) => other.active);
    must(active.length < cap, `${slug} starts as number ${active.length + 1} of at most ${cap}`);
    for (const other of active) {
      must(!overlap(node, other), `${slug} starts beside ${other.node.slug}, whose scope it overlaps`);
    }
    for (const other of all().slice(0, all().indexOf(node))) {
      const overtaken = isReady(other) && overlap(other, node);
      must(!overtaken, `${slug} overtakes ${other.node.slug}, whose scope it overlaps`);
    }
    must(event.epoch > voided, `${slug} starts in epoch ${event.epoch}, which is over`);
    const again = node.goal ? node.goal.phase === 'round' && node.goal.cut : node.cut && !node.worked;
    must(event.rerun === again, `${slug} starts with rerun ${String(event.rerun)}`);
    must(event.attempt === node.attempt, `${slug} starts attempt ${event.attempt}, not ${node.attempt}`);
    const due = deadlineOf(time);
    must(due === null || event.at < due, `${slug} starts at its run's deadline or after it`);
    if (isFinal(node)) node.checks = finals();
    if (node.walk) flows.walkGoesOn(node.walk);
    else if (flow) node.walk = flows.openWalk(flow);
    else if (models && byModel(node)) {
      const ownChecks = node.node.checks.length;
      node.goal ??= goals.openGoal({ models, final: isFinal(node), checks: node.checks.length, ownChecks });
    }
    node.active = true;
    node.begun = true;
    node.epoch = event.epoch;
  }

  function answer(event: WorkEnded | CheckEnded) {
    const node = get(event.node);
    const { slug, retries } = node.node;
    must(
      run === 'running' && owedBy(node).includes(keyOf(event)),
      `${slug}: nobody waits for ${keyOf(event)}`,
    );
    if (event.outcome === 'spawn' || event.outcome === 'aborted') {
      node.begun = false;
      return;
    }
    const green = event.outcome === 'exit' && event.exit === 0;
    if (node.goal && event.type === 'check.ended') {
      reuse(node, event, green);
      goals.checked(node.goal, event, node.checks[event.check] ?? '');
    } else if (event.type === 'work.ended') {
      node.worked = green;
      node.cut = false;
      if (!green && node.attempt <= retries) again(node);
      else if (!green) node.ends = [false];
    } else {
      reuse(node, event, green);
      // A person may have changed anything meanwhile: what was seen before stands on the same tree only.
      if (node.doubt && (event.tree === null || event.tree !== node.tree)) node.ends = [];
      Object.assign(node, { doubt: false, tree: event.tree, at: (node.at + 1) % node.checks.length });
      node.ends = [...node.ends, green];
      const over = node.ends.length === node.checks.length;
      if (over && node.ends.includes(false) && node.attempt <= retries) again(node);
    }
  }

  function reuse(node: Watched, event: CheckEnded, green: boolean) {
    const seen = `${event.tree ?? ''} ${node.checks[event.check] ?? ''}`;
    must(
      !event.reused || (isFinal(node) && event.tree !== null && greens.has(seen)),
      `${node.node.slug} reuses a check that was not green on this tree`,
    );
    if (green) greens.add(seen);
  }

  /** What a model did, or was told: each as its goal takes it. */
  function told(id: NodeId, key: string, tell: (goal: goals.ObservedGoal) => void) {
    const node = get(id);
    const { slug } = node.node;
    must(run === 'running' && owedBy(node).includes(key), `${slug}: nobody waits for ${key}`);
    must(node.goal !== null, `${slug} has no model, and ${key} ends`);
    if (node.goal) tell(node.goal);
  }

  function based(event: BaseEnded) {
    const { walk } = get(event.node);
    const key = modelKey(event, 'base');
    if (walk) {
      must(owedNow().includes(key), `nobody waits for ${key}`);
      flows.walkBased(walk);
    } else told(event.node, key, (goal) => goals.based(goal, event));
  }

  function moved(event: MoveEnded) {
    const { walk } = get(event.node);
    const key = modelKey(event, `move ${event.move}`);
    must(owedNow().includes(key), `nobody waits for ${key}`);
    must(walk !== null, `${key} ends, and no flow is followed`);
    if (walk) flows.walkMoved(walk, event, must);
  }

  function chosen(event: FlowChosen) {
    const { walk } = get(event.node);
    must(run === 'running' || run === 'paused', `${event.branch} is chosen while the run is ${run}`);
    must(walk !== null, `${event.branch} is chosen, and no flow is followed`);
    if (walk) flows.walkChosen(walk, event, { must, live: run === 'running' });
  }

  function paused(event: Extract<RunEvent, { type: 'run.paused' }>) {
    const { why } = event;
    const walk = all().find((node) => node.active)?.walk ?? null;
    if (walk && (why === 'stuck' || why === 'moves'))
      must(flows.stopOf(walk) === why, `paused (${why}), but the walk is ${walk.phase}`);
    else must(why !== 'moves', 'moves are used up where no flow is followed');
    if (why === 'stuck' && !walk)
      must(!all().some((n) => n.active || n.parked || isReady(n)), 'stuck with work to do');
    rest('paused');
  }

  function resumed(event: Extract<RunEvent, { type: 'run.resumed' }>) {
    must(run === 'paused', `the run is resumed while it is ${run}`);
    run = plan ? 'running' : 'planning';
    cap = event.concurrency;
    for (const { walk } of all()) if (walk && walk.limit !== null) walk.limit += event.moves;
    // A run may be paused before its flow has begun.
    if (flow && flow.maxMoves !== null) flow = { ...flow, maxMoves: flow.maxMoves + event.moves };
  }

  function park(event: Extract<RunEvent, { type: 'node.parked' }>) {
    const node = get(event.node);
    const { slug } = node.node;
    must(node.active && node.goal?.phase === 'parked', `${slug} is parked, but does not wait`);
    must(event.until === node.goal?.until, `${slug} is parked until ${event.until}`);
    Object.assign(node, { active: false, parked: true });
  }

  function again(node: Watched) {
    Object.assign(node, {
      attempt: node.attempt + 1,
      worked: false,
      begun: true,
      cut: false,
      at: 0,
      ends: [],
    });
  }

  function owedBy(node: Watched): readonly string[] {
    const fence = `${node.node.id} ${node.epoch}.${node.attempt}`;
    if (node.goal) {
      if (!node.active && !node.parked) return [];
      return goals.owedOf(node.goal).map((key) => `${fence} ${key}`);
    }
    if (!node.active) return [];
    if (node.walk) return flows.owedOfWalk(node.walk).map((key) => `${fence} ${key}`);
    if (node.node.run !== null && !node.worked) return [`${fence} work`];
    return node.ends.length < node.checks.length ? [`${fence} check ${node.at}`] : [];
  }

  function owedNow(): string[] {
    if (run === 'planning') return [`plan ${voided + 1}`];
    return run === 'running' ? all().flatMap(owedBy) : [];
  }

  function achieve(id: NodeId) {
    const node = get(id);
    const { slug } = node.node;
    must(node.status === 'open' && node.active, `${slug} is achieved while it is not in flight`);
    must(node.node.run === null || node.worked, `${slug} is achieved although its command did not exit 0`);
    if (node.walk) {
      must(node.walk.phase === 'end', `${slug} is achieved, but the walk stands at ${node.walk.at}`);
    } else if (node.goal) {
      const { end } = node.goal;
      must(end === 'achieved', `${slug} is achieved, but its goal is ${end ?? node.goal.phase}`);
      must(goals.standsProved(node.goal), `${slug} is achieved without green checks or without its panel`);
    } else {
      must(
        node.ends.length === node.checks.length && !node.ends.includes(false),
        `${slug} is achieved without every check green`,
      );
    }
    node.status = 'achieved';
    node.active = false;
  }

  function failed(event: Extract<RunEvent, { type: 'node.failed' }>) {
    const node = get(event.node);
    must(node.active, `${node.node.slug} fails while it is not in flight`);
    if (node.goal) {
      must(
        node.goal.end === event.why,
        `${node.node.slug} fails (${event.why}), but it is ${node.goal.end ?? ''}`,
      );
    } else {
      must(node.ends.includes(false), `${node.node.slug} fails although nothing fell short`);
      must(node.attempt > node.node.retries, `${node.node.slug} fails with attempts left`);
    }
    node.status = 'failed';
    node.active = false;
  }

  function rest(why: 'paused' | 'restored') {
    const unpaid = why === 'restored' && run === 'paused' && budget.open() > 0;
    must(live() || unpaid, `the run is ${why} while it is ${run}`);
    run = 'paused';
    voided++;
    for (const node of all()) {
      if (node.active && node.begun && node.node.run !== null && !node.worked) node.cut = true;
      if (node.goal && node.active) goals.cutGoal(node.goal);
      if (isFinal(node)) node.doubt = true;
      node.active = false;
    }
  }

  function blocked(event: Extract<RunEvent, { type: 'node.blocked' }>) {
    const node = get(event.node);
    const may = node.goal
      ? node.active && node.goal.end === event.why
      : node.cut && !node.worked && node.node.onCut === 'block';
    must(may, `${node.node.slug} is blocked (${event.why}), but has no reason to be`);
    Object.assign(node, { status: 'blocked', active: false });
  }

  /** Back to the start: the node itself, and everything that was built on it. */
  function reopen(id: NodeId) {
    voided++;
    const below = new Set<NodeId>([id]);
    for (const node of all()) {
      // A skipped node stands for itself: nothing reaches past it.
      if (node.status !== 'skipped' && node.node.deps.some((dep) => below.has(dep))) below.add(node.node.id);
    }
    for (const node of all()) {
      if (!below.has(node.node.id)) continue;
      // A dependent that never ended keeps how far it had come.
      if (node.node.id === id || node.status !== 'open')
        Object.assign(node, { ...fresh(node.node), checks: node.checks });
    }
  }

  function take(event: RunEvent): void {
    time = passTime(time, event);
    takeRun(event);
    budget.take(event, live());
  }

  function takeRun(event: RunEvent): void {
    switch (event.type) {
      case 'run.created':
        return create(event);
      case 'run.restored':
        return rest('restored');
      case 'run.paused':
        return paused(event);
      case 'run.resumed':
        return resumed(event);
      case 'run.planned':
        must(
          run === 'planning' && event.epoch === voided + 1,
          `a plan of ${event.epoch} while the run is ${run}`,
        );
        setPlan(event.plan);
        run = approve ? 'approval' : 'running';
        return;
      case 'plan.refused':
        return must(run === 'planning' && event.epoch === voided + 1, `a refusal of ${event.epoch}`);
      case 'run.approved':
        must(run === 'approval', `the plan is approved while the run is ${run}`);
        run = 'running';
        return;
      case 'base.ended':
        return based(event);
      case 'move.ended':
        return moved(event);
      case 'flow.chosen':
        return chosen(event);
      case 'brief.ended':
        return told(event.node, modelKey(event, 'brief'), (goal) => goals.briefed(goal, event));
      case 'round.ended':
        return told(event.node, modelKey(event, `round ${event.round}`), (goal) =>
          goals.rounded(goal, event),
        );
      case 'vote.ended': {
        const { verification, seat, ballot } = event;
        const key = modelKey(event, `vote ${verification}.${seat}.${ballot}`);
        return told(event.node, key, (goal) => goals.voted(goal, event));
      }
      case 'strategy.ended':
        return told(event.node, modelKey(event, `strategy ${event.round}`), goals.advised);
      case 'wake.ended': {
        const node = get(event.node);
        must(node.parked, `${node.node.slug} wakes, but is not parked`);
        told(event.node, modelKey(event, `wake ${event.round}`), goals.woken);
        node.parked = false;
        return;
      }
      case 'node.parked':
        return park(event);
      case 'effect.failed':
        return must(owedNow().includes(event.effect), `${event.effect} fails, but is not owed`);
      case 'run.completed':
        must(
          all().every((n) => n.status === 'achieved' || n.status === 'skipped'),
          'complete with an open node',
        );
        must(
          all().every((n) => !isFinal(n) || n.status === 'achieved'),
          'complete without the final verification',
        );
        run = 'complete';
        return;
      case 'run.cleared':
        run = 'cleared';
        for (const node of all()) node.active = false;
        return;
      case 'node.started':
        return start(event);
      case 'work.ended':
      case 'check.ended':
        return answer(event);
      case 'node.achieved':
        return achieve(event.node);
      case 'node.failed':
        return failed(event);
      case 'node.blocked':
        return blocked(event);
      case 'node.retried':
        must(
          get(event.node).status !== 'open' && get(event.node).status !== 'skipped',
          'an open node is retried',
        );
        return reopen(event.node);
      case 'node.skipped':
        must(flow === null, 'a flow is skipped');
        voided++;
        Object.assign(get(event.node), { status: 'skipped', active: false, parked: false });
        return;
      case 'node.edited': {
        must(flow === null, 'a flow is edited');
        const edited = get(event.node).node;
        const { spec, run: command, checks } = event;
        const node = {
          ...edited,
          spec: spec ?? edited.spec,
          run: command ?? edited.run,
          checks: checks ? checks.map((check) => ({ run: check, once: false })) : edited.checks,
        };
        reopen(event.node);
        if (plan)
          setPlan({ ...plan, nodes: plan.nodes.map((other) => (other.id === node.id ? node : other)) });
        return;
      }
      case 'late':
        must(
          !owedBy(get(event.node)).includes(lateKey(event)),
          `an answer that was awaited is called late: ${lateKey(event)}`,
        );
        return;
      default:
        // The ledger's, which the other observer takes, or a record.
        return;
    }
  }

  /** At the end of a transaction the graph has done all it could. */
  function settled() {
    budget.settled(live());
    for (const { node, status, cut, worked } of all()) {
      const waits = status === 'open' && cut && !worked && node.onCut === 'block';
      must(!waits, `${node.slug} was cut and must not run again, but is not blocked`);
    }
    if (run !== 'running') return;
    const active = all().filter((node) => node.active);
    must(active.length > 0 || all().some((node) => node.parked), 'the run goes on with nothing in flight');
    for (const node of active)
      must(owedBy(node).length > 0, `${node.node.slug} is in flight and owes nothing`);
    if (active.length >= cap) return;
    const ahead = active.slice();
    for (const node of all()) {
      if (!isReady(node)) continue;
      must(
        ahead.some((other) => overlap(other, node)),
        `${node.node.slug} could start and does not`,
      );
      ahead.push(node);
    }
  }

  return {
    batch(events) {
      wrong = [];
      for (const event of events) take(event);
      settled();
      return wrong;
    },
    owed: owedNow,
    statuses: () =>
      all().map((node) => {
        if (node.status !== 'open') return `${node.node.slug} ${node.status}`;
        if (node.active) return `${node.node.slug} running`;
        if (node.parked) return `${node.node.slug} parked`;
        const by = holder(node);
        return `${node.node.slug} ${by !== null ? `held by ${by}` : isReady(node) ? 'ready' : 'waiting'}`;
      }),
    running: live,
    unpaid: () => budget.open(),
    nodes: all,
  };
}

function fresh(node: PlanNode): Watched {
  return {
    node,
    checks: [],
    status: 'open',
    active: false,
    epoch: 0,
    attempt: 1,
    worked: false,
    begun: true,
    at: 0,
    tree: null,
    doubt: false,
    cut: false,
    goal: null,
    walk: null,
    parked: false,
    ends: [],
  };
}

function modelKey(
  { node, epoch, attempt }: Pick<RoundEnded, 'node' | 'epoch' | 'attempt'>,
  part: string,
): string {
  return `${node} ${epoch}.${attempt} ${part}`;
}

function keyOf(event: WorkEnded | CheckEnded): string {
  const fence = `${event.node} ${event.epoch}.${event.attempt}`;
  return event.type === 'work.ended' ? `${fence} work` : `${fence} check ${event.check}`;
}

function lateKey({ node, epoch, attempt, check }: Extract<RunEvent, { type: 'late' }>): string {
  return `${node} ${epoch}.${attempt} ${check === null ? 'work' : `check ${check}`}`;
}

/** Scopes here are folders and files without wildcards inside: cut, then compared piece by piece. */
function scopesOverlap(a: PlanNode, b: PlanNode): boolean {
  if (a.scope.length === 0 || b.scope.length === 0) return true;
  const pieces = (scope: string) => scope.replace('/**', '').split('/');
  return a.scope.some((left) =>
    b.scope.some((right) => {
      const [short, long] = [pieces(left), pieces(right)].sort((x, y) => x.length - y.length);
      return (short ?? []).every((piece, i) => piece === long?.[i]);
    }),
  );
}
