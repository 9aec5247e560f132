/** The run as a whole in words: its plan, its pauses, its end. */

import type { RunCreated, RunEvent, RunPaused } from '../../contract/event.ts';
import type { FlowRun } from '../../contract/flow.ts';
import type { EffectFailed, RunPlanned } from '../../contract/goal-event.ts';
import type { NodeId } from '../../contract/ids.ts';
import { never } from '../../contract/never.ts';
import type { Plan } from '../../contract/plan.ts';
import { counted, timeAt, topLine, type Telling, type Told } from './event-told.ts';
import { firstLine } from './text.ts';
import { dot, pauseDetail, pausedWords } from './words.ts';

type OfRun = Extract<RunEvent, { type: `run.${string}` | 'plan.refused' | 'effect.failed' }>;

export function runTold(event: OfRun, telling: Telling): readonly Told[] {
  switch (event.type) {
    case 'run.created':
      return [{ text: createdWords(event), tone: 'run' }];
    case 'run.planned':
      return plannedTold(event);
    case 'plan.refused':
      // What they are stands in the report of the run that rests then.
      return [{ text: `plan refused: ${counted(event.faults.length, 'fault')}`, tone: 'bad' }];
    case 'run.approved':
      return [{ text: 'plan approved', tone: 'run' }];
    case 'run.restored':
      return [{ text: 'run restored: what was cut is ready again', tone: 'odd' }];
    case 'run.paused':
      return [{ text: pauseText(event, telling), tone: 'odd' }];
    case 'run.resumed':
      return [{ text: `run resumed, ${event.concurrency} at a time`, tone: 'run' }];
    case 'run.completed':
      return [{ text: 'run complete', tone: 'good' }];
    case 'run.cleared':
      return [{ text: 'run cleared', tone: 'odd' }];
    case 'effect.failed':
      return [{ text: failedText(event, telling), tone: 'bad' }];
    default:
      return never(event);
  }
}

function createdWords({ run, objective, plan, models, flow, workspace }: RunCreated): string {
  const parts = flow ? [flowSize(flow)] : plan ? [...sizeOf(plan)] : ['a model writes its plan'];
  if (models) {
    parts.push(`worker ${models.worker}`, ...(flow ? [] : [`verifier ${models.verifier}`]));
  }
  parts.push(`workspace ${workspace}`);
  // Runs of before the objective was kept on its own have it in their plan.
  return `run ${run} created: ${firstLine(plan?.objective ?? objective)} (${parts.join(', ')})`;
}

function flowSize({ flow, maxMoves }: FlowRun): string {
  const moves = maxMoves === null ? '' : `, at most ${counted(maxMoves, 'move')}`;
  return `a flow of ${counted(flow.nodes.length, 'step')}${moves}`;
}

function plannedTold({ plan, warnings }: RunPlanned): readonly Told[] {
  return [
    { text: `plan made: ${sizeOf(plan).join(', ')}`, tone: 'run' },
    ...warnings.map((warning): Told => ({ text: `plan: warning: ${warning.trim()}`, tone: 'odd' })),
  ];
}

function sizeOf({ nodes, version, hash }: Plan): readonly string[] {
  return [`${nodes.length} nodes`, `plan v${version} ${hash}`];
}

function pauseText({ why, detail, resetAt }: RunPaused, { screen }: Telling): string {
  const parts = [`run ${pausedWords(why, detail)}`];
  const more = pauseDetail(why, detail);
  if (more !== null) parts.push(more);
  if (resetAt !== null) parts.push(`worth going on from ${timeAt(screen, resetAt)}`);
  return parts.join(dot(screen));
}

/** `detail` is told again by the pause that follows, but what it was about is told here only. */
function failedText({ effect, why, detail, resetAt }: EffectFailed, { names, screen }: Telling): string {
  const again = resetAt === null ? '' : `, worth another try from ${timeAt(screen, resetAt)}`;
  return `${effectWords(effect, names.slug)} could not be done (${why})${again}${topLine(detail, screen)}`;
}

/** `plan 1`, or `gn-… 2.1 round 3`: a person knows the slug, and not the epoch. */
function effectWords(effect: string, slug: (node: NodeId) => string): string {
  const [first = '', , ...part] = effect.split(' ');
  return isId(first) ? `${slug(first)}: ${part.join(' ')}` : first;
}

function isId(text: string): text is NodeId {
  return text.startsWith('gn-');
}
