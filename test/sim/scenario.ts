/** One seed: a plan, a machine, a person, and whatever goes wrong between them, held to every invariant. */

import { effectKey } from '../../src/contract/command.ts';
import type { RunEvent } from '../../src/contract/event.ts';
import { ok } from '../../src/contract/fault.ts';
import type { FlowRun } from '../../src/contract/flow.ts';
import { NO_LIMITS } from '../../src/contract/limits.ts';
import type { Plan } from '../../src/contract/plan.ts';
import { NOTHING_ADDED, type Request } from '../../src/contract/request.ts';
import { proposalOf, watchInbox } from '../../src/engine/control.ts';
import { drive, type Drive } from '../../src/engine/drive.ts';
import type { Proposal } from '../../src/engine/say.ts';
import { loadRun } from '../../src/engine/load.ts';
import { openings } from '../../src/engine/restore.ts';
import { flowPlan } from '../../src/graph/flow-plan.ts';
import { owed } from '../../src/graph/owed.ts';
import { applyRun } from '../../src/graph/run.ts';
import { NO_RUN, plainState, type RunState } from '../../src/graph/run-state.ts';
import { deadline } from '../../src/kernel/ledger.ts';
import { nodeAt } from '../../src/graph/plan-index.ts';
import { planOf } from '../../src/graph/graph-context.ts';
import { cellAt } from '../../src/graph/table.ts';
import { viewOf } from '../../src/graph/view.ts';
import type { RunView } from '../../src/contract/view.ts';
import { memoryStore, type MemoryProcess } from '../../src/store/memory-store.ts';
import { drawFlow, followed } from './draw-flow.ts';
import { drawModels, limitsFor } from './draw-models.ts';
import { askedAtRest, meddleInFlow } from './flow-person.ts';
import type { ModelKnobs } from './model-world.ts';
import { amissInFlow } from './observed-flow.ts';
import { observe } from './observer.ts';
import { randomPlan } from './plans.ts';
import { pollClock, type PollClock } from './poll-clock.ts';
import { seeded, type Random } from './random.ts';
import { virtualClock } from './virtual-clock.ts';
import { makeWorld } from './world.ts';

export interface Knobs {
  readonly seed: number;
  readonly maxNodes: number;
  /** How much goes wrong: crashes, faults of the disk, slow appends, pauses. */
  readonly trouble: number;
  /** Whether a person also retries, skips, edits and gives up, and whether time runs out. */
  readonly meddling: boolean;
  readonly concurrency?: number;
  /** Whether models work on nodes without a command. */
  readonly byModel?: boolean;
  /** Whether one of them follows a chart, instead of working on a plan. */
  readonly byChart?: boolean;
}

export interface Told {
  readonly wrong: readonly string[];
  /** `slug status` of every node at the end, every step that a flow came to, and the run's status last. */
  readonly end: readonly string[];
  readonly events: number;
  readonly crashes: number;
}

const RUN = 'r';
const START = 1_800_000_000_000;
/** A run that is not at its end after this many turns hangs. */
const TURNS = 60_000;
/** How often the person comes back. Where trees cannot be told, each cut makes the final verification see all again. */
const INTERVENTIONS = 200;

export async function scenario(knobs: Knobs): Promise<Told> {
  const random = seeded(knobs.seed);
  if (knobs.byChart) {
    const flow = drawFlow(seeded(knobs.seed ^ 0x1b873593), { ...knobs, maxSteps: knobs.maxNodes });
    const plan = flowPlan(flow, { description: flow.name, objective: 'simulate' });
    return new Simulation(knobs, random, { plan, flow }).run();
  }
  const plan = randomPlan(seeded(knobs.seed ^ 0x5bd1e995), {
    maxNodes: knobs.maxNodes,
    mayBlock: knobs.meddling,
    byModel: knobs.byModel ?? false,
  });
  return new Simulation(knobs, random, { plan, flow: null }).run();
}

interface Work {
  readonly plan: Plan;
  /** The chart that the plan's only node follows. */
  readonly flow: FlowRun | null;
}

/** Everything that one seed holds in its hands. */
class Simulation {
  private readonly clock = virtualClock(START);
  private readonly observer;
  private readonly models: ModelKnobs | null;
  private readonly wrong: string[] = [];
  private readonly store;
  private readonly world;
  private readonly concurrency: number;
  private seen = 0;
  private folded: RunState = NO_RUN;
  private process: MemoryProcess | null = null;
  private driving: Drive | null = null;
  private inbox: PollClock | null = null;
  private alive = false;
  private crashes = 0;
  private interventions = 0;
  private readonly knobs: Knobs;
  private readonly random: Random;
  private readonly plan: Plan;
  private readonly flow: FlowRun | null;

  constructor(knobs: Knobs, random: Random, { plan, flow }: Work) {
    this.knobs = knobs;
    this.random = random;
    this.plan = plan;
    this.flow = flow;
    const models = knobs.byModel ? drawModels(seeded(knobs.seed ^ 0x2545f491), knobs) : null;
    this.models = models && flow ? followed(models) : models;
    this.observer = observe({
      lawful: this.models?.rogue !== true,
      reported: (usage) => this.world.reported(usage),
    });
    const drawn = random.int(1, 4);
    this.concurrency = knobs.concurrency ?? (this.models && drawn > 1 ? Math.max(3, drawn) : drawn);
    this.store = memoryStore({ fate: () => this.fate() });
    this.world = makeWorld({
      seed: knobs.seed,
      plan,
      clock: this.clock,
      random,
      luck: 0.85,
      spawnFaults: knobs.meddling ? 0.01 : 0,
      trees: knobs.meddling,
      slots: () => this.concurrency,
      wanted: () => this.observer.owed(),
      complain: (sentence) => this.wrong.push(sentence),
      models: this.models,
    });
  }

  async run(): Promise<Told> {
    this.begin(NO_RUN, 0, [(_, at) => ok(this.created(at))]);
    for (let turn = 0; ; turn++) {
      if (this.wrong.length > 0) break;
      if (turn === TURNS) this.wrong.push('the run does not come to rest');
      const more = await this.clock.tick();
      this.look();
      if (this.driving === null && !this.person()) break;
      else if (!more && this.driving !== null) {
        this.wrong.push('the run hangs: it is not at rest, and nothing is going to happen');
      }
    }
    await this.reload();
    const statuses = this.observer.statuses();
    return {
      wrong: this.wrong,
      end: [...statuses, ...(this.walk()?.trail ?? []), this.folded.graph.value],
      events: this.seen,
      crashes: this.crashes,
    };
  }

  private walk() {
    return this.observer.nodes()[0]?.walk ?? null;
  }

  private created(at: number): RunEvent {
    const most = this.models ? 6_000 : 3_000;
    const maxTime = this.knobs.meddling && this.random.chance(0.6) ? this.random.int(200, most) : null;
    return {
      type: 'run.created',
      at,
      run: RUN,
      machine: 1,
      objective: this.plan.objective,
      plan: this.models?.planning ? null : this.plan,
      models: this.models?.models ?? null,
      flow: this.flow,
      approve: this.models?.approve ?? false,
      workspace: '/w',
      concurrency: this.concurrency,
      limits: {
        ...NO_LIMITS,
        maxTime,
        ...(this.models ? limitsFor(this.random, this.models, this.knobs) : {}),
      },
    };
  }

  /** A new process takes the run over. */
  private begin(state: RunState, version: number, first: readonly Proposal[]) {
    const process = this.store.open();
    const owner = process.lease.take(RUN);
    if (!owner.ok) throw new Error('the lease is not free');
    this.world.endAll();
    this.process = process;
    this.alive = true;
    const alive = () => this.process === process && this.alive;
    const clock = this.clock.forProcess(alive);
    const driving = drive({
      run: RUN,
      state,
      version,
      log: process.log,
      clock,
      perform: this.world.performer(alive),
      slots: this.concurrency,
      onStored: (events, live) => {
        this.look();
        if (plainState(live) !== plainState(this.folded))
          this.wrong.push('what is folded is not what is live');
        this.disturb(events.length);
      },
    });
    this.driving = driving;
    this.inbox = pollClock({
      ...clock,
      at: (at, call) => clock.at(at, () => this.driving === driving && call()),
    });
    watchInbox({
      run: RUN,
      epoch: owner.value.epoch,
      inbox: process.inbox,
      clock: this.inbox.clock,
      drive: driving,
      parse: (text) => JSON.parse(text) as Request,
    });
    for (const proposal of first) driving.propose(proposal);
    void driving.ended.then((ended) => {
      if (!alive()) return;
      if (ended.ok && this.world.alive() > 0) this.wrong.push('a command outlives the process that ran it');
      if (ended.ok && this.observer.unpaid() > 0) this.wrong.push('a call is neither paid nor given back');
      this.leave();
      process.close();
    });
  }

  private leave() {
    this.alive = false;
    this.process = null;
    this.driving = null;
  }

  private crash() {
    if (!this.process) return;
    this.crashes++;
    this.process.kill();
    this.leave();
  }

  /** What becomes of an append. */
  private fate() {
    const { random, knobs } = this;
    const p = knobs.trouble;
    if (random.chance(p * 0.05)) {
      const crash = random.pick(['before', 'after'] as const);
      this.clock.at(this.clock.now(), () => this.crash());
      return { crash };
    }
    if (random.chance(p * 0.02)) {
      const fault = { code: 'store_full', message: 'simulated' } as const;
      return { fault, stored: random.chance(0.5) };
    }
    // Where a slow disk meets the deadline it shows whether the run keeps it.
    const due = this.folded.ledger && deadline(this.folded.ledger);
    const left = due === null ? Infinity : due - this.clock.now();
    const near = left >= 0 && left < 1_000;
    if (random.chance(p * (near ? 0.9 : 0.3))) {
      const delay = near ? left + random.int(0, 200) : random.int(1, 400);
      return new Promise<'store'>((resolve) =>
        this.clock.at(this.clock.now() + delay, () => resolve('store')),
      );
    }
    return 'store' as const;
  }

  /** Now and then something happens to a run that goes on. */
  private disturb(events: number) {
    const { random, knobs, clock } = this;
    if (events === 0) return;
    const later = clock.now() + random.int(0, 600);
    if (random.chance(knobs.trouble * 0.05)) clock.at(later, () => this.crash());
    if (random.chance(knobs.trouble * 0.05)) clock.at(later, () => this.ask({ type: 'pause', by: 'person' }));
    if (knobs.meddling && random.chance(0.12)) clock.at(later, () => this.ask(this.meddle()));
  }

  /** A person asks from this terminal or another one. */
  private ask(request: Request) {
    if (!this.driving) return;
    if (this.random.chance(0.5)) {
      this.driving.propose(proposalOf(request));
      return;
    }
    const other = this.store.open();
    const holder = other.lease.holder();
    const epoch = holder.ok ? holder.value?.epoch : undefined;
    if (epoch === undefined) return;
    void other.inbox.post({ run: RUN, epoch, request: JSON.stringify(request) });
    this.inbox?.wake();
  }

  private meddle(): Request {
    const { random } = this;
    if (this.flow) return meddleInFlow(random);
    const active = this.observer.nodes().filter((one) => one.active);
    // What is at work is what there is to disturb.
    const node =
      active.length > 0 && random.chance(0.4)
        ? random.pick(active).node.slug
        : random.pick(this.plan.nodes).slug;
    this.world.mend(node);
    const kind = random.int(0, 9);
    if (kind < 4) return { type: 'retry', node };
    if (kind < 6) return { type: 'skip', node };
    const said = this.models && random.chance(0.7);
    if (kind < 9 && said) return { type: 'edit', node, spec: 'do it otherwise', run: null, checks: null };
    if (kind < 9) return { type: 'edit', node, spec: null, run: `edited-${random.int(0, 9)}`, checks: null };
    return { type: 'clear' };
  }

  /** The person comes back to a run that rests, or whose process died. False: they leave it at that. */
  private person(): boolean {
    // What a new process folds from the journal; `reload` holds it to that, once, for it is most of the work.
    const [state, version] = [this.folded, this.seen];
    const { value, context } = state.graph;
    if (value === 'complete' || value === 'cleared') return false;
    if (this.interventions++ >= INTERVENTIONS) return false;
    if (this.models && this.knobs.meddling && this.random.chance(0.3)) this.world.touch();
    if (value === 'approval') return this.again(state, version, this.approval(state));
    if (value === 'unplanned') return this.again(NO_RUN, 0, [(_, at) => ok(this.created(at))]);
    if (this.flow) return this.follow(state, version);
    if (context.paused?.why !== 'stuck' || value === 'running') {
      const add = { ...NOTHING_ADDED, ...this.more(state) };
      return this.again(
        state,
        version,
        openings(state, { type: 'resume', add, concurrency: null, models: null }),
      );
    }
    if (!this.knobs.meddling) return false;
    const failed = this.observer
      .nodes()
      .filter(({ status }) => status === 'failed' || status === 'blocked')
      .map(({ node }) => node.slug);
    // What the final verification found red is mended at its root, or the verification is just tried again.
    const red = context.red.map((id) => this.plan.nodes.find((node) => node.id === id)?.slug ?? '');
    const retries = failed.includes('gn-final') && red.length > 0 && this.random.chance(0.6) ? red : failed;
    for (const slug of retries) this.world.mend(slug);
    const first = retries.map((node): Request =>
      this.random.chance(0.8) || node === 'gn-final' ? { type: 'retry', node } : { type: 'skip', node },
    );
    return this.again(state, version, [
      ...first.flatMap((request, i) => (i === 0 ? openings(state, request) : [proposalOf(request)])),
      proposalOf({ type: 'resume', add: NOTHING_ADDED, concurrency: null, models: null }),
    ]);
  }

  /** The person comes back to a flow. */
  private follow(state: RunState, version: number): boolean {
    const { random, knobs } = this;
    const why = state.graph.context.paused?.why;
    const moves = this.walk()?.asked ?? 0;
    const asked = askedAtRest({ random, meddling: knobs.meddling, why, moves, more: this.more(state) });
    const first = asked?.flatMap((one, i) => (i === 0 ? openings(state, one) : [proposalOf(one)]));
    return first !== undefined && this.again(state, version, first);
  }

  /** Yes; or first another word, or no. */
  private approval(state: RunState): readonly Proposal[] {
    const yes: Request = { type: 'approve' };
    if (!this.knobs.meddling) return openings(state, yes);
    const other = this.meddle();
    return this.random.chance(0.6) ? openings(state, yes) : [...openings(state, other), proposalOf(yes)];
  }

  /** What a person adds to a run that paused for want of it. */
  private more({ graph, ledger }: RunState) {
    const why = graph.context.paused?.why;
    const limits = ledger?.limits;
    if (why !== 'budget' || !limits)
      return { maxTime: why === 'deadline' ? (this.models ? 4_000 : 1_000) : null };
    const { random } = this;
    return {
      tokens: limits.tokens === null ? null : random.int(10_000, 60_000),
      cost: limits.cost === null ? null : random.int(20_000, 100_000),
    };
  }

  private again(state: RunState, version: number, first: readonly Proposal[]): boolean {
    this.clock.at(this.clock.now() + this.random.int(0, 1_000), () => this.begin(state, version, first));
    // Nobody drives until then, and the person does not come twice.
    this.driving = WAITING;
    return true;
  }

  /** Takes in what was stored since, and holds it to the invariants. */
  private look() {
    const bodies = this.store.bodies(RUN).slice(this.seen);
    if (bodies.length === 0) return;
    this.seen += bodies.length;
    const events = bodies.map((body) => JSON.parse(body) as RunEvent);
    this.wrong.push(...this.observer.batch(events));
    for (const event of events) {
      const applied = applyRun(this.folded, event);
      if (!applied.ok) this.wrong.push(`a stored event is refused: ${applied.why}`);
      else this.folded = applied.next;
    }
    const wanted = owed(this.folded).map(effectKey).sort().join();
    if (wanted !== this.observer.owed().sort().join()) this.wrong.push(`owed is ${wanted}`);
    const shown = statusesOf(this.folded).join(', ');
    const expected = this.observer.statuses().join(', ');
    if (shown !== expected) this.wrong.push(`statuses are ${shown}; they should be ${expected}`);
  }

  /** As a new process does it, from the journal and in one go: the same state as event by event. */
  private async reload() {
    const process = this.store.open();
    const loaded = await loadRun(process.log, RUN);
    process.close();
    if (!loaded.ok) {
      if (loaded.fault.code !== 'no_run' || this.seen > 0) this.wrong.push(loaded.fault.message);
    } else if (
      loaded.value.version !== this.seen ||
      plainState(loaded.value.state) !== plainState(this.folded)
    ) {
      this.wrong.push('what is restored is not what was folded');
    } else {
      const view = viewOf(loaded.value.created, loaded.value.state, loaded.value.records);
      const walk = this.walk();
      this.wrong.push(...amissIn(view));
      if (walk && view.status !== 'cleared') this.wrong.push(...amissInFlow(walk, view.flow));
    }
  }
}

/** What a person who looks at the run would miss. */
function amissIn({ nodes }: RunView): readonly string[] {
  return nodes.flatMap(({ slug, status, reason, goal }) => {
    const needsReason = ['failed', 'blocked', 'held', 'parked'].includes(status);
    const openGap = status === 'achieved' && goal?.gaps.some((gap) => gap.state === 'open');
    return [
      ...(needsReason && reason === null ? [`${slug} is ${status}, and nobody says why`] : []),
      ...(openGap ? [`${slug} is achieved, and a gap of it is shown as open`] : []),
    ];
  });
}

/** Stands for a process that is about to begin. */
const WAITING: Drive = {
  propose: () => undefined,
  state: () => NO_RUN,
  ended: new Promise(() => undefined),
};

function statusesOf(state: RunState): readonly string[] {
  const { context } = state.graph;
  if (!context.plan) return [];
  return planOf(context).nodes.map((node, place) => {
    const cell = cellAt(context.table, place);
    const held = cell.by === null ? '' : ` by ${nodeAt(planOf(context), cell.by).slug}`;
    return `${node.slug} ${cell.status}${held}`;
  });
}
