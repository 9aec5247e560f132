/**
 * `goalgraph log NODE`: what it did, attempt by attempt, with the output that was kept; for a model's node its brief,
 * and round by round what was asked, said, done, reported, checked and voted. `goalgraph log planner`: the same of
 * the model that made the plan.
 */

import type { CheckEnded, RunCreated, RunEvent, WorkEnded } from '../../contract/event.ts';
import type { SessionEvent } from '../../contract/session-event.ts';
import type { NodeId } from '../../contract/ids.ts';
import type { Message } from '../../contract/model.ts';
import type { FlowView, RunView } from '../../contract/view.ts';
import { formatDuration } from '../../contract/amount.ts';
import { never } from '../../contract/never.ts';
import type { Reader } from '../../store/store.ts';
import { complain, type Context } from '../context.ts';
import { EXIT } from '../exit.ts';
import { screenOf } from '../output.ts';
import { eventLines } from '../render/event-line.ts';
import { whoWords } from '../render/event-line-session.ts';
import { namesOf, utcTime, type EventNames } from '../render/event-told.ts';
import { askedLines, goalDetail, resultLines, saidLines, type LogScreen } from '../render/goal-log.ts';
import { plain } from '../render/text.ts';
import { jsonLine } from '../presenter.ts';
import { look } from './look.ts';
import { readMessages, readText } from './stored-messages.ts';

export interface LogOptions {
  /** All texts of sessions, instead of their first lines. */
  readonly full: boolean;
}

export function log(context: Context, name: string, options: LogOptions = { full: false }): Promise<number> {
  return look(context, async ({ loaded, view, reader }) => {
    const { output } = context;
    const isAbout = chosen(name, view, loaded.created);
    if (typeof isAbout === 'string') return complain(context, { code: 'usage', message: isAbout });
    const names = namesOf(view);
    const screen = screenOf(output);
    const telling = { names, screen: { full: options.full, ascii: screen.ascii }, reader };
    for (const stored of loaded.events) {
      const { event } = stored;
      if (!isAbout(event)) continue;
      if (context.json) {
        output.out(jsonLine(stored));
        continue;
      }
      eventLines(event, names, screen).forEach((line) => output.out(line));
      (await beneath(event, telling)).forEach((line) => output.out(line));
    }
    return EXIT.complete;
  });
}

const PLANNER = 'planner';

/** Which events are meant, or why none are. A node may have the planner's name, and then it is the node. */
function chosen(name: string, view: RunView, created: RunCreated): ((event: RunEvent) => boolean) | string {
  const node = view.nodes.find(({ id, slug }) => id === name || slug === name);
  if (node) return (event) => isOfNode(event, node.id);
  if (view.flow) return ofFlow(name, view, view.flow);
  if (name !== PLANNER) return `Run ${view.run} has no node ${name}: goalgraph status lists them.`;
  if (created.plan) return `Run ${view.run} has no planner: no model made its plan.`;
  return isOfPlanner;
}

/** The flow by its name is its only node; a step of it is what was said and done in its moves. */
function ofFlow(name: string, { run, nodes }: RunView, { name: own, steps, trail, at, moves }: FlowView) {
  const id = nodes[0]?.id;
  if (name === own && id !== undefined) return (event: RunEvent) => isOfNode(event, id);
  if (!steps.some((step) => step.id === name)) {
    return `Run ${run} has no step ${name}: goalgraph show lists them. All of it: goalgraph log ${own}`;
  }
  const asked = trail.flatMap(({ by, step, move }) => (by === 'agent' && step === name ? [move] : []));
  const rounds = new Set(at === name ? [...asked, moves] : asked);
  return (event: RunEvent) =>
    'session' in event ? rounds.has(event.round) : 'step' in event && event.step === name;
}

/** What its sessions said is its own as well. */
function isOfNode(event: RunEvent, node: NodeId): boolean {
  if ('session' in event) return event.session.node === node;
  return 'node' in event && event.node === node;
}

/** Sessions of no node are the planner's, and those of whoever shortens its conversation. */
function isOfPlanner(event: RunEvent): boolean {
  if ('session' in event) return event.session.node === null;
  if (event.type === 'effect.failed') return event.effect.startsWith('plan ');
  return event.type === 'run.planned' || event.type === 'plan.refused';
}

interface Telling {
  readonly names: EventNames;
  readonly screen: LogScreen;
  readonly reader: Reader;
}

/** What the journal keeps beside the event. */
async function beneath(event: RunEvent, telling: Telling): Promise<readonly string[]> {
  if ('session' in event) return sessionLines(event, telling);
  const { reader, screen } = telling;
  if (isEnd(event)) {
    return event.output !== null || event.type === 'work.ended' ? [await outputOf(event, reader)] : [];
  }
  if (event.type === 'node.kept' && event.patch !== null) {
    return screen.full ? patchLines(event.patch, telling) : [`    (the patch: --full)`];
  }
  return goalDetail(event, screen);
}

async function sessionLines(event: SessionEvent, telling: Telling): Promise<readonly string[]> {
  const messages = await readMessages(telling.reader.log, event.messages);
  const head = headOf(event, telling);
  if (!messages.ok) return [...head, `    (${plain(messages.fault)})`];
  return [...head, ...textLines(event, messages.value, telling.screen)];
}

/** What is asked has no line of its own elsewhere. */
function headOf(event: SessionEvent, { names, screen }: Telling): readonly string[] {
  if (event.type !== 'session.asked') return [];
  const who = plain(whoWords(event.session, names), screen.ascii);
  return [`${utcTime(event.at)} ${who} asked, round ${event.round}`];
}

function textLines(event: SessionEvent, messages: readonly Message[], screen: LogScreen): readonly string[] {
  switch (event.type) {
    case 'session.asked':
    case 'session.compacted':
      return askedLines(messages, screen);
    case 'turn.ended':
      return saidLines(messages, screen);
    case 'tools.ended':
      return resultLines(messages, screen);
    default:
      return never(event);
  }
}

async function patchLines(address: string, { reader, screen }: Telling): Promise<readonly string[]> {
  const text = await readText(reader.log, address);
  if (!text.ok) return [`    (${plain(text.fault)})`];
  return indented(text.value, screen.ascii);
}

function isEnd(event: RunEvent): event is WorkEnded | CheckEnded {
  return event.type === 'work.ended' || event.type === 'check.ended';
}

/** The kept output, indented, with whatever could drive a terminal shown as text. */
async function outputOf(event: WorkEnded | CheckEnded, reader: Reader): Promise<string> {
  if (event.output === null) return `    (no output, ${formatDuration(event.ms)})`;
  const blob = await reader.log.getBlob(event.output);
  if (!blob.ok) return `    (its output cannot be read: ${blob.fault.message})`;
  if (blob.value === null) return '    (its output is no longer kept)';
  return indented(new TextDecoder().decode(blob.value), false).join('\n');
}

function indented(text: string, ascii: boolean): readonly string[] {
  return text
    .trimEnd()
    .split('\n')
    .map((line) => `    ${plain(line, ascii)}`);
}
