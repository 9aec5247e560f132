/** The way of a flow through its chart, from the stored events: which arrows it took, and how long each move took. */

import type { RunEvent } from '../../contract/event.ts';
import type { FlowChosen, MoveEnded } from '../../contract/flow-event.ts';
import type { StoredEvent } from '../../contract/ports.ts';
import type { FlowStepView } from '../../contract/view.ts';

export interface FlowWalk {
  /** Per step how often each of its exits was taken. */
  readonly taken: ReadonlyMap<string, readonly number[]>;
  /** Of each entry of the trail. */
  readonly moves: readonly MoveFact[];
  readonly isEnded: boolean;
}

export interface MoveFact {
  /** Milliseconds of running until it had ended; null for a person's choice. */
  readonly ms: number | null;
  readonly led: boolean;
}

interface Walking {
  readonly steps: ReadonlyMap<string, FlowStepView>;
  taken: Map<string, number[]>;
  moves: MoveFact[];
  isEnded: boolean;
  resting: boolean;
  /** A choice while the run is at rest is taken when it goes on, unless there is another one. */
  picked: { readonly place: number; readonly step: string; readonly branch: string } | null;
  /** When the move in flight, or its present stretch of running, began. */
  since: number | null;
  /** Milliseconds of it before. */
  before: number;
}

export function flowWalk(steps: readonly FlowStepView[], events: readonly StoredEvent[]): FlowWalk {
  const walking: Walking = {
    steps: new Map(steps.map((step) => [step.id, step])),
    taken: new Map(),
    moves: [],
    isEnded: false,
    resting: false,
    picked: null,
    since: null,
    before: 0,
  };
  let last = events[0]?.event.at ?? 0;
  for (const { event } of events) {
    note(walking, event, last);
    last = Math.max(last, event.at);
  }
  const { taken, moves, isEnded } = walking;
  return { taken, moves, isEnded };
}

/** `last`: the time of the event before. */
function note(walking: Walking, event: RunEvent, last: number): void {
  switch (event.type) {
    case 'node.started':
      walking.since = event.at;
      break;
    case 'base.ended':
      for (const { id, kind } of walking.steps.values()) if (kind === 'begin') take(walking, id, null);
      break;
    case 'move.ended':
      moved(walking, event);
      break;
    case 'flow.chosen':
      chosen(walking, event);
      break;
    case 'run.paused':
      rest(walking, event.at);
      break;
    case 'run.restored':
      // Nobody knows when its process died: what is known is the last thing it did.
      rest(walking, last);
      break;
    case 'run.resumed':
      goOn(walking);
      break;
    case 'node.achieved':
      walking.isEnded = true;
      break;
    case 'node.retried':
    case 'node.skipped':
    case 'node.edited':
      // Begun anew, and so is its trail.
      Object.assign(walking, { taken: new Map(), moves: [], picked: null, before: 0 });
      break;
    default:
      break;
  }
}

function rest(walking: Walking, at: number): void {
  walking.before = timeOf(walking, at);
  walking.since = null;
  walking.resting = true;
}

function goOn(walking: Walking): void {
  const { picked } = walking;
  walking.resting = false;
  walking.picked = null;
  if (picked === null) return;
  walking.before = 0;
  walking.moves[picked.place] = { ms: null, led: true };
  take(walking, picked.step, picked.branch);
}

function moved(walking: Walking, { step, outcome, choice, detail, at }: MoveEnded): void {
  const led = outcome === 'said' && detail === null;
  walking.moves.push({ ms: timeOf(walking, at), led });
  walking.since = at;
  walking.before = 0;
  if (led) take(walking, step, choice);
}

function chosen(walking: Walking, { step, branch, at }: FlowChosen): void {
  walking.moves.push({ ms: null, led: !walking.resting });
  if (walking.resting) {
    walking.picked = { place: walking.moves.length - 1, step, branch };
    return;
  }
  walking.since = at;
  walking.before = 0;
  take(walking, step, branch);
}

function timeOf({ since, before }: Walking, at: number): number {
  return before + (since === null ? 0 : Math.max(0, at - since));
}

function take({ steps, taken }: Walking, id: string, branch: string | null): void {
  const step = steps.get(id);
  const place = step?.kind === 'decision' ? step.exits.findIndex(({ label }) => label === branch) : 0;
  if (step === undefined || place < 0) return;
  const counts = taken.get(id) ?? step.exits.map(() => 0);
  counts[place] = (counts[place] ?? 0) + 1;
  taken.set(id, counts);
}
