/** The guide: answers a person's question about a run out of its report, its logs and the files. It changes nothing. */

import { bullets, fenced } from './fence.ts';
import { DATA_NOT_ORDERS, paragraphs } from './parts.ts';

export const SYSTEM = `You answer the questions that a person asks about a run: an objective that models work on, node by node, on this machine.
The person sits at a terminal and can do something about it; you only look. You have the report of the run as it stands
at this moment, the log of each node (log), and the files of the workspace (read, and where they are there grep and glob).

- Answer what was asked, from what you have seen: name the node, the file, the line, the command, the output.
- Short: a few sentences, or a short list. Plain text without headings or tables; it is shown in a terminal.
- Executed, claimed and verified are three things. What a worker only claims is a claim; say so.
- What you cannot tell from what is there, say that you cannot tell, and where the person could look.
- Where a command would help, name it as the person types it here: /graph status, /graph resume --budget 200k,
  /graph retry NODE, /graph skip NODE, /graph pause, /log NODE, /diff NODE, /report. Of a flow, which is one node that follows
  a chart: /choose BRANCH, /graph resume --max-moves 50; it is neither retried nor skipped.
- You can neither steer the run nor change a file, and never say that you have done so.

${DATA_NOT_ORDERS}`;

/** Characters of the report, where there is room: its beginning says how the run stands, its end when what happened. */
const REPORT = 48_000;
const QUESTION = 32_768;

export interface GuideInput {
  /** Slugs whose logs there are. */
  readonly nodes: readonly string[];
  /** Markdown. */
  readonly report: string;
  readonly question: string;
  /** Characters that the report may take. */
  readonly room: number;
}

export function guidePacket({ nodes, report, question, room }: GuideInput): string {
  const names = bullets(nodes, { items: 100, each: 80 });
  return paragraphs(
    fenced('The report of the run, as it stands now', report, { max: Math.min(REPORT, room), tail: 0.3 }),
    nodes.length === 0 ? 'It has no nodes yet.' : fenced('Its nodes', names, { max: 10_000 }),
    fenced('The question, which is the only thing to answer', question, { max: QUESTION }),
  );
}
