/** What a conversation must still know after its older part was replaced by a summary. */

import type { Brief, Gap } from '../../contract/goal.ts';
import { bullets, fenced } from './fence.ts';
import { briefPart, gapsPart, nodePart, objectivePart, paragraphs, type NodeText } from './parts.ts';

export interface KeepInput {
  readonly objective: string;
  readonly node: NodeText;
  readonly brief: Brief | null;
  /** Still open. */
  readonly gaps: readonly Gap[];
  /** Commands with their results, files: what a claim can rest on. */
  readonly evidence: readonly string[];
}

export function keepText({ objective, node, brief, gaps, evidence }: KeepInput): string {
  return paragraphs(
    'The older part of this conversation was replaced by a summary. What you are held to has not changed:',
    objectivePart(objective),
    nodePart(node),
    briefPart(brief),
    gaps.length === 0 ? 'No gap is open at present.' : 'Gaps that are still open:',
    gapsPart(gaps),
    evidence.length === 0
      ? null
      : fenced(
          'Evidence so far, which may be older than the last change',
          bullets(evidence, { items: 50, each: 1_000 }),
          {
            max: 12_000,
          },
        ),
    'The workspace holds all that was written. Every round still ends with report.',
  );
}
