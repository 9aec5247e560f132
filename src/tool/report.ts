/** How a worker says where it stands. The tool only takes it; what follows is the engine's to decide. */

import { z } from 'zod';
import { ok } from '../contract/fault.ts';
import type { Report, Tool } from '../contract/tool.ts';
import { defineTool } from './define.ts';

/** A parked node costs nothing, but nobody should wait for it for ever. */
const LONGEST_WAIT_HOURS = 24;
const HOUR = 3_600_000;

const line = z.string().trim().min(1).max(2_000);

const fields = {
  status: z
    .enum(['done', 'blocked', 'wait', 'note'])
    .describe(
      'done: all of it is finished. blocked: it cannot be. wait: something must happen first. note: go on.',
    ),
  summary: z.string().trim().min(1).max(8_000).describe('What was done, or what stands in the way.'),
  evidence: z.array(line).max(50).optional().describe('What shows it: commands with their results, files.'),
  discovered: z
    .array(line)
    .max(20)
    .optional()
    .describe('Work found on the way that is not part of this task.'),
  wait_minutes: z
    .number()
    .positive()
    .max(LONGEST_WAIT_HOURS * 60)
    .optional()
    .describe('With wait: how long.'),
};

const forTime = z.strictObject(fields).superRefine((report, context) => {
  if ((report.status === 'wait') === (report.wait_minutes !== undefined)) return;
  const message = 'wait needs wait_minutes; no other status has it';
  context.addIssue({ code: 'custom', message, path: ['status'] });
});

const process = z
  .int()
  .min(2)
  .max(4_194_304)
  .optional()
  .describe('With wait: the process whose end is awaited.');

const forProcesses = z.strictObject({ ...fields, wait_process: process }).superRefine((report, context) => {
  const named = [report.wait_minutes, report.wait_process].filter((wait) => wait !== undefined).length;
  if (report.status === 'wait' ? named === 1 : named === 0) return;
  const message = 'wait needs wait_minutes or wait_process, one of them; no other status has one';
  context.addIssue({ code: 'custom', message, path: ['status'] });
});

type Said = z.output<typeof forTime> & { readonly wait_process?: number | undefined };

/** `processes`: whether it may wait for one; in a sandbox their numbers mean nothing outside. */
export function reportTool(
  take: (report: Report) => void,
  { processes }: { readonly processes: boolean },
): Tool {
  const name = 'report';
  const description =
    'Says where this task stands. A claim of done is checked by commands and by others; give the evidence they need.';
  const run = (said: Said) => {
    const { status, summary, evidence = [], discovered = [] } = said;
    take({ status, summary, evidence, discovered, wait: waitOf(said) });
    const firstLine = summary.split('\n')[0] ?? '';
    return Promise.resolve(ok({ forModel: 'Noted.', forPerson: `${status}: ${firstLine.slice(0, 200)}` }));
  };
  return processes
    ? defineTool({ name, description, schema: forProcesses, run })
    : defineTool({ name, description, schema: forTime, run });
}

function waitOf(args: Said): Report['wait'] {
  if (args.wait_minutes !== undefined) {
    return { kind: 'time', ms: Math.min(LONGEST_WAIT_HOURS * HOUR, Math.ceil(args.wait_minutes * 60_000)) };
  }
  return args.wait_process === undefined ? null : { kind: 'process', pid: args.wait_process };
}
