/** What models did for a node, in words: brief, rounds, votes. All texts come from models. */

import type { RunEvent } from '../../contract/event.ts';
import type { BriefEnded, RoundEnded, VoteEnded } from '../../contract/goal-event.ts';
import { never } from '../../contract/never.ts';
import type { WaitFor } from '../../contract/tool.ts';
import { counted, timeAt, topLine, type Telling, type Told, type Tone } from './event-told.ts';

type GoalEvent = Extract<
  RunEvent,
  { type: 'base.ended' | 'brief.ended' | 'round.ended' | 'vote.ended' | 'strategy.ended' | 'wake.ended' }
>;

export function goalTold(event: GoalEvent, telling: Telling): readonly Told[] {
  const { names, screen } = telling;
  const slug = names.slug(event.node);
  switch (event.type) {
    case 'base.ended':
      return [];
    case 'brief.ended':
      return [briefTold(event, telling)];
    case 'round.ended':
      return [roundTold(event, telling)];
    case 'vote.ended':
      return voteTold(event, telling);
    case 'strategy.ended': {
      if (event.suggestion !== null) {
        return [{ text: `${slug}: strategist${topLine(event.suggestion, screen)}`, tone: 'calm' }];
      }
      return [{ text: `${slug}: the strategist has no other way to suggest`, tone: 'odd' }];
    }
    case 'wake.ended':
      return [{ text: `${slug}: has what it waited for, goes on`, tone: 'calm' }];
    default:
      return never(event);
  }
}

function briefTold({ node, brief, detail }: BriefEnded, { names, screen }: Telling): Told {
  const slug = names.slug(node);
  if (brief === null) {
    return { text: `${slug}: works without a brief${topLine(detail, screen)}`, tone: 'odd' };
  }
  const { criteria } = brief;
  const gating = criteria.filter((criterion) => criterion.gating).length;
  const words = criteria.length === 1 ? '1 criterion' : `${criteria.length} criteria`;
  return { text: `${slug}: brief of ${words}, ${gating} gating`, tone: 'calm' };
}

function roundTold(event: RoundEnded, telling: Telling): Told {
  const { node, round, report, detail } = event;
  const { words, tone } = outcomeTold(event, telling);
  const said = topLine(report?.summary ?? detail, telling.screen);
  return { text: `${telling.names.slug(node)}: round ${round} ${words}${said}`, tone };
}

function outcomeTold(event: RoundEnded, telling: Telling): { readonly words: string; readonly tone: Tone } {
  const { outcome, report, at } = event;
  switch (outcome) {
    case 'claim':
      return { words: 'claims to be done', tone: 'run' };
    case 'blocked':
      return { words: 'says it is blocked', tone: 'odd' };
    case 'wait':
      return { words: `waits${waitWords(report?.wait ?? null, at, telling)}`, tone: 'calm' };
    case 'none':
      return { words: 'ended without a report', tone: 'odd' };
    case 'loop':
      return { words: 'went in a loop', tone: 'odd' };
    case 'failed':
      return { words: 'failed', tone: 'bad' };
    default:
      return never(outcome);
  }
}

function waitWords(wait: WaitFor | null, at: number, { screen }: Telling): string {
  if (wait === null) return '';
  return wait.kind === 'time'
    ? ` until ${timeAt(screen, at + wait.ms)}`
    : ` for the end of process ${wait.pid}`;
}

function voteTold(event: VoteEnded, telling: Telling): readonly Told[] {
  const { node, seat, ballot, injection } = event;
  const { names, screen } = telling;
  const panel = names.panel(node);
  const place = panel === null ? `skeptic ${seat}` : `skeptic ${seat} of ${panel}`;
  const again = ballot > 1 ? `, asked again (${ballot})` : '';
  const who = `${names.slug(node)}: ${place}`;
  const { words, tone } = verdictTold(event, telling);
  const vote: Told = { text: `${who}${again}: ${words}`, tone };
  if (injection === null) return [vote];
  return [
    vote,
    { text: `${who}: something tried to talk it into a verdict${topLine(injection, screen)}`, tone: 'odd' },
  ];
}

function verdictTold(
  { verdict, gaps, why }: VoteEnded,
  { screen }: Telling,
): { readonly words: string; readonly tone: Tone } {
  switch (verdict) {
    case 'achieved':
      return { words: `achieved${topLine(why, screen)}`, tone: 'calm' };
    case 'refuted': {
      const [first = why] = gaps;
      return { words: `refuted, ${counted(gaps.length, 'gap')}${topLine(first, screen)}`, tone: 'odd' };
    }
    case 'unverifiable':
      return { words: `cannot be verified${topLine(why, screen)}`, tone: 'odd' };
    case 'inconclusive':
      return { words: `no verdict${topLine(why, screen)}`, tone: 'odd' };
    default:
      return never(verdict);
  }
}
