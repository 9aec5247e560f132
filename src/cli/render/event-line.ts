/** Stored events in words, one line each, for logs and pipes. A few have none, and a few have more than one. */

import type { RunEvent } from '../../contract/event.ts';
import { never } from '../../contract/never.ts';
import { budgetTold } from './event-line-budget.ts';
import { checkTold, lateTold, startTold, workTold } from './event-line-command.ts';
import { flowTold } from './event-line-flow.ts';
import { goalTold } from './event-line-goal.ts';
import { nodeTold } from './event-line-node.ts';
import { runTold } from './event-line-run.ts';
import { sessionTold } from './event-line-session.ts';
import { timeAt, type EventNames, type EventScreen, type Telling, type Told } from './event-told.ts';
import { clip, plain } from './text.ts';

const TONES = { good: 'green', bad: 'red', odd: 'yellow', calm: 'dim', run: 'bold' } as const;

export function eventLines(event: RunEvent, names: EventNames, screen: EventScreen): readonly string[] {
  const { palette, ascii, columns } = screen;
  const time = plain(timeAt(screen, event.at), ascii);
  return told(event, { names, screen }).map(({ text, tone }) => {
    const line = `${time} ${plain(text, ascii).trimEnd()}`;
    return palette[TONES[tone]](clip(line, columns, ascii));
  });
}

function told(event: RunEvent, telling: Telling): readonly Told[] {
  switch (event.type) {
    case 'run.created':
    case 'run.planned':
    case 'plan.refused':
    case 'run.approved':
    case 'run.restored':
    case 'run.paused':
    case 'run.resumed':
    case 'run.completed':
    case 'run.cleared':
    case 'effect.failed':
      return runTold(event, telling);
    case 'node.started':
      return [startTold(event, telling)];
    case 'work.ended':
      return [workTold(event, telling)];
    case 'check.ended':
      return [checkTold(event, telling)];
    case 'late':
      return [lateTold(event, telling)];
    case 'node.achieved':
    case 'node.failed':
    case 'node.blocked':
    case 'node.retried':
    case 'node.skipped':
    case 'node.edited':
    case 'node.parked':
    case 'node.kept':
      return nodeTold(event, telling);
    case 'base.ended':
    case 'brief.ended':
    case 'round.ended':
    case 'vote.ended':
    case 'strategy.ended':
    case 'wake.ended':
      return goalTold(event, telling);
    case 'move.ended':
    case 'flow.chosen':
      return [flowTold(event, telling)];
    case 'session.asked':
    case 'turn.ended':
    case 'tools.ended':
    case 'session.compacted':
      return sessionTold(event, telling);
    case 'budget.reserved':
    case 'budget.waiting':
    case 'budget.tripped':
    case 'budget.charged':
    case 'budget.released':
    case 'budget.added':
      return budgetTold(event);
    default:
      return never(event);
  }
}
