/** What an agent chose: read out of its last words. */

const TAG = /<\/?choice>/g;

/**
 * The content of the last pair of choice tags, without blanks around it: `''` for an empty one, null without any. Tags
 * are exact, and of tags within tags the inner ones count.
 */
export function lastChoice(text: string): string | null {
  let open = -1;
  let choice: string | null = null;
  for (const { 0: tag, index } of text.matchAll(TAG)) {
    if (tag === '<choice>') open = index + tag.length;
    else if (open >= 0) {
      choice = stripped(text.slice(open, index));
      open = -1;
    }
  }
  return choice;
}

/** Separators of files, groups, records and units, and the next line, are blanks to whoever wrote them, too. */
const BLANK = /[\s\x1c-\x1f\x85]/;

function stripped(text: string): string {
  let from = 0;
  let to = text.length;
  while (from < to && BLANK.test(text.charAt(from))) from++;
  while (to > from && BLANK.test(text.charAt(to - 1))) to--;
  return text.slice(from, to);
}
