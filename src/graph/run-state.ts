/** The state of a run: the graph, the live goals, the ledger. Folded from events. */

import type { NodeId } from '../contract/ids.ts';
import type { Ledger } from '../kernel/ledger.ts';
import type { AnyGoal } from './goals.ts';
import { graphMachine, type GraphSnapshot } from './graph-machine.ts';

export interface RunState {
  readonly graph: GraphSnapshot;
  /** Goals of nodes that were started and have not ended, whether in flight, parked or cut. */
  readonly goals: ReadonlyMap<NodeId, AnyGoal>;
  /** Null until the run is created. */
  readonly ledger: Ledger | null;
  /** Snapshot from before any model's work: what the whole run is compared with. */
  readonly base: string | null;
  /** When the last event happened: a run whose process died ran until then at least. */
  readonly lastAt: number;
}

export const NO_RUN: RunState = {
  graph: graphMachine.initial,
  goals: new Map(),
  ledger: null,
  base: null,
  lastAt: 0,
};

/** There is something to do, or to wait for, that is no person's turn: requests may be sent. */
export function isMoving({ graph }: Pick<RunState, 'graph'>): boolean {
  return graph.value === 'running' || graph.value === 'planning';
}

/** The whole state as plain JSON, the plan by its hash: what "fold equals live, byte for byte" compares. */
export function plainState({ graph, goals, ledger, base, lastAt }: RunState): string {
  const { plan, ...context } = graph.context;
  return JSON.stringify({
    graph: { ...plain(graph), context, plan: plan && [plan.version, plan.hash] },
    goals: [...goals].map(([id, goal]) => [id, plain(goal)]),
    ledger,
    base,
    lastAt,
  });
}

function plain({ status, value, context }: GraphSnapshot | AnyGoal) {
  return { status, value, context };
}
