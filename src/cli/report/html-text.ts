/**
 * HTML that cannot be broken by what it is filled with: a text that goes into the template is escaped, always, and what
 * is not escaped has another type.
 */

import { plain } from '../render/text.ts';

export interface Html {
  readonly html: string;
}

type Filling = Html | readonly Html[] | string | number;

export function html(parts: TemplateStringsArray, ...values: readonly Filling[]): Html {
  const text = parts.map((part, i) => part + (i < values.length ? filled(values[i] ?? '') : '')).join('');
  return { html: text };
}

export const NOTHING: Html = { html: '' };

function filled(value: Filling): string {
  if (typeof value === 'number') return String(value);
  if (typeof value === 'string') return escaped(plain(value));
  return 'html' in value ? value.html : value.map(({ html: each }) => each).join('');
}

/** The lines of a text, for places that keep them. */
export function linesHtml(text: string): Html {
  const lines = text.trimEnd().split(/\r\n|\r|\n/);
  return { html: lines.map((line) => escaped(plain(line))).join('\n') };
}

/** In elements and in quoted attributes alike. */
function escaped(text: string): string {
  return text.replace(/[&<>"'`]/g, (sign) => `&#${sign.charCodeAt(0)};`);
}
