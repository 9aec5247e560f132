/** The strategist: asked once when the same gap has come back, for a way that is built differently. */

import type { StrategyCommand } from '../../contract/command.ts';
import type { SessionId } from '../../contract/session-event.ts';
import { strategistPacket, suggestionFrom, SYSTEM } from '../prompts/strategist.ts';
import { playRound as playSession } from '../session.ts';
import { notLet, providerFailed } from './faults.ts';
import { goalFacts, type GoalFacts } from './goal-facts.ts';
import { lookingTools } from './role-tools.ts';
import { roundSpec, sessionDeps } from './spec.ts';
import type { Played, Playing, World } from './world.ts';

const TURNS = 10;

export async function playStrategy({ world, effect, signal, say }: Playing<StrategyCommand>): Played {
  const { node, epoch, attempt, round } = effect;
  const facts = goalFacts(say.state(), effect);
  const id: SessionId = { role: 'strategist', node, born: facts.goal.born, series: round + 1, seat: 1 };
  const spec = roundSpec({
    id,
    slug: facts.node.slug,
    round: Math.max(1, round),
    final: facts.final,
    by: world.worker,
    system: SYSTEM,
    ask: () => packetOf(world, facts),
    tools: await lookingTools(world),
    turns: TURNS,
  });
  const end = await playSession(sessionDeps(world, say, world.worker), spec, signal);
  if (end.type === 'cut') return signal.aborted ? null : notLet(effect, end.detail);
  const failed = end.type === 'failed' ? providerFailed(effect, end.fault, world.clock.now()) : null;
  if (failed) return failed;
  const suggestion = end.type === 'said' ? suggestionFrom(end.text) : null;
  return { type: 'strategy.ended', node, epoch, attempt, round, suggestion };
}

async function packetOf({ shadow, records }: World, { plan, node, goal }: GoalFacts): Promise<string> {
  const { base, tree, brief, gaps } = goal;
  const diff = base !== null && tree !== null ? await shadow.diff(base, tree, 1) : null;
  const rounds = records.of(node.id)?.goal.rounds ?? [];
  return strategistPacket({
    objective: plan.objective,
    node,
    brief,
    gaps,
    reports: rounds.flatMap(({ report }) => report ?? []),
    files: diff?.ok ? diff.value.files.map(({ path }) => path) : [],
  });
}
