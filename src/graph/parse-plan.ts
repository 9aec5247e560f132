/** Text → draft, whatever the text is. */

import { never } from '../contract/never.ts';
import { CAPS, type Draft, type PlanSource } from './draft.ts';
import { unreadable } from './draft-parts.ts';
import { fault, newNotes } from './notes.ts';
import { parseJson } from './plan-json.ts';
import { parseMarkdown } from './plan-markdown.ts';

export interface PlanText {
  readonly text: string;
  /** Names the text in faults: a path, or what the model's answer is called. */
  readonly file: string;
  readonly source: PlanSource;
  readonly format: 'markdown' | 'json';
}

/** Never throws: what cannot be read is a fault in the draft. */
export function parsePlan(plan: PlanText): Draft {
  const { text, file, source, format } = plan;
  const cap = CAPS[source].bytes;
  if (isLonger(text, cap)) {
    const notes = newNotes(file);
    const message = `the plan is longer than ${cap / 1024} KiB: shorten the specs, or name files instead of quoting them`;
    fault(notes, 'too_long', { witness: `${cap} bytes`, message });
    return unreadable(notes);
  }
  switch (format) {
    case 'markdown':
      return parseMarkdown(text, file, source);
    case 'json':
      return parseJson(text, file, source);
    default:
      return never(format);
  }
}

/** Whether a text has more than `cap` bytes in UTF-8; most need no counting. */
function isLonger(text: string, cap: number): boolean {
  if (text.length > cap) return true;
  return text.length * 3 > cap && new TextEncoder().encode(text).length > cap;
}
