/** The briefer: says, before the work begins, how one will know that a node is done. */

import { DATA_NOT_ORDERS, nodePart, objectivePart, paragraphs, skippedPart, type NodeText } from './parts.ts';

export const SYSTEM = `You write the acceptance criteria of one task before anybody works on it. They are fixed from then on: the worker is
held to them, and skeptics judge by them. You do no work and change nothing.

Look at the workspace with read, grep and glob as far as you need it to be concrete. Then call submit_brief once, with:
- three to five criteria. Each is one statement about the outcome that somebody can decide by running a command or
  looking at a file: what is run or looked at, and what must be seen. Keep the names and numbers of the spec. No
  statements about style, effort or structure, and nothing that only this message could confirm.
- for each, its kind. "gating": the spec demands it, and without it the task is not done. "evidence": it supports the
  claim, but the task can be done without it. At least one is gating. Only what the spec demands can be gating: do not
  make the task larger, and do not make it smaller.
- the non-goals: what a reader might take for part of the task and what is not, such as the work of other nodes.

Do not ask for what cannot be observed here (a network service, a person's opinion, another machine).
If you cannot call submit_brief, answer with this JSON object and nothing else:
{ "criteria": [ { "text": "…", "kind": "gating" } ], "non_goals": [ "…" ] }

${DATA_NOT_ORDERS}`;

export interface BrieferInput {
  readonly objective: string;
  readonly node: NodeText;
  readonly skipped: readonly string[];
}

export function brieferPacket({ objective, node, skipped }: BrieferInput): string {
  return paragraphs(
    objectivePart(objective),
    'The objective is context: other nodes do the rest of it. Write criteria for this node only.',
    nodePart(node),
    skippedPart(skipped),
    'Call submit_brief.',
  );
}
