/** A round of the worker: it works until it claims, is blocked, waits, or stops. */

import { effectKey, type RoundCommand } from '../../contract/command.ts';
import type { Round } from '../../contract/goal.ts';
import { never } from '../../contract/never.ts';
import type { SessionId } from '../../contract/session-event.ts';
import type { Report, ReportStatus } from '../../contract/tool.ts';
import { reportTool } from '../../tool/report.ts';
import { compact } from '../compact.ts';
import { keepText } from '../prompts/keep.ts';
import { skillsPart } from '../prompts/skills.ts';
import { SYSTEM, workerNudge, workerPacket } from '../prompts/worker.ts';
import { playRound as playSession } from '../session.ts';
import type { SessionEnd } from '../session-spec.ts';
import { notLet, providerFailed } from './faults.ts';
import { depsOf, evidenceOf, goalFacts, type GoalFacts } from './goal-facts.ts';
import { keepWork } from './keep-work.ts';
import { workingTools } from './role-tools.ts';
import { roundSpec, sessionDeps } from './spec.ts';
import { failedEffect, type Played, type Playing, type World } from './world.ts';

export async function playRound(playing: Playing<RoundCommand>): Played {
  const { world, effect, signal, say } = playing;
  const facts = goalFacts(say.state(), effect);
  const { node, goal, final } = facts;
  const reports = reportTaker(world);
  const id: SessionId = { role: 'worker', node: node.id, born: goal.born, series: 1, seat: 1 };
  const spec = roundSpec({
    id,
    slug: node.slug,
    round: effect.round,
    final,
    by: world.worker,
    system: SYSTEM,
    ask: () => Promise.resolve(asked(facts, world)),
    tools: [...(await workingTools(world, { scope: node.scope, key: effectKey(effect) })), reports.tool],
    ending: (tool, args) => tool === 'report' && args['status'] !== NOTE,
    silent: ['report'],
    turns: goal.caps.turns,
    compact,
    keep: () => keepText({ ...told(facts), gaps: goal.gaps, evidence: evidenceOf(world.records, node.id) }),
  });
  const end = await playSession(sessionDeps(world, say, world.worker), spec, signal);
  if (end.type === 'cut') {
    await keepWork(playing, goal.base);
    return signal.aborted ? null : notLet(effect, end.detail);
  }
  const failed = end.type === 'failed' ? providerFailed(effect, end.fault, world.clock.now()) : null;
  if (failed) {
    await keepWork(playing, goal.base);
    return failed;
  }
  const tree = await world.shadow.snapshot();
  if (!tree.ok) return failedEffect(effectKey(effect), { why: 'infra', detail: tree.fault.message });
  const { node: of, epoch, attempt, round } = effect;
  const outcome = await outcomeOf(end, reports, signal);
  const { results } = end;
  return { type: 'round.ended', node: of, epoch, attempt, round, tree: tree.value, results, ...outcome };
}

const NOTE: ReportStatus = 'note';

/** What the worker is told at the beginning of the round. */
function asked(facts: GoalFacts, world: World): string {
  const { goal } = facts;
  const { round, why, gaps, suggestion, note } = goal;
  // The final node's first round, too, begins with gaps: its checks and skeptics come before any work.
  if (round > 1 && why !== 'start') {
    return workerNudge({ round, gaps, suggestion, why, detail: note });
  }
  const task = workerPacket({ ...told(facts), skipped: facts.skipped, deps: depsOf(facts, world.records) });
  const skills = skillsPart(world.skills);
  const packet = skills === null ? task : `${skills}\n\n${task}`;
  if (gaps.length === 0) return packet;
  return `${packet}\n\n${workerNudge({ round, gaps, suggestion, why: 'refuted', detail: note })}`;
}

function told({ plan, node, goal }: GoalFacts) {
  return { objective: plan.objective, node, brief: goal.brief };
}

type Outcome = Pick<Round, 'outcome' | 'report' | 'detail'>;

type Ended = Exclude<SessionEnd, { type: 'cut' }>;

async function outcomeOf(end: Ended, reports: ReportTaker, signal: AbortSignal): Promise<Outcome> {
  const nothing = (outcome: Round['outcome'], detail: string | null): Outcome => ({
    outcome,
    report: null,
    detail: detail === null ? null : detail.slice(0, MOST_DETAIL),
  });
  switch (end.type) {
    case 'ended':
      return reported(await reports.read(end.args, signal));
    case 'said':
      return nothing('none', end.text.trim() === '' ? 'It said nothing.' : end.text);
    case 'turns':
      return nothing('none', 'It used up the requests of this round.');
    case 'loop':
      return nothing('loop', end.detail);
    case 'failed':
      return nothing('failed', end.fault.message);
    default:
      return never(end);
  }
}

const MOST_DETAIL = 2_000;

function reported(report: Report | null): Outcome {
  switch (report?.status) {
    case 'done':
      return { outcome: 'claim', report, detail: null };
    case 'blocked':
      return { outcome: 'blocked', report, detail: null };
    case 'wait':
      return { outcome: 'wait', report, detail: null };
    case 'note':
    case undefined:
      return { outcome: 'none', report, detail: null };
  }
}

interface ReportTaker {
  readonly tool: ReturnType<typeof reportTool>;
  /** The report in arguments that were stored: after a restart the tool has not seen them. */
  read(args: unknown, signal: AbortSignal): Promise<Report | null>;
}

function reportTaker({ sandboxed }: World): ReportTaker {
  let last: Report | null = null;
  let discovered: readonly string[] = [];
  const take = (report: Report) => {
    // What was found early and only noted is not forgotten.
    discovered = [...new Set([...discovered, ...report.discovered])];
    last = { ...report, discovered };
  };
  const tool = reportTool(take, { processes: !sandboxed });
  return {
    tool,
    async read(args, signal) {
      await tool.run(args, signal);
      return last;
    },
  };
}
