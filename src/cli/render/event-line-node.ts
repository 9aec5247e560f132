/** Where a node stands, in words. */

import type { NodeStarted, RunEvent } from '../../contract/event.ts';
import type { NodeKept, NodeParked } from '../../contract/goal-event.ts';
import { never } from '../../contract/never.ts';
import { counted, summed, timeAt, topLine, type Telling, type Told } from './event-told.ts';
import { blockedWords, failedWords, glyphOf } from './words.ts';

type NodeEvent = Exclude<Extract<RunEvent, { type: `node.${string}` }>, NodeStarted>;

export function nodeTold(event: NodeEvent, telling: Telling): readonly Told[] {
  const { names, screen } = telling;
  const slug = names.slug(event.node);
  switch (event.type) {
    case 'node.achieved':
      return [{ text: `${slug}: achieved ${glyphOf('achieved', screen)}`, tone: 'good' }];
    case 'node.failed': {
      const red = event.red.length === 0 ? '' : ` (red: ${event.red.map((id) => names.slug(id)).join(', ')})`;
      const words = event.detail === '' ? failedWords(event.why) : `failed${summed(event.detail, screen)}`;
      return [{ text: `${slug}: ${words}${red}`, tone: 'bad' }];
    }
    case 'node.blocked': {
      const words = `${blockedWords(event.why)}${summed(event.detail, screen)}`;
      return [{ text: `${slug}: ${words}`, tone: 'bad' }];
    }
    case 'node.retried':
      return [{ text: `${slug}: retried`, tone: 'run' }];
    case 'node.skipped':
      return [{ text: `${slug}: skipped`, tone: 'odd' }];
    case 'node.edited': {
      const parts = (['spec', 'run', 'checks'] as const).filter((part) => event[part] !== null);
      const words = `edited ${parts.join(', ')}, plan v${event.version} ${event.hash}`;
      return [{ text: `${slug}: ${words}`, tone: 'run' }];
    }
    case 'node.parked':
      return [{ text: `${slug}: ${parkedWords(event, telling)}`, tone: 'calm' }];
    case 'node.kept':
      return keptTold(event, telling);
    default:
      return never(event);
  }
}

function parkedWords({ until, pid, detail }: NodeParked, { screen }: Telling): string {
  const sooner = pid === null ? '' : ` or the end of process ${pid}`;
  return `parked until ${timeAt(screen, until)}${sooner}${topLine(detail, screen)}`;
}

/** Nothing is said of work that was cut before it had changed anything. */
function keptTold({ node, patch, files, detail }: NodeKept, { names, screen }: Telling): readonly Told[] {
  const slug = names.slug(node);
  if (patch !== null) {
    return [{ text: `${slug}: ${counted(files, 'changed file')} kept as a patch`, tone: 'calm' }];
  }
  if (files === 0 && detail === null) return [];
  const words = `${counted(files, 'changed file')} not kept as a patch${topLine(detail, screen)}`;
  return [{ text: `${slug}: ${words}`, tone: 'odd' }];
}
