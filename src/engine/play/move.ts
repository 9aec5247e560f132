/** A move of a flow: the agent is asked for one step of the chart, in the conversation of all steps before. */

import { effectKey, type MoveCommand } from '../../contract/command.ts';
import type { MoveEnded } from '../../contract/flow-event.ts';
import { never } from '../../contract/never.ts';
import type { SessionId } from '../../contract/session-event.ts';
import { lastChoice } from '../../flow/choice.ts';
import { stepAt, targetOf, type FlowGoalContext } from '../../graph/flow-goal.ts';
import { isFlowGoal } from '../../graph/goals.ts';
import { planOf } from '../../graph/graph-context.ts';
import { nodeAt } from '../../graph/plan-index.ts';
import { compact } from '../compact.ts';
import { keepMove, movePrompt, SYSTEM } from '../prompts/agent.ts';
import { skillsPart } from '../prompts/skills.ts';
import { playRound as playSession } from '../session.ts';
import type { SessionEnd } from '../session-spec.ts';
import type { Say } from '../say.ts';
import { notLet, providerFailed } from './faults.ts';
import { keepWork } from './keep-work.ts';
import { workingTools } from './role-tools.ts';
import { roundSpec, sessionDeps } from './spec.ts';
import { failedEffect, type Played, type Playing } from './world.ts';

export async function playMove(playing: Playing<MoveCommand>): Played {
  const { world, effect, signal, say } = playing;
  const { goal, args, turns, slug } = factsOf(say, effect);
  const { why, note, born, base } = goal;
  const id: SessionId = { role: 'agent', node: effect.node, born, series: 1, seat: 1 };
  // The first move may have been cut before anything was said.
  const isFirst = !world.index.of(id).some(({ round }) => round < effect.move);
  const asked = movePrompt({ step: stepAt(goal, effect.step), why, note, args: isFirst ? args : '' });
  const skills = isFirst ? skillsPart(world.skills) : null;
  const prompt = skills === null ? asked : `${skills}\n\n${asked}`;
  const spec = roundSpec({
    id,
    slug,
    round: effect.move,
    final: true,
    by: world.worker,
    system: SYSTEM,
    ask: () => Promise.resolve(prompt),
    tools: await workingTools(world, { scope: [], key: effectKey(effect) }),
    apart: true,
    turns,
    compact,
    keep: () => keepMove(asked, { args: isFirst ? '' : args, skills: skillsPart(world.skills) }),
  });
  const end = await playSession(sessionDeps(world, say, world.worker), spec, signal);
  if (end.type === 'cut') {
    await keepWork(playing, base);
    return signal.aborted ? null : notLet(effect, end.detail);
  }
  const failed = end.type === 'failed' ? providerFailed(effect, end.fault, world.clock.now()) : null;
  if (failed) {
    await keepWork(playing, base);
    return failed;
  }
  const tree = await world.shadow.snapshot();
  if (signal.aborted) return null;
  if (!tree.ok) return failedEffect(effectKey(effect), { why: 'infra', detail: tree.fault.message });
  const { node, epoch, attempt, move, step } = effect;
  const outcome = outcomeOf(end);
  return {
    type: 'move.ended',
    node,
    epoch,
    attempt,
    move,
    step,
    tree: tree.value,
    ...outcome,
    ...(outcome.outcome === 'said' ? chosenAt(goal, outcome.choice) : {}),
  };
}

/** Of a goal in flight: the state owes a move for it. */
function factsOf(say: Say, { node }: MoveCommand) {
  const { graph, goals } = say.state();
  const goal = goals.get(node);
  const { flow, models } = graph.context;
  const { slug } = nodeAt(planOf(graph.context), 0);
  if (!goal || !isFlowGoal(goal) || !flow || !models) throw new Error(`${node} follows no flow`);
  return { goal: goal.context, args: flow.args, slug, turns: models.caps.turns };
}

type Outcome = Pick<MoveEnded, 'outcome' | 'choice' | 'detail'>;

/** Tasks do not choose; and why a choice leads nowhere, if it does not. */
function chosenAt(goal: FlowGoalContext, choice: string | null): Pick<MoveEnded, 'choice' | 'detail'> {
  if (stepAt(goal, goal.step).kind !== 'decision') return { choice: null, detail: null };
  if (targetOf(goal, choice) !== undefined) return { choice, detail: null };
  return {
    choice,
    detail: choice === null || choice === '' ? 'it chose no branch' : 'there is no such branch',
  };
}

/** Characters of a choice that are kept: more than any label has. */
const MOST_CHOICE = 1_000;
const MOST_DETAIL = 500;

function outcomeOf(end: Exclude<SessionEnd, { type: 'cut' }>): Outcome {
  const without = (outcome: Outcome['outcome'], detail: string): Outcome => ({
    outcome,
    choice: null,
    detail: detail.slice(0, MOST_DETAIL),
  });
  switch (end.type) {
    case 'said':
      if (end.finish === 'filter') return without('failed', "the provider's filter cut its answer");
      if (end.text.trim() === '') return without('failed', 'it said nothing');
      return { outcome: 'said', choice: lastChoice(end.text)?.slice(0, MOST_CHOICE) ?? null, detail: null };
    case 'turns':
      return without('short', 'it used up the requests of one move');
    case 'loop':
      return without('short', end.detail);
    case 'failed':
      return without('failed', end.fault.message);
    case 'ended':
      throw new Error('no tool ends a move');
    default:
      return never(end);
  }
}
