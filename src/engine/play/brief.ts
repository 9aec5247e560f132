/** The goal planner: writes down what must hold when a node is done that has no check of its own. */

import type { BriefCommand } from '../../contract/command.ts';
import type { Brief } from '../../contract/goal.ts';
import type { SessionId } from '../../contract/session-event.ts';
import { brieferPacket, SYSTEM } from '../prompts/briefer.ts';
import { briefFromText, submitBriefTool } from '../roles/brief.ts';
import { playRound as playSession } from '../session.ts';
import type { SessionEnd } from '../session-spec.ts';
import { notLet, providerFailed } from './faults.ts';
import { goalFacts } from './goal-facts.ts';
import { lookingTools } from './role-tools.ts';
import { roundSpec, sessionDeps } from './spec.ts';
import type { Played, Playing } from './world.ts';

const TURNS = 20;

export async function playBrief({ world, effect, signal, say }: Playing<BriefCommand>): Played {
  const { node, epoch, attempt } = effect;
  const facts = goalFacts(say.state(), effect);
  let brief: Brief | null = null;
  const submit = submitBriefTool((taken) => (brief = taken));
  const id: SessionId = { role: 'briefer', node, born: facts.goal.born, series: 1, seat: 1 };
  const spec = roundSpec({
    id,
    slug: facts.node.slug,
    round: 1,
    final: facts.final,
    by: world.worker,
    system: SYSTEM,
    ask: () =>
      Promise.resolve(
        brieferPacket({ objective: facts.plan.objective, node: facts.node, skipped: facts.skipped }),
      ),
    tools: [...(await lookingTools(world)), submit],
    ending: (tool) => tool === 'submit_brief',
    turns: TURNS,
  });
  const end = await playSession(sessionDeps(world, say, world.worker), spec, signal);
  if (end.type === 'cut') return signal.aborted ? null : notLet(effect, end.detail);
  const failed = end.type === 'failed' ? providerFailed(effect, end.fault, world.clock.now()) : null;
  if (failed) return failed;
  if (end.type === 'said') brief = briefFromText(end.text);
  // Stored before a restart: the tool of this process has not seen it.
  if (end.type === 'ended') await submit.run(end.args, signal);
  return { type: 'brief.ended', node, epoch, attempt, brief, detail: brief ? null : whyNone(end) };
}

function whyNone(end: Exclude<SessionEnd, { type: 'cut' }>): string {
  switch (end.type) {
    case 'failed':
      return end.fault.message;
    case 'loop':
      return end.detail;
    case 'turns':
    case 'said':
    case 'ended':
      return 'no criteria were written: the spec alone is the contract';
  }
}
