/** What the gate found, as compilers say it: `file:line: error[code] slug: message`, one line each. */

import type { Place, PlanFault, PlanWarning } from '../../contract/fault.ts';
import type { Screen } from './screen.ts';
import { plain } from './text.ts';

/** Never clipped: the message names the fix. */
export function faultLines(
  faults: readonly PlanFault[],
  warnings: readonly PlanWarning[],
  screen: Pick<Screen, 'palette' | 'ascii'>,
): readonly string[] {
  const { palette } = screen;
  return [
    ...faults.map((fault) => lineOf(fault, palette.red(`error[${fault.code}]`), screen)),
    ...warnings.map((warning) => lineOf(warning, palette.yellow(`warning[${warning.code}]`), screen)),
  ];
}

function lineOf(
  found: Pick<PlanFault, 'place' | 'slug' | 'message'>,
  code: string,
  { palette, ascii }: Pick<Screen, 'palette' | 'ascii'>,
): string {
  const place = found.place === null ? '' : `${palette.bold(plain(placeWords(found.place), ascii))}: `;
  const slug = found.slug === null ? '' : ` ${plain(found.slug, ascii)}:`;
  return `${place}${code}${slug} ${plain(found.message, ascii).trim()}`.trimEnd();
}

function placeWords({ file, line }: Place): string {
  return line === null ? file : `${file}:${line}`;
}
