/**
 * What a plan may cost, said before it runs. Nobody knows: the numbers below are what such work took, and the shape of
 * a conversation, which is sent again as a whole with each turn, does the rest.
 *
 *   base     = (bytes of system prompt and packet) / 4 + tools
 *   session  = turns × (base + answer) + growth × turns × (turns − 1) / 2
 *   node     = brief + worker session × rounds + skeptic session × panel × rounds
 *
 * Raw tokens as billed: what comes out of a provider's cache counts in full.
 */

import { FINAL_NODE, type NodeId } from '../../contract/ids.ts';
import type { Plan, PlanNode } from '../../contract/plan.ts';
import type { ModelSettings } from '../../contract/settings.ts';
import { brieferPacket, SYSTEM as BRIEFER } from '../prompts/briefer.ts';
import { plannerPacket, SYSTEM as PLANNER } from '../prompts/planner.ts';
import { skepticPacket, SYSTEM as SKEPTIC } from '../prompts/skeptic.ts';
import { SYSTEM as WORKER, workerPacket } from '../prompts/worker.ts';

export interface NodeEstimate {
  readonly id: NodeId;
  readonly slug: string;
  readonly tokens: number;
}

export interface Estimate {
  readonly planning: number;
  /** In plan order, the final node included. */
  readonly nodes: readonly NodeEstimate[];
  readonly total: number;
}

const WORKER_TURNS = 12;
const LOOKING_TURNS = 6;
/** Tokens: a tool call with its result, what a turn answers, and the schemas of the tools. */
const GROWTH = 900;
const ANSWER = 350;
const TOOLS = 1_200;
/** A claim is refuted about every other time. */
const ROUNDS = 1.5;
/** Tokens of the diff and the outputs in a skeptic's packet. */
const EVIDENCE = 4_000;

/** Of a plan that a model makes, and works on. `panel`: skeptics of one verification. */
export function estimate(plan: Plan, panel: ModelSettings['panel']): Estimate {
  const nodes = plan.nodes.map((node) => {
    const tokens = node.run === null ? nodeTokens(plan, node, panel) : 0;
    return { id: node.id, slug: node.slug, tokens };
  });
  const packet = { objective: plan.objective, tree: '', budget: null, hasChecksHint: true };
  const planning = session(PLANNER, plannerPacket(packet), LOOKING_TURNS);
  return { planning, nodes, total: nodes.reduce((sum, { tokens }) => sum + tokens, planning) };
}

function nodeTokens({ objective }: Plan, node: PlanNode, panel: ModelSettings['panel']): number {
  const final = node.id === FINAL_NODE;
  const common = { objective, node, brief: null, skipped: [] };
  const diff = { text: '', cut: false, files: [] };
  const packet = skepticPacket({ ...common, claim: null, diff, checks: [], priorGaps: [], final });
  const seat = session(SKEPTIC, packet, LOOKING_TURNS) + EVIDENCE * LOOKING_TURNS;
  // The final node is verified first; its worker is needed only when that finds a gap.
  const work =
    session(WORKER, workerPacket({ ...common, deps: [] }), WORKER_TURNS) * (final ? ROUNDS - 1 : ROUNDS);
  const brief = final ? 0 : session(BRIEFER, brieferPacket(common), 2);
  return Math.ceil(brief + work + seat * (final ? panel.final : panel.node) * ROUNDS);
}

function session(system: string, packet: string, turns: number): number {
  const bytes = new TextEncoder().encode(system + packet).length;
  const base = Math.ceil(bytes / 4) + TOOLS;
  return turns * (base + ANSWER) + (GROWTH * turns * (turns - 1)) / 2;
}
