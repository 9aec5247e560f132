/** Free text as plans keep it. */

/** Without blank lines before it and blanks after it; its first line keeps its indent. */
export function tidy(text: string): string {
  const trimmed = text.trimEnd();
  const start = trimmed.length - trimmed.trimStart().length;
  return trimmed.slice(trimmed.lastIndexOf('\n', start) + 1);
}

/** On one line, with single blanks. */
export function oneLine(text: string): string {
  const trimmed = text.trim();
  return /\s\s|[^\S ]/.test(trimmed) ? trimmed.replace(/\s+/g, ' ') : trimmed;
}

/** Whether a text has more than `cap` characters, one that takes two code units counted once. */
export function isOver(text: string, cap: number): boolean {
  if (text.length <= cap) return false;
  if (text.length > 2 * cap) return true;
  let count = 0;
  for (const char of text) if (char !== '') count += 1;
  return count > cap;
}
