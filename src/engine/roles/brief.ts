/** How a briefer hands in the criteria of a node: by a tool, or as JSON in its reply. */

import { z } from 'zod';
import { ok } from '../../contract/fault.ts';
import type { Brief } from '../../contract/goal.ts';
import type { Tool } from '../../contract/tool.ts';
import { readJson } from '../../graph/json-text.ts';
import { defineTool } from '../../tool/define.ts';

const LONGEST = 1_000;
const MOST_NON_GOALS = 12;

const schema = z.strictObject({
  criteria: z
    .array(
      z.strictObject({
        text: z.string().trim().min(1).describe('What is run or looked at, and what must be seen.'),
        kind: z
          .enum(['gating', 'evidence'])
          .describe('gating: without it the task is not done. evidence: it helps.'),
      }),
    )
    .min(1)
    .max(7)
    .refine((criteria) => criteria.some(({ kind }) => kind === 'gating'), 'at least one criterion is gating')
    .describe('Three to five.'),
  non_goals: z.array(z.string().trim().min(1)).optional().describe('What is not part of the task.'),
});

export function submitBriefTool(take: (brief: Brief) => void): Tool {
  return defineTool({
    name: 'submit_brief',
    description: 'Hands in the acceptance criteria and the non-goals of the task. Call it once.',
    schema,
    run: (args) => {
      const brief = briefOf(args);
      take(brief);
      const forPerson = `${brief.criteria.length} criteria`;
      return Promise.resolve(ok({ forModel: 'Taken. Stop here.', forPerson }));
    },
  });
}

/** The brief in a reply that holds it as its one JSON object; null when there is none that can be used. */
export function briefFromText(text: string): Brief | null {
  const json = readJson(text.replace(/^\uFEFF/, ''), 'planner');
  if (!json.ok) return null;
  const parsed = schema.safeParse(json.object);
  return parsed.success ? briefOf(parsed.data) : null;
}

function briefOf({ criteria, non_goals: nonGoals = [] }: z.output<typeof schema>): Brief {
  return {
    criteria: criteria.map(({ text, kind }) => ({ text: clipped(text), gating: kind === 'gating' })),
    nonGoals: nonGoals.slice(0, MOST_NON_GOALS).map(clipped),
  };
}

function clipped(text: string): string {
  return text.length > LONGEST ? `${text.slice(0, LONGEST).replace(/[\ud800-\udbff]$/, '')}…` : text;
}
