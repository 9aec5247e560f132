/**
 * The walk over a chart, from a run's stored events alone: a second reading of the rules, that shares no code with the
 * machine. It says where the agent is to be asked next, and what is wrong with an answer that comes from elsewhere.
 */

import type { FlowChosen, MoveEnded } from '../../src/contract/flow-event.ts';
import type { FlowNode, FlowRun } from '../../src/contract/flow.ts';
import type { FlowView } from '../../src/contract/view.ts';

/** `tired`: nobody gave a usable answer six times running. */
export type WalkPhase = 'base' | 'asked' | 'spent' | 'tired' | 'end';

export interface Walk {
  readonly chart: ReadonlyMap<string, FlowNode>;
  readonly begin: string;
  readonly end: string;
  phase: WalkPhase;
  /** Where it stands. */
  at: string;
  /** Moves that were asked for, the one in flight included; and how many there may be. */
  asked: number;
  limit: number | null;
  /** Answers running that led nowhere, at this step, since it was reached or a person came back to it. */
  vain: number;
  /** The branch that a person chose while the run was at rest. */
  kept: string | null;
  /** Every step that was reached, in order. */
  readonly trail: string[];
}

export type Must = (holds: boolean, sentence: string) => void;

/** One more than five repeats. */
const TRIES = 6;

export function openWalk({ flow, maxMoves }: FlowRun): Walk {
  return {
    chart: new Map(flow.nodes.map((node) => [node.id, node])),
    begin: flow.begin,
    end: flow.end,
    phase: 'base',
    at: flow.begin,
    asked: 0,
    limit: maxMoves,
    vain: 0,
    kept: null,
    trail: [],
  };
}

/** Keys of what it owes, without its fence. */
export function owedOfWalk({ phase, asked }: Walk): readonly string[] {
  if (phase === 'base') return ['base'];
  return phase === 'asked' ? [`move ${asked}`] : [];
}

export function walkBased(walk: Walk): void {
  reach(walk, walk.chart.get(walk.begin)?.exits[0]?.to);
}

export function walkMoved(walk: Walk, event: MoveEnded, must: Must): void {
  const { step, move, outcome, choice } = event;
  must(step === walk.at, `move ${move} is for ${step}, but the walk stands at ${walk.at}`);
  must(move === walk.asked, `move ${move} ends, but ${walk.asked} is asked`);
  must(walk.limit === null || move <= walk.limit, `move ${move} of at most ${walk.limit ?? 0}`);
  const node = walk.chart.get(walk.at);
  if (outcome === 'said' && node?.kind === 'task') return reach(walk, node.exits[0]?.to);
  const exit = outcome === 'said' ? exitOf(walk, choice) : undefined;
  if (exit !== undefined) return reach(walk, exit);
  walk.vain++;
  if (walk.vain === TRIES) walk.phase = 'tired';
  else ask(walk);
}

/** `live`: it is taken at once; else when the run goes on. */
export function walkChosen(
  walk: Walk,
  event: FlowChosen,
  { must, live }: { readonly must: Must; readonly live: boolean },
): void {
  const { step, branch } = event;
  must(walk.phase !== 'base' && walk.phase !== 'end', `${branch} is chosen where nothing is decided`);
  must(step === walk.at, `${branch} is chosen at ${step}, but the walk stands at ${walk.at}`);
  must(exitOf(walk, branch) !== undefined, `${branch} is chosen at ${walk.at}, which has no such exit`);
  if (live) reach(walk, exitOf(walk, branch));
  else walk.kept = branch;
}

/** The node is started again, after a rest. What was in flight is asked once more, under the same number. */
export function walkGoesOn(walk: Walk): void {
  const { kept, phase } = walk;
  walk.kept = null;
  if (kept !== null) return reach(walk, exitOf(walk, kept));
  if (phase === 'tired') walk.vain = 0;
  if (phase === 'tired' || phase === 'spent') ask(walk);
}

/** Why it stops by itself; null while there is something to do. */
export function stopOf({ phase }: Walk): 'moves' | 'stuck' | null {
  if (phase === 'spent') return 'moves';
  return phase === 'tired' ? 'stuck' : null;
}

/** What a person who looks at the flow would miss. */
export function amissInFlow(walk: Walk, view: FlowView | null): readonly string[] {
  if (view === null) return ['no flow is shown'];
  const at = walk.phase === 'base' || walk.phase === 'end' ? null : walk.at;
  return [
    ...(view.at === at ? [] : [`it is shown at ${view.at ?? 'no step'}, and is at ${at ?? 'none'}`]),
    ...(view.picked === walk.kept ? [] : [`${view.picked ?? 'nothing'} is shown as chosen`]),
    ...(view.maxMoves === walk.limit ? [] : [`${view.maxMoves ?? 'no'} moves are shown as the limit`]),
    ...(at === null || view.moves === walk.asked ? [] : [`${view.moves} moves are shown`]),
  ];
}

function exitOf({ chart, at }: Walk, label: string | null): string | undefined {
  const node = chart.get(at);
  const found = node?.kind === 'decision' && label !== null;
  return found ? node.exits.find((exit) => exit.label === label)?.to : undefined;
}

function reach(walk: Walk, to: string | undefined): void {
  if (to === undefined) return;
  walk.at = to;
  walk.vain = 0;
  walk.trail.push(to);
  if (to === walk.end) walk.phase = 'end';
  else ask(walk);
}

function ask(walk: Walk): void {
  if (walk.limit !== null && walk.asked >= walk.limit) {
    walk.phase = 'spent';
    return;
  }
  walk.phase = 'asked';
  walk.asked++;
}
