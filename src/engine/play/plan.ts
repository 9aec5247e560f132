/** The graph planner: looks around, and hands in a plan that the gate takes. Twice refused is the end of it. */

import { effectKey, type PlanCommand } from '../../contract/command.ts';
import type { SessionId } from '../../contract/session-event.ts';
import type { Tool } from '../../contract/tool.ts';
import { meansOf } from '../../graph/goals.ts';
import { plannerPacket, SYSTEM } from '../prompts/planner.ts';
import { planFromArgs, planFromText, refusal, submitPlanTool, SUBMISSIONS } from '../roles/submit-plan.ts';
import type { PlanOutcome, Planning } from '../roles/submit-plan.ts';
import { playRound as playSession } from '../session.ts';
import type { SessionEnd } from '../session-spec.ts';
import { tracesOf } from '../session-index.ts';
import { notLet, providerFailed } from './faults.ts';
import { lookingTools } from './role-tools.ts';
import { roundSpec, sessionDeps } from './spec.ts';
import { failedEffect, type Played, type Playing, type World } from './world.ts';

const TURNS = 40;

export async function playPlan(playing: Playing<PlanCommand>): Played {
  const { world, effect, signal, say } = playing;
  const planning = planningOf(playing);
  // One session for each planning that was refused, and not for each owner: a crash loses nothing of it.
  const id: SessionId = { role: 'planner', node: null, born: world.records.refusals, series: 1, seat: 1 };
  const deps = sessionDeps(world, say, world.worker);
  const looking = await lookingTools(world);
  let taken: PlanOutcome | null = null;
  // Gone on with where it stands: a round before the last one is over, and is not played again.
  for (let round = world.index.of(id).at(-1)?.round ?? 1; ; round++) {
    const last = taken;
    // Each round but the last one ended with a plan in words.
    const before = round - 1 + submissionsBefore(world, id);
    const spec = roundSpec({
      id,
      slug: '',
      round,
      final: false,
      by: world.worker,
      system: SYSTEM,
      ask: () => (last && !last.ok ? Promise.resolve(refusalOf(last)) : firstPacket(playing)),
      tools: [...looking, submitter(planning, before, (outcome) => (taken = outcome))],
      ending: (tool) => tool === 'submit_plan',
      turns: TURNS,
    });
    const end = await playSession(deps, spec, signal);
    if (end.type === 'cut') return signal.aborted ? null : notLet(effect, end.detail);
    if (end.type === 'failed') {
      const { message: detail } = end.fault;
      return (
        providerFailed(effect, end.fault, world.clock.now()) ??
        failedEffect(effectKey(effect), { why: 'provider', detail })
      );
    }
    const submissions = round + submissionsBefore(world, id);
    // As it is stored: after a restart the tool of this process has not seen it.
    if (end.type === 'ended') taken = planFromArgs(end.args, planning, submissions);
    if (end.type === 'said') taken = planFromText(end.text, planning, submissions);
    const settled = answerOf(playing, { end, outcome: taken });
    if (settled) return settled;
  }
}

function refusalOf({ faults, submissions }: Extract<PlanOutcome, { ok: false }>): string {
  return refusal(faults, SUBMISSIONS - submissions);
}

/** Null when the planner has another try. */
function answerOf(
  { effect, world }: Playing<PlanCommand>,
  { end, outcome }: { readonly end: SessionEnd; readonly outcome: PlanOutcome | null },
) {
  const { epoch } = effect;
  if (outcome?.ok) {
    const warnings = outcome.warnings.map(({ message }) => world.mask(message));
    return { type: 'run.planned', epoch, plan: outcome.plan, warnings } as const;
  }
  if (end.type === 'said' && outcome && outcome.submissions < SUBMISSIONS) return null;
  const none = end.type === 'loop' ? end.detail : 'The planner stopped without a plan.';
  return { type: 'plan.refused', epoch, faults: outcome?.faults ?? [none] } as const;
}

/** The last refusal ends the session at once: there is nothing more to say. */
function submitter(planning: Planning, before: number, take: (outcome: PlanOutcome) => void): Tool {
  let submissions = before;
  let refused: Extract<PlanOutcome, { ok: false }> | null = null;
  const tool = submitPlanTool({
    ...planning,
    before,
    take: (outcome) => {
      submissions = outcome.submissions;
      refused = outcome.ok ? null : outcome;
      take(outcome);
    },
  });
  return {
    ...tool,
    async run(args, signal) {
      const result = await tool.run(args, signal);
      if (result.ok || refused === null || submissions < SUBMISSIONS) return result;
      const forPerson = `the plan is refused: ${refused.faults[0] ?? ''}`;
      return { ok: true, value: { forModel: result.fault.message, forPerson } };
    },
  };
}

/** Those that the gate has seen: one that a crash cut, or that nobody could read, costs no attempt. */
function submissionsBefore({ index }: World, id: SessionId): number {
  const traces = tracesOf(index.of(id)).filter(({ name }) => name === 'submit_plan');
  return traces.filter(({ ok, line }) => ok || line.startsWith(REFUSED)).length;
}

/** How the trace of a refusal begins: with the code of the tool's fault. */
const REFUSED = 'arguments: ';

function planningOf({ say, world }: Playing<PlanCommand>): Planning {
  const { ledger, graph } = say.state();
  const { models } = graph.context;
  const tokens = ledger?.limits.tokens ?? null;
  const budget = tokens === null || !models ? null : { tokens, panel: models.panel.final };
  return { objective: world.objective, gate: { ...meansOf(models), budget } };
}

const MOST_FILES = 2_000;

const HINTS =
  /(?:^|\/)(?:package\.json|makefile|justfile|cargo\.toml|pyproject\.toml|go\.mod|pom\.xml|build\.gradle(?:\.kts)?|tox\.ini|cmakelists\.txt|gemfile|rakefile|composer\.json|mix\.exs)$/i;

async function firstPacket({ world, say }: Playing<PlanCommand>): Promise<string> {
  const files = await world.shadow.files();
  const names = files.ok ? files.value : [];
  const rest = names.length - MOST_FILES;
  const tree = [...names.slice(0, MOST_FILES), ...(rest > 0 ? [`… and ${rest} more`] : [])].join('\n');
  return plannerPacket({
    objective: world.objective,
    tree: tree === '' ? '(no files yet)' : tree,
    budget: say.state().ledger?.limits.tokens ?? null,
    hasChecksHint: names.some((name) => HINTS.test(name)),
  });
}
