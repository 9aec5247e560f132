/** The timeline in words. */

import { formatDuration } from '../../contract/amount.ts';
import { firstLine } from '../render/text.ts';
import { cutText } from './caps.ts';
import { stamp } from './tables.ts';
import { busy, type Pause, type SegmentKind, type TimelineRow } from './timeline.ts';

export const KIND_WORDS: Readonly<Record<SegmentKind, string>> = {
  work: 'at work',
  verify: 'checked and verified',
  parked: 'waiting for something',
};

const WHY: Readonly<Record<Pause['why'], string>> = {
  user: 'a person paused it',
  deadline: 'its time was used up',
  budget: 'its budget was used up',
  moves: 'its flow had made all its moves',
  provider: 'the provider refused, or could not be reached',
  infra: 'something outside of it stopped it',
  stuck: 'nothing was left that could run',
  approval: 'its plan waited for a yes',
  gone: 'its process was gone',
};

/** `stood still for 7h30m from … to …: its budget was used up`. */
export function pauseWords({ why, detail = '', from, to }: Pause): string {
  const words = `stood still for ${formatDuration(to - from)} from ${stamp(from)} to ${stamp(to)}`;
  const said = cutText(firstLine(detail), MOST_SAID);
  // Of flows, which say all of it themselves.
  if (said !== '' && (why === 'stuck' || why === 'moves')) return `${words}: ${said}`;
  return said === '' ? `${words}: ${WHY[why]}` : `${words}: ${WHY[why]} (${said})`;
}

/** Characters of what was said of the trouble. */
const MOST_SAID = 200;

export interface RowTimes {
  readonly from: number;
  readonly to: number;
  /** Milliseconds at work or verified. */
  readonly busy: number;
  readonly parked: number;
}

export function rowTimes({ segments }: TimelineRow): RowTimes {
  const parked = segments.reduce(
    (sum, each) => (each.kind === 'parked' ? sum + each.to - each.from : sum),
    0,
  );
  return { from: segments[0]?.from ?? 0, to: segments.at(-1)?.to ?? 0, busy: busy(segments), parked };
}
