/** Who was at work when, and when the run stood still. */

import type { RunEvent, RunPaused } from '../../contract/event.ts';
import type { NodeId } from '../../contract/ids.ts';
import type { StoredEvent } from '../../contract/ports.ts';
import type { PausedWhy } from '../../contract/status.ts';

export type SegmentKind = 'work' | 'verify' | 'parked';

export interface Segment {
  readonly kind: SegmentKind;
  /** Milliseconds since the epoch. */
  readonly from: number;
  readonly to: number;
}

/** `approval`: its plan waited for a yes. `gone`: its process had died, or ended without a pause. */
export interface Pause {
  readonly why: PausedWhy | 'approval' | 'gone';
  /** What was said of the trouble, where it came from outside, and at which step a flow stood still. */
  readonly detail?: string;
  readonly from: number;
  readonly to: number;
}

export interface TimelineRow {
  /** Null for the planning. */
  readonly node: NodeId | null;
  readonly segments: readonly Segment[];
}

export interface Timeline {
  readonly from: number;
  readonly to: number;
  /** In the order in which they began. */
  readonly rows: readonly TimelineRow[];
  /** Over at the end of the run or before; a pause that lasts still is none of them. */
  readonly pauses: readonly Pause[];
}

interface Drawing {
  readonly rows: Map<NodeId | null, Segment[]>;
  readonly open: Map<NodeId | null, { kind: SegmentKind; readonly from: number }>;
  readonly pauses: Pause[];
  still: Omit<Pause, 'to'> | null;
  approve: boolean;
}

export function timelineOf(events: readonly StoredEvent[]): Timeline {
  const from = events[0]?.event.at ?? 0;
  const drawing: Drawing = { rows: new Map(), open: new Map(), pauses: [], still: null, approve: false };
  let last = from;
  for (const { event } of events) {
    note(drawing, event, last);
    last = Math.max(last, event.at);
  }
  closeAll(drawing, last);
  const rows = [...drawing.rows].map(([node, segments]) => ({ node, segments }));
  return { from, to: last, rows, pauses: drawing.pauses };
}

/** Milliseconds that each node was at work or verified; waiting does not count. */
export function busyTimes({ rows }: Timeline): ReadonlyMap<NodeId | null, number> {
  return new Map(rows.map(({ node, segments }) => [node, busy(segments)]));
}

export function busy(segments: readonly Segment[]): number {
  return segments.reduce((sum, { kind, from, to }) => (kind === 'parked' ? sum : sum + to - from), 0);
}

/** `last`: the time of the event before. */
function note(drawing: Drawing, event: RunEvent, last: number): void {
  if ('node' in event && event.type !== 'late') noteNode(drawing, event);
  switch (event.type) {
    case 'run.created':
      drawing.approve = event.approve;
      if (event.plan === null) begin(drawing, null, 'work', event.at);
      break;
    case 'run.planned':
      end(drawing, null, event.at);
      if (drawing.approve) drawing.still = { why: 'approval', from: event.at };
      break;
    case 'session.asked':
      if (event.session.role === 'planner') begin(drawing, null, 'work', event.at);
      if (event.session.role === 'worker' && drawing.open.has(event.session.node)) {
        begin(drawing, event.session.node, 'work', event.at);
      }
      break;
    case 'run.paused':
      closeAll(drawing, event.at);
      stand(drawing, { why: event.why, ...troubleOf(event), from: event.at });
      break;
    case 'run.restored':
      // Nobody knows when its process died: what is known is the last thing it did.
      closeAll(drawing, last);
      stand(drawing, { why: 'gone', from: last });
      break;
    case 'run.resumed':
    case 'run.approved':
      if (drawing.still) drawing.pauses.push({ ...drawing.still, to: event.at });
      drawing.still = null;
      break;
    case 'run.completed':
    case 'run.cleared':
      closeAll(drawing, event.at);
      break;
    default:
      break;
  }
}

/** Of flows also at which step: plans that are stuck have no detail. */
const DETAILED: ReadonlySet<PausedWhy> = new Set(['provider', 'infra', 'stuck', 'moves']);

function troubleOf({ why, detail }: RunPaused): Pick<Pause, 'detail'> {
  return detail !== null && DETAILED.has(why) ? { detail } : {};
}

function noteNode(drawing: Drawing, event: Extract<RunEvent, { node: NodeId }>): void {
  const { node, at } = event;
  switch (event.type) {
    case 'node.started':
      begin(drawing, node, 'work', at);
      break;
    case 'work.ended':
      if (event.outcome === 'exit' && event.exit === 0) turn(drawing, node, at);
      break;
    case 'round.ended':
      if (event.outcome === 'claim') turn(drawing, node, at);
      break;
    case 'check.ended':
    case 'vote.ended':
      judged(drawing, node);
      break;
    case 'node.parked':
      begin(drawing, node, 'parked', at);
      break;
    case 'wake.ended':
    case 'node.achieved':
    case 'node.failed':
    case 'node.blocked':
    case 'node.skipped':
    case 'node.retried':
    case 'node.edited':
      end(drawing, node, at);
      break;
    default:
      break;
  }
}

/** Begins a segment where none of this kind is open already. */
function begin(drawing: Drawing, node: NodeId | null, kind: SegmentKind, at: number): void {
  if (drawing.open.get(node)?.kind === kind) return;
  end(drawing, node, at);
  // The order of the rows is that of their beginnings.
  if (!drawing.rows.has(node)) drawing.rows.set(node, []);
  drawing.open.set(node, { kind, from: at });
}

/** From work to its verification. */
function turn(drawing: Drawing, node: NodeId, at: number): void {
  if (drawing.open.has(node)) begin(drawing, node, 'verify', at);
}

/** A verdict without any work before it: all of this start was verification. */
function judged({ open }: Drawing, node: NodeId): void {
  const segment = open.get(node);
  if (segment?.kind === 'work') segment.kind = 'verify';
}

function end(drawing: Drawing, node: NodeId | null, at: number): void {
  const segment = drawing.open.get(node);
  if (!segment) return;
  drawing.open.delete(node);
  drawing.rows.get(node)?.push({ ...segment, to: Math.max(segment.from, at) });
}

function closeAll(drawing: Drawing, at: number): void {
  for (const node of [...drawing.open.keys()]) end(drawing, node, at);
}

/** A pause in a pause is one. */
function stand(drawing: Drawing, pause: Omit<Pause, 'to'>): void {
  drawing.still ??= pause;
}
