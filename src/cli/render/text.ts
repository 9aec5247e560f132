/**
 * Text for one line of a terminal. Run data is hostile until it has been through `plain`: titles and output come
 * from models and from commands, and a terminal obeys what it is sent. Everything else here takes plain text.
 */

import stringWidth from 'string-width';

const PRINTABLE_ASCII = /^[\x20-\x7e]*$/;

/** One column a character for certain: ASCII and the signs that are ours. Asking string-width takes 100 times longer. */
const NARROW = /^[\x20-\x7e✓►◇◷○·✗⊘‖»–…→▼\u2500-\u257f]*$/;

const BREAKS = /\r\n|[\n\t\u0085\u2028\u2029]/g;

/** Blanks that only look like the blank. The ideographic one stays: it is two columns wide. */
const ODD_BLANKS = /(?!\u3000)\p{Zs}/gu;

/**
 * Controls, bidi overrides, and what takes no room and so can hide text: escaped, unless an emoji needs it. The
 * first two alternatives are what an emoji may need: joiners between at most four parts, a presentation selector.
 */
const EMOJI_OR_HIDDEN =
  /(\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?(?:\u200d\p{Extended_Pictographic}(?:\ufe0f|\p{Emoji_Modifier})?){1,3}|\p{Emoji}\ufe0f)|[\p{Cc}\p{Cf}\p{Cs}\p{Default_Ignorable_Code_Point}]/gu;

/** More marks on one letter than any script needs climb over the lines around it. */
const PILED_MARKS = /(?<=[\p{Mn}\p{Me}]{4})[\p{Mn}\p{Me}]/gu;

/** A mark without a letter would sit on whatever stands before the text. */
const BARE_MARK = /^(?=\p{M})/u;

const NOT_ASCII = /[^\x20-\x7e]/gu;

/** One line of text that a terminal only shows: no controls, no bidi tricks, nothing invisible. */
export function plain(text: string, ascii = false): string {
  if (PRINTABLE_ASCII.test(text)) return text;
  const line = text.replace(BREAKS, ' ').replace(ODD_BLANKS, ' ');
  if (ascii) return line.replace(NOT_ASCII, escape);
  return line
    .replace(EMOJI_OR_HIDDEN, (found, emoji: string | undefined) => emoji ?? escape(found))
    .replace(PILED_MARKS, escape)
    .replace(BARE_MARK, '\u25cc');
}

/** Display columns of plain text. */
export function width(text: string): number {
  return NARROW.test(text) ? text.length : stringWidth(text);
}

/**
 * Plain text cut to at most this many columns, an ellipsis where it was cut; never half a character. Without blanks
 * at the end: most of what is clipped ends a line.
 */
export function clip(text: string, columns: number, ascii = false): string {
  if (text.length <= columns && NARROW.test(text)) return text.trimEnd();
  const dots = (ascii ? '...' : '…').slice(0, Math.max(0, columns));
  const room = columns - dots.length;
  let used = 0;
  let keep = 0;
  for (const { segment, index } of graphemes.segment(text)) {
    used += width(segment);
    if (used > columns) return text.slice(0, keep).trimEnd() + dots;
    if (used <= room) keep = index + segment.length;
  }
  return text.trimEnd();
}

/** Like `clip`, but cuts out the middle: for names, which often differ only at their ends. */
export function clipMiddle(text: string, columns: number, ascii = false): string {
  if (width(text) <= columns) return text;
  const dots = ascii ? '..' : '…';
  const room = columns - dots.length;
  if (room < 4) return clip(text, columns, ascii);
  const signs = [...graphemes.segment(text)].map(({ segment }) => segment);
  const take = (from: readonly string[], most: number): readonly string[] => {
    let used = 0;
    const end = from.findIndex((sign) => (used += width(sign)) > most);
    return from.slice(0, end);
  };
  const tail = take(signs.toReversed(), Math.floor(room / 2)).toReversed();
  return take(signs, Math.ceil(room / 2)).join('') + dots + tail.join('');
}

/** Plain text followed by blanks up to this many columns; what is longer stays as it is. */
export function pad(text: string, columns: number): string {
  return text + ' '.repeat(Math.max(0, columns - width(text)));
}

/** Joins the parts with the separator into lines of at most this many columns; a part alone too long is clipped. */
export function flow(
  parts: readonly string[],
  {
    columns,
    separator,
    ascii,
  }: { readonly columns: number; readonly separator: string; readonly ascii: boolean },
): readonly string[] {
  const lines: string[] = [];
  let line: string | null = null;
  for (const part of parts) {
    const longer: string = line === null ? part : line + separator + part;
    if (line !== null && width(longer) > columns) {
      lines.push(clip(line, columns, ascii));
      line = part;
    } else {
      line = longer;
    }
  }
  if (line !== null) lines.push(clip(line, columns, ascii));
  return lines;
}

/**
 * Plain text as at most this many lines of whole words, with its blanks as they are but for those at the ends of lines;
 * the last one ends in an ellipsis when there was more. Only a word longer than a line is divided.
 */
export function wrap(
  text: string,
  { columns, most, ascii }: { readonly columns: number; readonly most: number; readonly ascii: boolean },
): readonly string[] {
  const lines: string[] = [];
  for (const line of wrapped(text.trim(), Math.max(1, columns))) {
    lines.push(clip(line, columns, ascii));
    if (lines.length > most) break;
  }
  if (lines.length <= most) return lines;
  const last = lines.slice(most - 1).join(' ');
  return [...lines.slice(0, most - 1), clip(last, columns, ascii)];
}

function* wrapped(text: string, columns: number): Generator<string> {
  if (columns === Infinity) {
    if (text !== '') yield text;
    return;
  }
  let line = '';
  for (const [, blanks = '', word = ''] of text.matchAll(/( *)([^ ]+)/g)) {
    const longer = line === '' ? word : line + blanks + word;
    if (width(longer) <= columns) {
      line = longer;
      continue;
    }
    if (line !== '') yield line;
    line = '';
    for (const { segment } of graphemes.segment(word)) {
      if (line !== '' && width(line + segment) > columns) {
        yield line;
        line = '';
      }
      line += segment;
    }
  }
  if (line !== '') yield line;
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' });

function escape(character: string): string {
  const code = character.codePointAt(0) ?? 0;
  if (code <= 0xff) return `\\x${code.toString(16).padStart(2, '0')}`;
  return code <= 0xffff ? `\\u${code.toString(16).padStart(4, '0')}` : `\\u{${code.toString(16)}}`;
}

/** An objective may be pages long; its first line is what it is called. */
export function firstLine(text: string): string {
  return text.trim().split(/[\r\n]/, 1)[0] ?? '';
}
