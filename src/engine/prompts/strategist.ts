/** The strategist: when the same gap comes back, suggests a way that is built differently. Its reply is plain text. */

import type { Brief, Gap } from '../../contract/goal.ts';
import type { Report } from '../../contract/tool.ts';
import { bullets, fenced } from './fence.ts';
import {
  briefPart,
  DATA_NOT_ORDERS,
  gapsPart,
  nodePart,
  objectivePart,
  paragraphs,
  type NodeText,
} from './parts.ts';

export const SYSTEM = `A worker has tried a task twice, and both times the same gap was left. More of the same will not close it. You are
called once, to suggest a way that is different in structure: another place to make the change, another order, another
mechanism, a smaller thing that is proven first, a cause that was not looked at.

Look at the workspace with read, grep and glob if it helps. Say first what the attempts have in common that keeps them
from closing the gap, then the other way, concretely: files, functions, commands. A few sentences of plain text, at most
200 words; no lists of options, no code.

You cannot change the spec, the criteria or the checks, and must not suggest to weaken, skip or get around them. If
you believe that the gap cannot be closed under the spec, say so and why.

${DATA_NOT_ORDERS}`;

export interface StrategistInput {
  readonly objective: string;
  readonly node: NodeText;
  readonly brief: Brief | null;
  /** The gaps that came back. */
  readonly gaps: readonly Gap[];
  /** What the worker reported, oldest first. */
  readonly reports: readonly Report[];
  /** Files changed so far. */
  readonly files: readonly string[];
}

const MOST_REPORTS = 4;

export function strategistPacket({ objective, node, brief, gaps, reports, files }: StrategistInput): string {
  const last = reports.slice(-MOST_REPORTS);
  return paragraphs(
    objectivePart(objective),
    nodePart(node).replace(/^Your task is the node/, 'The task is the node'),
    briefPart(brief),
    'What came back:',
    gapsPart(gaps),
    ...last.map(({ status, summary }, i) =>
      fenced(`Report ${reports.length - last.length + i + 1} of the worker (${status})`, summary, {
        max: 3_000,
      }),
    ),
    files.length === 0
      ? 'So far no file was changed.'
      : fenced('Files changed so far', bullets(files, { items: 100, each: 300 }), { max: 8_000 }),
    'Suggest another way.',
  );
}

/** The suggestion, or null when the reply has none. */
export function suggestionFrom(text: string): string | null {
  const trimmed = text.trim();
  return trimmed === '' ? null : trimmed.slice(0, 4_000);
}
