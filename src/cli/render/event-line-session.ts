/** What goes on in a conversation, in quiet lines: who used how much, and which tools. */

import { formatTokens } from '../../contract/amount.ts';
import { never } from '../../contract/never.ts';
import type { SessionEvent, SessionId, ToolTrace, TurnEnded } from '../../contract/session-event.ts';
import type { EventNames, Telling, Told } from './event-told.ts';
import { shareWords } from './budget-words.ts';
import { dot } from './words.ts';

export function sessionTold(event: SessionEvent, telling: Telling): readonly Told[] {
  const { names, screen } = telling;
  const who = whoWords(event.session, names);
  switch (event.type) {
    case 'session.asked':
      return [];
    case 'turn.ended': {
      const arrow = screen.ascii ? ' -> ' : ' → ';
      const calls = event.calls.length === 0 ? '' : arrow + event.calls.join(', ');
      const cut = event.finish === 'length' || event.finish === 'filter' ? ` (cut: ${event.finish})` : '';
      // Of all roles only a worker has rounds.
      const round = event.session.role === 'worker' ? ` round ${event.round}` : '';
      const text = `${who}${round} turn ${event.turn}${dot(screen)}${usedWords(event)}${cut}${calls}`;
      return [{ text, tone: 'calm' }];
    }
    case 'tools.ended':
      return event.results.filter(isNews).map(({ name, line, ok }): Told => ({
        text: `${who} ${ok ? '' : 'failed: '}${line.trim() === '' ? name : line}`,
        tone: 'calm',
      }));
    case 'session.compacted':
      return [{ text: `${who}: the conversation was made shorter`, tone: 'calm' }];
    default:
      return never(event);
  }
}

/** A report that ends a round, and a verdict, are events of their own, which follow. */
function isNews({ name, line, ok }: ToolTrace): boolean {
  if (!ok) return true;
  return name !== 'verdict' && (name !== 'report' || line.startsWith('note'));
}

/** `parse-csv: worker`, `gn-final: skeptic 2`, `planner`. */
export function whoWords({ role, node, seat }: SessionId, names: Pick<EventNames, 'slug'>): string {
  const place = role === 'skeptic' ? `${role} ${seat}` : role;
  return node === null ? place : `${names.slug(node)}: ${place}`;
}

function usedWords({ usage }: TurnEnded): string {
  if (usage === null) return 'nothing reported';
  const { input, cached, output } = usage;
  const share = input === 0 ? '' : ` (${shareWords(cached / input)} cached)`;
  return `${formatTokens(input)} in${share}, ${formatTokens(output)} out`;
}
