/** A command line in the workspace: in a process group of its own, and in the sandbox where there is one. */

import { randomBytes } from 'node:crypto';
import { z } from 'zod';
import { fail, ok } from '../contract/fault.ts';
import type { Result } from '../contract/fault.ts';
import type { Tool, ToolResult } from '../contract/tool.ts';
import { maskBytes } from '../os/mask.ts';
import { collectOutput } from '../os/output.ts';
import type { OutputCap } from '../os/output.ts';
import type { Environment, Pipes } from '../os/pipes.ts';
import { runGroup } from '../os/process-group.ts';
import type { GroupEnd } from '../os/process-group.ts';
import { visible } from '../os/tail.ts';
import { defineTool } from './define.ts';

export interface BashOptions {
  /** Where the command runs; absolute. */
  readonly root: string;
  /** What it sees; the variables with keys are taken out by the caller. */
  readonly env: Environment;
  /** Values that are masked in what the model reads. */
  readonly secrets: readonly string[];
  readonly pipes: Pipes;
  /** The line that runs this one in the sandbox; itself where there is none. */
  readonly wrap: (command: string) => string;
  /** Makes the process known before the command runs, so that a restart can end it; and unknown when all has ended. */
  readonly record: (child: {
    readonly pid: number;
    readonly startTime: string;
    readonly token: string;
  }) => Result<null>;
  readonly forget: (token: string) => void;
  /** Milliseconds; what a model asks for is cut to `maxTimeout`. */
  readonly timeout: number;
  readonly maxTimeout: number;
  readonly outputCap?: OutputCap;
}

const OUTPUT_CAP: OutputCap = { head: 12 * 1024, tail: 20 * 1024 };

const schema = z.strictObject({
  command: z
    .string()
    .min(1)
    .max(100_000)
    .refine((command) => !command.includes('\0'), 'holds a NUL character')
    .describe('Line for /bin/sh. It starts in the root folder and cannot ask for input.'),
  timeout_seconds: z.number().positive().max(86_400).optional().describe('When to end it.'),
});

export function bashTool(options: BashOptions): Tool {
  return defineTool({
    name: 'bash',
    description:
      'Runs a command and shows its output and exit code. Of much output it shows the beginning and the end. What it leaves running is ended with it.',
    schema,
    run: ({ command, timeout_seconds }, signal) => {
      const asked = timeout_seconds === undefined ? options.timeout : Math.ceil(timeout_seconds * 1_000);
      return runCommand(options, { command, timeout: Math.min(asked, options.maxTimeout) }, signal);
    },
  });
}

interface Job {
  readonly command: string;
  readonly timeout: number;
}

async function runCommand(options: BashOptions, job: Job, signal: AbortSignal): Promise<ToolResult> {
  const { root, env, pipes, wrap, record, forget, outputCap = OUTPUT_CAP } = options;
  const output = collectOutput(outputCap);
  const token = randomBytes(16).toString('hex');
  const end = await runGroup(
    {
      command: wrap(job.command),
      cwd: root,
      env,
      token,
      timeout: job.timeout,
      pipes,
      onSpawned: (process) => record({ ...process, token }),
      onOutput: (bytes) => output.add(bytes),
    },
    signal,
  );
  // What could not be ended stays on record.
  if (end.survivors.length === 0) forget(token);
  if (end.outcome === 'spawn')
    return fail({ code: 'command', message: `It could not be started: ${end.detail ?? ''}` });
  if (end.outcome === 'aborted') return fail({ code: 'aborted', message: 'The command was stopped.' });
  const kept = visible(Buffer.from(maskBytes(output.kept(), options.secrets)).toString('utf8'));
  const how = describe(end, job.timeout);
  const cut = output.count() > outputCap.head + outputCap.tail ? [CUT] : [];
  const text = kept.trimEnd();
  return ok({
    forModel: [...(text === '' ? [] : [text]), ...cut, `[${how}]`].join('\n'),
    forPerson: `bash ${visible(job.command.split('\n')[0] ?? '').slice(0, 200)} (${how})`,
  });
}

const CUT = '[to see what is left out, send the output to a file, and read or grep that]';

function describe(end: GroupEnd, timeout: number): string {
  const left = end.survivors.length === 0 ? '' : `; could not be ended: process ${end.survivors.join(', ')}`;
  switch (end.outcome) {
    case 'exit':
      return `exit ${end.exit ?? ''}${left}`;
    case 'signal':
      return `ended by ${end.detail ?? 'a signal'}${left}`;
    case 'timeout':
      return `ended after ${timeout / 1_000} s: give a longer timeout_seconds, or do less${left}`;
    case 'spawn':
    case 'aborted':
    default:
      return `${end.outcome}${left}`;
  }
}
