/**
 * What the goal of a model's node must come to, worked out from its events alone: a second reading of the rules, that
 * shares no code with the machine. It knows gaps by name: the simulated skeptics and checks use no others.
 */

import type { CheckEnded } from '../../src/contract/event.ts';
import type { BaseEnded, BriefEnded, RoundEnded, VoteEnded } from '../../src/contract/goal-event.ts';
import type { ModelSettings } from '../../src/contract/settings.ts';

export type Phase = 'base' | 'brief' | 'round' | 'check' | 'vote' | 'strategy' | 'parked' | 'end';

interface Seat {
  readonly seat: number;
  readonly verdict: VoteEnded['verdict'];
  readonly gaps: readonly string[];
  readonly tree: string;
}

export interface ObservedGoal {
  phase: Phase;
  readonly final: boolean;
  readonly panel: number;
  readonly caps: ModelSettings['caps'];
  readonly brief: boolean;
  readonly checks: number;
  round: number;
  /** The round in flight was cut. */
  cut: boolean;
  tree: string | null;
  looked: boolean;
  /** How the last rounds running ended without anything new, blocked, failed. */
  idle: number;
  blocked: number;
  failed: number;
  /** Names of the gaps that are open; whether another way was asked for. */
  open: string;
  advised: boolean;
  /** Ends of the checks on this state of things. */
  ends: { readonly name: string; readonly green: boolean }[];
  verification: number;
  voting: boolean;
  ballot: number;
  /** How often the checks were seen again, because another tree was judged than they had. */
  rechecks: number;
  votes: Seat[];
  until: number;
  end: 'achieved' | 'cap' | 'no_progress' | 'turns' | 'claimed' | 'unverifiable' | 'infra' | null;
}

const DAY = 86_400_000;

export function openGoal(of: {
  readonly models: ModelSettings;
  readonly final: boolean;
  readonly checks: number;
  readonly ownChecks: number;
}): ObservedGoal {
  const { models, final, checks, ownChecks } = of;
  return {
    phase: 'base',
    final,
    panel: final ? models.panel.final : models.panel.node,
    caps: models.caps,
    brief: !final && ownChecks === 0,
    checks,
    round: 0,
    cut: false,
    tree: null,
    looked: false,
    idle: 0,
    blocked: 0,
    failed: 0,
    open: '',
    advised: false,
    ends: [],
    verification: 0,
    voting: false,
    ballot: 1,
    rechecks: 0,
    votes: [],
    until: 0,
    end: null,
  };
}

/** Keys of what it owes, without its fence. */
export function owedOf(goal: ObservedGoal): readonly string[] {
  switch (goal.phase) {
    case 'base':
    case 'brief':
      return [goal.phase];
    case 'round':
    case 'strategy':
      return [`${goal.phase} ${goal.round}`];
    case 'parked':
      return [`wake ${goal.round}`];
    case 'check':
      return [`check ${goal.ends.length}`];
    case 'vote':
      return Array.from({ length: goal.panel }, (_, i) => i + 1)
        .filter((seat) => !goal.votes.some((vote) => vote.seat === seat))
        .map((seat) => `vote ${goal.verification}.${seat}.${goal.ballot}`);
    case 'end':
      return [];
  }
}

export function based(goal: ObservedGoal, event: BaseEnded): void {
  goal.tree = event.tree;
  if (goal.brief) goal.phase = 'brief';
  else if (goal.final) judge(goal);
  else nextRound(goal);
}

export function briefed(goal: ObservedGoal, _: BriefEnded): void {
  nextRound(goal);
}

export function rounded(goal: ObservedGoal, event: RoundEnded): void {
  const { outcome, results, tree, report, at } = event;
  const changed = results > 0 || tree === null || tree !== goal.tree;
  if (results > 0) goal.looked = true;
  Object.assign(goal, { cut: false, tree: tree ?? goal.tree });
  goal.idle = changed ? 0 : goal.idle + 1;
  goal.blocked = outcome === 'blocked' ? goal.blocked + 1 : 0;
  goal.failed = outcome === 'failed' ? goal.failed + 1 : 0;
  if (outcome === 'loop') return over(goal, 'no_progress');
  if (outcome === 'blocked' && goal.blocked === 3) return over(goal, 'claimed');
  if (outcome === 'failed' && goal.failed === 3) return over(goal, 'turns');
  if (outcome === 'claim' && goal.looked && (changed || goal.open === '')) {
    goal.idle = 0;
    return judge(goal);
  }
  if (outcome !== 'wait') return nextRound(goal);
  goal.idle = 0;
  if (goal.round >= goal.caps.rounds) return over(goal, 'cap');
  const wait = report?.wait;
  goal.until = at + Math.min(DAY, wait?.kind === 'time' ? wait.ms : DAY);
  goal.phase = 'parked';
}

export function woken(goal: ObservedGoal): void {
  nextRound(goal);
}

/** `name`: the command, by which its gap is known. */
export function checked(goal: ObservedGoal, event: CheckEnded, name: string): void {
  const green = event.outcome === 'exit' && event.exit === 0;
  const how = event.outcome === 'signal' ? `signal ${event.detail ?? ''}` : event.outcome;
  goal.ends.push({ name: `${event.check} ${name} ${how}`, green });
  if (goal.ends.length < goal.checks) return;
  const red = goal.ends.filter((end) => !end.green).map((end) => end.name);
  if (red.length > 0) refuted(goal, red);
  else if (goal.voting) goal.phase = 'vote';
  else convene(goal);
}

export function voted(goal: ObservedGoal, event: VoteEnded): void {
  const { seat, verdict, gaps, tree } = event;
  goal.votes.push({ seat, verdict, gaps, tree });
  if (goal.votes.length < goal.panel) return;
  if (goal.checks > 0 && tree !== goal.tree && goal.rechecks < 2) {
    goal.rechecks++;
    goal.ballot++;
    Object.assign(goal, { phase: 'check', tree, ends: [], votes: [] });
    return;
  }
  // Only what was seen on the tree of the last vote counts.
  const readable = goal.votes.filter((vote) => vote.tree === tree && vote.verdict !== 'inconclusive');
  const yes = readable.filter((vote) => vote.verdict === 'achieved').length;
  const found = readable.flatMap((vote) => vote.gaps);
  if (yes > goal.panel / 2) return over(goal, 'achieved');
  if (found.length > 0) return refuted(goal, found);
  if (readable.some((vote) => vote.verdict === 'unverifiable')) return over(goal, 'unverifiable');
  if (goal.ballot - goal.rechecks === 3) return over(goal, 'infra');
  goal.ballot++;
  goal.votes = readable;
}

export function advised(goal: ObservedGoal): void {
  goal.advised = true;
  nextRound(goal);
}

/** A pause, or the death of its process. */
export function cutGoal(goal: ObservedGoal): void {
  if (goal.phase === 'round') goal.cut = true;
  if (goal.final && goal.checks > 0 && (goal.phase === 'check' || goal.phase === 'vote')) {
    goal.phase = 'check';
    goal.ends = [];
  }
}

/** The last thing it did was to see every check green, and its panel, if any, said yes by more than half. */
export function standsProved(goal: ObservedGoal): boolean {
  const green = goal.ends.length === goal.checks && goal.ends.every((end) => end.green);
  const tree = goal.votes.at(-1)?.tree;
  const yes = goal.votes.filter((vote) => vote.verdict === 'achieved' && vote.tree === tree).length;
  return green && (goal.panel === 0 || yes > goal.panel / 2);
}

function judge(goal: ObservedGoal): void {
  goal.ends = [];
  if (goal.checks > 0) goal.phase = 'check';
  else convene(goal);
}

function convene(goal: ObservedGoal): void {
  if (goal.panel === 0) return over(goal, 'achieved');
  if (goal.verification >= goal.caps.verifications) return over(goal, 'cap');
  goal.verification++;
  Object.assign(goal, { phase: 'vote', voting: true, ballot: 1, rechecks: 0, votes: [] });
}

function refuted(goal: ObservedGoal, gaps: readonly string[]): void {
  const open = [...new Set(gaps)].sort().join();
  const again = open === goal.open;
  const hopeless = again && goal.advised;
  Object.assign(goal, { open, advised: again && goal.advised, voting: false, votes: [] });
  if (hopeless) over(goal, 'no_progress');
  else if (again) goal.phase = 'strategy';
  else nextRound(goal);
}

function nextRound(goal: ObservedGoal): void {
  if (goal.idle >= 3) return over(goal, 'no_progress');
  if (goal.round >= goal.caps.rounds) return over(goal, 'cap');
  goal.round++;
  goal.phase = 'round';
}

function over(goal: ObservedGoal, end: NonNullable<ObservedGoal['end']>): void {
  goal.phase = 'end';
  goal.end = end;
}
