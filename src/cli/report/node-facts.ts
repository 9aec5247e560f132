/** What a node took, as facts for one line. */

import { formatDuration, formatTokens } from '../../contract/amount.ts';
import { shareWords } from '../render/budget-words.ts';
import { counted } from '../render/event-told.ts';
import { CAPS, some } from './caps.ts';
import type { GoalReport, NodeReport } from './node-report.ts';
import { stamp } from './tables.ts';

export function nodeFacts({ deps, tries, rerun, ms, goal }: NodeReport): readonly string[] {
  return [
    ...(deps.length === 0 ? [] : [`after ${listed(deps)}`]),
    ...(tries > 1 || rerun ? [`${tries === 1 ? '1 try' : `${tries} tries`}${rerun ? RERUN : ''}`] : []),
    ...(ms > 0 ? [`${formatDuration(ms)} at work`] : []),
    ...(goal === null ? [] : goalFacts(goal)),
  ];
}

const RERUN = ', begun again after a cut';

export function listed(names: readonly string[]): string {
  const { shown, more } = some(names, CAPS.texts);
  return shown.join(', ') + (more > 0 ? ` and ${more} more` : '');
}

function goalFacts({
  rounds,
  verifications,
  turns,
  tokens,
  sameShare,
  until,
}: GoalReport): readonly string[] {
  return [
    ...(rounds > 0 ? [counted(rounds, 'round')] : []),
    ...(verifications > 0 ? [counted(verifications, 'verification')] : []),
    ...(turns > 0 ? [`${counted(turns, 'request')}, ${formatTokens(tokens)} tokens`] : []),
    ...(sameShare === null ? [] : [`${shareWords(sameShare)} of the input repeated`]),
    ...(until === null ? [] : [`waits until ${stamp(until)}`]),
  ];
}
