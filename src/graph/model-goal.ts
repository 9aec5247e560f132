/** How each event changes what the goal of a model's node remembers. Where it goes next is among it: `next`. */

import type { RoundEnded, VoteEnded } from '../contract/goal-event.ts';
import type { Gap, Vote } from '../contract/goal.ts';
import { never } from '../contract/never.ts';
import type { BlockedWhy, FailedWhy } from '../contract/status.ts';
import { gapPrint } from './gap-print.ts';
import { passed, wordsOfEnd } from './goal-machine.ts';
import type { Ballot, CheckSeen, ModelGoalContext, ModelGoalEvent, RoundWhy } from './model-goal-context.ts';
import { tally } from './tally.ts';

/** Rounds running after which there is no hope. */
const PATIENCE = 3;

/** How often a seat without a readable verdict is asked: once, and twice more. */
const BALLOTS = 3;

/** After so many the checks are taken to write something else each time. */
const RECHECKS = 2;

/** A worker waits no longer than a day, whatever it says. */
const LONGEST_WAIT = 24 * 60 * 60 * 1_000;

export function evolveModelGoal(context: ModelGoalContext, event: ModelGoalEvent): ModelGoalContext {
  switch (event.type) {
    case 'open': {
      const { epoch, final, checks, panel, caps, needsBrief } = event;
      return { ...context, born: epoch, epoch, final, checks, panel, caps, needsBrief, next: 'basing' };
    }
    case 'again':
      return { ...context, epoch: event.epoch };
    case 'unstarted':
      return context;
    case 'cut':
      return cutShort(context);
    case 'base.ended': {
      const based = { ...context, base: event.tree, tree: event.tree };
      if (context.needsBrief) return { ...based, next: 'briefing' };
      return context.final ? judge(based) : nextRound(based, 'start', null);
    }
    case 'brief.ended': {
      const briefed = { ...context, brief: event.brief };
      return context.final ? judge(briefed) : nextRound(briefed, 'start', null);
    }
    case 'round.ended':
      return afterRound(context, event);
    case 'check.ended':
      return afterCheck(context, event);
    case 'vote.ended':
      return afterVote(context, event);
    case 'strategy.ended':
      return nextRound({ ...context, suggestion: event.suggestion, strategized: true }, 'refuted', null);
    case 'wake.ended':
      return nextRound(context, 'woken', null);
    default:
      return never(event);
  }
}

/** The final verification must see every check and vote on one state of things; a person may change it meanwhile. */
function cutShort(context: ModelGoalContext): ModelGoalContext {
  const cut = { ...context, cut: true };
  const judging = context.next === 'checking' || context.next === 'verifying';
  if (!context.final || !judging) return cut;
  return context.checks > 0 ? judge(cut) : cut;
}

function afterRound(before: ModelGoalContext, event: RoundEnded): ModelGoalContext {
  const { outcome, report, tree, results, detail } = event;
  const moved = results > 0 || tree === null || tree !== before.tree;
  const context: ModelGoalContext = {
    ...before,
    cut: false,
    tree: tree ?? before.tree,
    results: before.results + results,
    suggestion: null,
    idle: moved ? 0 : before.idle + 1,
    blocked: outcome === 'blocked' ? before.blocked + 1 : 0,
    failed: outcome === 'failed' ? before.failed + 1 : 0,
  };
  switch (outcome) {
    case 'claim':
      return afterClaim({ ...context, claim: report }, moved);
    case 'wait':
      // With no round left there is nothing to wait for.
      if (context.round >= context.caps.rounds) return nextRound({ ...context, idle: 0 }, 'woken', null);
      return parked({ ...context, idle: 0 }, event);
    case 'loop':
      return ended(context, 'no_progress', detail ?? 'the same call again and again');
    case 'blocked':
      if (context.blocked >= PATIENCE) return ended(context, 'claimed', report?.summary ?? '');
      return nextRound(context, 'blocked', report?.summary ?? null);
    case 'failed':
      if (context.failed >= PATIENCE) return ended(context, 'turns', detail ?? '');
      return nextRound(context, 'failed', detail);
    case 'none':
      return nextRound(context, 'no_report', detail);
    default:
      return never(outcome);
  }
}

/** Nothing is judged that nothing was done for: neither talk alone, nor the same work again that was refuted. */
function afterClaim(context: ModelGoalContext, moved: boolean): ModelGoalContext {
  const text =
    context.results === 0
      ? 'The claim rests on no tool call at all: nothing was looked at, run or changed.'
      : !moved && context.gaps.length > 0
        ? 'Nothing was changed or looked at since the last claim was refuted.'
        : null;
  if (text === null) return judge({ ...context, idle: 0 });
  return nextRound(context, 'refuted', text);
}

function parked(context: ModelGoalContext, { at, report }: RoundEnded): ModelGoalContext {
  const wait = report?.wait ?? null;
  const ms = wait?.kind === 'time' ? Math.min(Math.ceil(wait.ms), LONGEST_WAIT) : LONGEST_WAIT;
  return {
    ...context,
    next: 'parked',
    note: report?.summary ?? null,
    until: at + ms,
    pid: wait?.kind === 'process' ? wait.pid : null,
  };
}

/** Checks first: they cost no token. Then the panel, if there is one. */
function judge(context: ModelGoalContext): ModelGoalContext {
  const fresh = { ...context, at: 0, red: [], redChecks: [], green: [] };
  return context.checks > 0 ? { ...fresh, next: 'checking' } : convene(fresh);
}

function convene(context: ModelGoalContext): ModelGoalContext {
  if (context.panel === 0) return { ...context, next: 'achieved' };
  if (context.verification >= context.caps.verifications) {
    const open = context.gaps.map(({ text }) => text).join('; ');
    return ended(context, 'cap', `not verified after ${context.verification} verifications: ${open}`);
  }
  const verification = context.verification + 1;
  return { ...context, next: 'verifying', verification, voting: true, ballot: 1, rechecks: 0, votes: [] };
}

function afterCheck(context: ModelGoalContext, event: CheckSeen): ModelGoalContext {
  const ok = passed(event);
  const gap: Gap = {
    from: 'check',
    text: `check \`${event.run}\`: ${wordsOfEnd(event)}\n${event.tail}`.trim(),
  };
  const seen: ModelGoalContext = {
    ...context,
    at: context.at + 1,
    green: context.final ? context.green : [...context.green, ok ? event.tree : null],
    red: ok ? context.red : [...context.red, gap],
    redChecks: ok ? context.redChecks : [...context.redChecks, event.check],
  };
  if (seen.at < seen.checks) return seen;
  if (seen.red.length > 0) return refuted(seen, seen.red);
  // Cut in the middle of a vote: the checks were only to be seen again.
  return seen.voting ? { ...seen, next: 'verifying' } : convene(seen);
}

function afterVote(context: ModelGoalContext, event: VoteEnded): ModelGoalContext {
  const { verdict, gaps, why, injection, seat, tree } = event;
  const votes = [...context.votes, { verdict, gaps, why, injection, seat, tree }];
  if (votes.length < context.panel) return { ...context, votes };
  if (context.checks > 0 && tree !== context.tree && context.rechecks < RECHECKS) {
    // What was checked is not what was judged: a check may have written something, or somebody else has.
    const { verification, ballot, rechecks } = context;
    const again = { ...judge({ ...context, tree }), verification, rechecks: rechecks + 1 };
    return { ...again, voting: true, ballot: ballot + 1, votes: [] };
  }
  const sound = votes.map((vote): Ballot => (vote.tree === tree ? vote : { ...vote, ...STALE }));
  const result = tally(sound);
  switch (result.type) {
    case 'achieved':
      return { ...context, votes: sound, next: 'achieved' };
    case 'refuted':
      return refuted(
        context,
        result.gaps.map((text): Gap => ({ from: 'skeptic', text })),
      );
    case 'unverifiable':
      return ended({ ...context, votes: sound }, 'unverifiable', result.why);
    case 'inconclusive': {
      const again = new Set(result.seats);
      const kept = sound.filter((_, at) => !again.has(at));
      if (context.ballot - context.rechecks >= BALLOTS)
        return ended({ ...context, votes: sound }, 'infra', noVerdict(sound));
      return { ...context, votes: kept, ballot: context.ballot + 1 };
    }
    default:
      return never(result);
  }
}

const STALE: Pick<Vote, 'verdict' | 'why' | 'gaps'> = {
  verdict: 'inconclusive',
  why: 'the tree was changed meanwhile',
  gaps: [],
};

function noVerdict(votes: readonly Vote[]): string {
  const why = votes.filter(({ verdict }) => verdict === 'inconclusive').map((vote) => vote.why);
  return `no verdict: ${why.join('; ')}`;
}

/** The same gaps twice running: another way is asked for, once. */
function refuted(context: ModelGoalContext, gaps: readonly Gap[]): ModelGoalContext {
  const text = gapPrint(gaps);
  // A print knows no numbers, but one check is not another.
  const print = [text, ...context.redChecks].join(' ');
  const same = text !== '' && print === context.print;
  const strategized = same && context.strategized;
  const open = { ...context, gaps, print, strategized, voting: false, votes: [] };
  if (!same) return nextRound(open, 'refuted', null);
  if (!context.strategized) return { ...open, next: 'strategizing' };
  return ended(open, 'no_progress', `the same gap came back: ${gaps[0]?.text ?? ''}`);
}

function nextRound(context: ModelGoalContext, why: RoundWhy, note: string | null): ModelGoalContext {
  if (context.idle >= PATIENCE) {
    return ended(context, 'no_progress', `${context.idle} rounds without a change or a new result`);
  }
  if (context.round >= context.caps.rounds) {
    const open = context.gaps.map(({ text }) => text).join('; ');
    return ended(context, 'cap', `not done after ${context.round} rounds${open ? `: ${open}` : ''}`);
  }
  return { ...context, next: 'working', round: context.round + 1, why, note };
}

const BLOCKED: ReadonlySet<string> = new Set<BlockedWhy>(['cut', 'infra', 'claimed', 'unverifiable']);

function ended(context: ModelGoalContext, why: FailedWhy | BlockedWhy, detail: string): ModelGoalContext {
  return { ...context, next: BLOCKED.has(why) ? 'blocked' : 'failed', end: { why, detail } };
}
