/** The last lines of an output, fit to be shown in a terminal and stored in an event. */
export function lastLines(bytes: Uint8Array, max = 2_000): string {
  // No character takes more than three bytes for each of the units that `max` counts; a first one that the cut
  // has damaged is not among the last ones.
  const window = bytes.subarray(Math.max(0, bytes.length - 4 * max));
  const text = new TextDecoder().decode(window);
  const shown = visible(text).trimEnd();
  if (shown.length <= max && window.length === bytes.length) return shown;
  const kept = fromWholeCharacter(shown.slice(-(max - 1)));
  const lineBreak = kept.indexOf('\n');
  // Whole lines, unless the first one is most of what there is to see.
  return lineBreak < 0 || lineBreak > max / 2 ? `…${kept}` : kept.slice(lineBreak + 1);
}

/** Replaces what a terminal would obey instead of show, but for line breaks and tabs. */
export function visible(text: string): string {
  return text.replaceAll('\r\n', '\n').replaceAll(UNSEEN, (character) => {
    const code = character.charCodeAt(0);
    return code < 0x100
      ? `\\x${code.toString(16).padStart(2, '0')}`
      : `\\u${code.toString(16).padStart(4, '0')}`;
  });
}

/** Control characters, and what turns the direction of the text around. */
const UNSEEN = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069]/g;

function fromWholeCharacter(text: string): string {
  return /^[\udc00-\udfff]/.test(text) ? text.slice(1) : text;
}
