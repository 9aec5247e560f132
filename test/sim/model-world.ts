/**
 * The models of a simulated run: a provider that answers in its own time, as much as it likes within the law (or
 * beyond it), and roles that come to their ends. Every turn goes through the real ledger. What a role comes to depends
 * on names alone, as what a command comes to does; what it costs does not.
 */

import type { BudgetRequest, Usage } from '../../src/contract/budget.ts';
import { effectKey, type Effect, type SessionCommand } from '../../src/contract/command.ts';
import type { Fence } from '../../src/contract/command.ts';
import type { Answer } from '../../src/contract/event.ts';
import type { MoveEnded } from '../../src/contract/flow-event.ts';
import { ok } from '../../src/contract/fault.ts';
import type { Round, RoundOutcome, Vote } from '../../src/contract/goal.ts';
import { FINAL_NODE } from '../../src/contract/ids.ts';
import type { ModelFinal } from '../../src/contract/model.ts';
import type { Plan } from '../../src/contract/plan.ts';
import type { Role } from '../../src/contract/session-event.ts';
import type { ModelSettings } from '../../src/contract/settings.ts';
import type { Report } from '../../src/contract/tool.ts';
import { makeBank, type Grant } from '../../src/engine/bank.ts';
import type { Untimed } from '../../src/engine/drive.ts';
import type { Say } from '../../src/engine/say.ts';
import { firstInput, FLOOR, laterInput } from '../../src/kernel/ledger-room.ts';
import { named, type Random } from './random.ts';
import type { VirtualClock } from './virtual-clock.ts';

export type ModelEffect = Exclude<Effect, { type: 'work' | 'check' }>;

/** What is drawn for a run with models. */
export interface ModelKnobs {
  readonly models: ModelSettings;
  /** Whether a model writes the plan, and a person must approve it. */
  readonly planning: boolean;
  readonly approve: boolean;
  /** How often a call ends in the provider's own trouble. */
  readonly faults: number;
  /** Bills more than it may. */
  readonly rogue: boolean;
}

export interface ModelWorldOptions {
  readonly seed: number;
  readonly clock: VirtualClock;
  readonly random: Random;
  readonly knobs: ModelKnobs;
  /** What a planner writes. */
  readonly plan: Plan;
  readonly slugOf: (id: string) => string;
  readonly mended: (slug: string) => number;
  /** The tree as it is now, for this node; and another one. */
  readonly tree: (slug: string) => string;
  readonly change: (slug: string, round: number) => string;
  readonly wanted: () => readonly string[];
  readonly complain: (sentence: string) => void;
}

export interface ModelWorld {
  perform(
    effect: ModelEffect,
    of: { readonly signal: AbortSignal; readonly say: Say },
  ): Promise<Untimed<Answer> | null>;
  /** The last round of this node that was done. */
  round(slug: string): number;
  /** Whether a provider has reported just this of a call; each report counts once. */
  reported(usage: Usage): boolean;
}

const GAPS = ['alpha', 'beta'] as const;

/** How often a role comes to a good end: rounds and votes that do not are what there is to see. */
const LUCK = 0.65;

export function makeModelWorld(options: ModelWorldOptions): ModelWorld {
  const { seed, clock, random, knobs } = options;
  const { models } = knobs;
  const rounds = new Map<string, number>();
  const reports = new Map<string, number>();

  const sleep = (ms: number, signal: AbortSignal) =>
    new Promise<void>((resolve) => {
      const cancel = clock.at(clock.now() + ms, resolve);
      signal.addEventListener('abort', () => {
        cancel();
        clock.at(clock.now() + random.int(0, 200), resolve);
      });
    });

  /** One role's conversation. Null when it came to its end; `gone` when nobody wants it any more. */
  async function talk(
    effect: SessionCommand,
    role: Role,
    of: Talking,
  ): Promise<'gone' | ProviderFault | null> {
    const { signal, say } = of;
    const bank = makeBank(say);
    const turns = random.int(1, 4);
    let last = 0;
    for (let turn = 1; turn <= turns; turn++) {
      const request = requestOf(effect, role, { turn, last });
      const grant = await bank.ask(request, signal);
      if (!grant.go) return gone(signal, grant.message);
      if (signal.aborted) {
        grant.settle(NOT_SENT);
        return 'gone';
      }
      if (!options.wanted().includes(request.call)) options.complain(`${request.call} is sent unwanted`);
      await sleep(random.int(1, 400), signal);
      const end = isFired(signal) ? cutShort(random.chance(0.5)) : replyTo(request, grant);
      grant.settle(end);
      if (isFired(signal)) return 'gone';
      if (end.type === 'failed') return { why: 'provider', detail: end.fault.message };
      last = end.usage ? end.usage.input + end.usage.output : request.input.known + request.input.fresh;
      const refused = await tell(say, effect, { role, turn });
      if (refused) return 'gone';
    }
    return null;
  }

  function gone(signal: AbortSignal, message: string): 'gone' {
    if (!signal.aborted) options.complain(`a call is refused while it is wanted: ${message}`);
    return 'gone';
  }

  function requestOf(
    effect: SessionCommand,
    role: Role,
    { turn, last }: { readonly turn: number; readonly last: number },
  ): BudgetRequest {
    const judge = role === 'skeptic';
    // Skeptics ask at the same time: large ones wait, and small ones come after them.
    const bytes = judge ? random.pick([500, 3_000, 12_000]) : random.int(200, 5_000);
    return {
      call: effectKey(effect),
      role,
      model: judge ? models.verifier : models.worker,
      final: effect.type !== 'plan' && effect.node === FINAL_NODE,
      input:
        turn === 1
          ? firstInput(bytes)
          : laterInput({ lastReported: last, newBytes: bytes, newMessages: random.int(1, 3) }),
      maxOutput: random.pick([600, 4_096, 8_192]),
      floor: judge ? FLOOR.verdict : FLOOR.worker,
      price: judge ? models.prices.verifier : models.prices.worker,
    };
  }

  /** Input and output as they come, within the law or beyond it. */
  function replyTo(request: BudgetRequest, grant: Grant): ModelFinal {
    if (random.chance(knobs.faults)) {
      const retryAfter = random.chance(0.5) ? random.int(1, 5_000) : null;
      return { type: 'failed', fault: { code: 'rate', message: '429', retryAfter }, billable: false };
    }
    if (random.chance(knobs.faults)) return cutShort(true);
    const most = request.input.known + request.input.fresh;
    const beyond = knobs.rogue && random.chance(0.3) ? random.pick([1.2, 3]) : 1;
    const input = Math.floor(random.int(Math.ceil(most * 0.4), most) * beyond);
    const output = Math.floor(random.int(0, grant.maxOutput) * beyond);
    const usage: Usage = { input, cached: random.int(0, input), output };
    const message = { role: 'assistant', text: '', reasoning: null, calls: [] } as const;
    const told = random.chance(0.1) ? null : { ...usage, reasoning: 0 };
    if (told) reports.set(wordOf(usage), (reports.get(wordOf(usage)) ?? 0) + 1);
    return { type: 'done', message, finish: 'stop', usage: told };
  }

  /** The events of a turn and its tools; why they were refused, or null. */
  function tell(say: Say, effect: SessionCommand, { role, turn }: { role: Role; turn: number }) {
    const node = effect.type === 'plan' ? null : effect.node;
    const session = { role, node, born: 0, series: 1, seat: 'seat' in effect ? effect.seat : 1 };
    const round = 'round' in effect ? effect.round : 1;
    const common = { session, round, turn, messages: '0'.repeat(64) };
    void say.store((_, at) =>
      ok({
        type: 'turn.ended',
        at,
        ...common,
        finish: 'tools',
        usage: null,
        sent: 1,
        same: 0,
        calls: ['bash'],
      }),
    );
    const results = [{ name: 'bash', line: 'ok', hash: '0'.repeat(16), ok: true }];
    return say.store((_, at) => ok({ type: 'tools.ended', at, ...common, results }));
  }

  async function wake(effect: Extract<Effect, { type: 'wake' }>, signal: AbortSignal) {
    const { node, epoch, attempt, round, until, pid } = effect;
    const due = pid === null ? until : Math.min(until, clock.now() + random.int(1, 2_000));
    await sleep(Math.max(0, due - clock.now()), signal);
    return signal.aborted ? null : ({ type: 'wake.ended', node, epoch, attempt, round } as const);
  }

  function roundOf(slug: string, round: number): Round {
    const fate = named(seed, slug, 'round', options.mended(slug), round);
    rounds.set(slug, round);
    const moves = fate.chance(0.7);
    const results = fate.chance(0.75) ? fate.int(1, 4) : 0;
    const outcome = fate.chance(LUCK) ? 'claim' : fate.pick(OTHER_ENDS);
    const tree = moves ? options.change(slug, round) : options.tree(slug);
    return { outcome, report: reportOf(outcome, fate), tree, results, detail: null };
  }

  function voteOf(effect: Extract<Effect, { type: 'vote' }>, slug: string): Vote {
    const { verification, seat, ballot } = effect;
    const fate = named(seed, slug, 'vote', options.mended(slug), verification, seat, ballot);
    const verdict = fate.chance(LUCK) ? 'achieved' : fate.pick(OTHER_VERDICTS);
    // Most skeptics of a node find the same thing.
    const usual = named(seed, slug, 'gap').pick(GAPS);
    const gaps = verdict === 'refuted' ? [fate.chance(0.9) ? usual : fate.pick(GAPS)] : [];
    return { verdict, gaps, why: verdict, injection: null };
  }

  /** What an agent comes to at a step: its branches are called by letters, and it may name one that is none. */
  function moveOf(
    step: string,
    move: number,
  ): Omit<MoveEnded, 'type' | 'at' | keyof Fence | 'move' | 'step'> {
    const fate = named(seed, step, 'move', move);
    // At some steps it hardly ever comes to anything.
    const dull = named(seed, step, 'dull').chance(0.25);
    const outcome = fate.chance(dull ? 0.3 : 0.85) ? 'said' : fate.pick(['short', 'failed'] as const);
    const choice = outcome === 'said' && fate.chance(0.9) ? fate.pick(['a', 'b', 'c', '']) : null;
    return { outcome, choice, tree: options.change('flow', move), detail: null };
  }

  async function session(effect: SessionCommand, of: Talking): Promise<Untimed<Answer> | null> {
    const failed = await talk(effect, ROLES[effect.type], of);
    if (failed === 'gone') return null;
    if (failed) {
      const resetAt = random.chance(0.5) ? clock.now() + random.int(0, 5_000) : null;
      return { type: 'effect.failed', effect: effectKey(effect), ...failed, resetAt };
    }
    if (effect.type === 'plan') {
      const { epoch } = effect;
      if (random.chance(knobs.faults * 2)) return { type: 'plan.refused', epoch, faults: ['a', 'b'] };
      return { type: 'run.planned', epoch, plan: options.plan, warnings: [] };
    }
    const { node, epoch, attempt } = effect;
    const fence = { node, epoch, attempt };
    const slug = options.slugOf(node);
    switch (effect.type) {
      case 'brief':
        return { type: 'brief.ended', ...fence, brief: null, detail: null };
      case 'round':
        return { type: 'round.ended', ...fence, round: effect.round, ...roundOf(slug, effect.round) };
      case 'move': {
        const { move, step } = effect;
        return { type: 'move.ended', ...fence, move, step, ...moveOf(step, move) };
      }
      case 'strategy':
        return { type: 'strategy.ended', ...fence, round: effect.round, suggestion: 'another way' };
      case 'vote': {
        const { verification, seat, ballot } = effect;
        const tree = options.tree(slug);
        return { type: 'vote.ended', ...fence, verification, seat, ballot, tree, ...voteOf(effect, slug) };
      }
    }
  }

  return {
    round: (slug) => rounds.get(slug) ?? 0,
    reported(usage) {
      const left = reports.get(wordOf(usage)) ?? 0;
      reports.set(wordOf(usage), left - 1);
      return left > 0;
    },
    async perform(effect, of) {
      if (effect.type === 'wake') return wake(effect, of.signal);
      if (effect.type !== 'base') return session(effect, of);
      const { node, epoch, attempt } = effect;
      await sleep(random.int(1, 100), of.signal);
      const tree = options.tree(options.slugOf(node));
      return of.signal.aborted ? null : { type: 'base.ended', node, epoch, attempt, tree };
    },
  };
}

function wordOf({ input, cached, output }: Usage): string {
  return `${input} ${cached} ${output}`;
}

/** A call, because the compiler takes what it has seen of a signal for lasting. */
function isFired(signal: AbortSignal): boolean {
  return signal.aborted;
}

interface Talking {
  readonly signal: AbortSignal;
  readonly say: Say;
}

interface ProviderFault {
  readonly why: 'provider';
  readonly detail: string;
}

const NOT_SENT: ModelFinal = {
  type: 'failed',
  fault: { code: 'aborted', message: 'not sent' },
  billable: false,
};

function cutShort(billable: boolean): ModelFinal {
  return { type: 'failed', fault: { code: 'cut', message: 'the stream broke off' }, billable };
}

const ROLES: Readonly<Record<SessionCommand['type'], Role>> = {
  plan: 'planner',
  brief: 'briefer',
  round: 'worker',
  vote: 'skeptic',
  strategy: 'strategist',
  move: 'agent',
};

const OTHER_ENDS: readonly RoundOutcome[] = [
  'none',
  'none',
  'none',
  'blocked',
  'wait',
  'wait',
  'failed',
  'loop',
];
const OTHER_VERDICTS: readonly Vote['verdict'][] = [
  'refuted',
  'refuted',
  'refuted',
  'refuted',
  'inconclusive',
  'unverifiable',
];

function reportOf(outcome: RoundOutcome, fate: Random): Report | null {
  if (outcome === 'none' || outcome === 'loop' || outcome === 'failed') return null;
  const status = outcome === 'claim' ? 'done' : outcome;
  const time = { kind: 'time', ms: fate.int(1, 4_000) } as const;
  const wait = outcome !== 'wait' ? null : fate.chance(0.2) ? ({ kind: 'process', pid: 7 } as const) : time;
  return { status, summary: outcome, evidence: [], discovered: [], wait };
}
