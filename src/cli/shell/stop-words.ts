/**
 * Words that pause a run when they are all that a line says. An exact set: `stop`, `pause`, `wait` or `halt`, alone or with
 * `please` and `now` around it, in any case, ending in marks or not. "Stop the server first" is not one of them.
 */

export const STOP_WORDS = ['stop', 'pause', 'wait', 'halt'] as const;

const STOP = new RegExp(
  `^(?:please[ ,]+)?(?:${STOP_WORDS.join('|')})(?: (?:it|now|please|now please))?[.!…]*$`,
  'i',
);

export function asksToStop(text: string): boolean {
  return STOP.test(text.trim().replace(/\s+/g, ' '));
}
