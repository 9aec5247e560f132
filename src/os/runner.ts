/** The port `Runner` on this machine: shell commands in the workspace. */

import { randomBytes } from 'node:crypto';
import type { Ended } from '../contract/event.ts';
import type { Result } from '../contract/fault.ts';
import type { ChildLog, Runner } from '../contract/ports.ts';
import { fingerprint } from './fingerprint.ts';
import { maskBytes } from './mask.ts';
import { collectOutput } from './output.ts';
import type { OutputCap, OutputCollector } from './output.ts';
import { createPipes } from './pipes.ts';
import type { Environment, Pipes } from './pipes.ts';
import { runGroup } from './process-group.ts';
import type { GroupEnd } from './process-group.ts';
import { lastLines } from './tail.ts';

export interface RunnerOptions {
  /** Absolute. */
  readonly workspace: string;
  readonly stateDir: string;
  /** The run whose children are recorded. */
  readonly run: string;
  /** What a command sees; the variables with keys are taken out by the caller. */
  readonly env: Environment;
  /** Values that are masked wherever they turn up in an output. */
  readonly secrets?: readonly string[];
  readonly children: ChildLog;
  readonly putBlob: (bytes: Uint8Array) => Promise<Result<string>>;
  readonly outputCap?: OutputCap;
  /** The line that runs this one in the sandbox; itself where there is none. */
  readonly wrap?: (command: string) => string;
  /** Shared with other runners; without them it has its own, for as long as the process lives. */
  readonly pipes?: Pipes;
  /** Milliseconds. */
  readonly now?: () => number;
}

const OUTPUT_CAP: OutputCap = { head: 256 * 1024, tail: 256 * 1024 };

export function makeRunner(options: RunnerOptions): Runner {
  const { workspace, run, env, children, outputCap = OUTPUT_CAP, now = Date.now } = options;
  const { wrap = (command: string) => command, pipes = createPipes(env) } = options;
  return {
    async run(job, signal) {
      const start = now();
      const output = collectOutput(outputCap);
      const token = randomBytes(16).toString('hex');
      const end = await runGroup(
        {
          command: wrap(job.command),
          cwd: workspace,
          env,
          token,
          timeout: job.timeout,
          pipes,
          onSpawned: (process) => children.record({ ...process, token, run, key: job.key }),
          onOutput: (bytes) => output.add(bytes),
        },
        signal,
      );
      if (end.survivors.length === 0) children.forget(token);
      return describe(end, { ms: Math.max(0, now() - start), ...(await store(output, options)) });
    },
    fingerprint: () => fingerprint(options),
  };
}

type StoredOutput = Pick<Ended, 'output' | 'bytes' | 'tail'>;

/** An output that cannot be stored does not change how the command ended; the last lines then say so. */
async function store(output: OutputCollector, options: RunnerOptions): Promise<StoredOutput> {
  const bytes = output.count();
  if (bytes === 0) return { output: null, bytes, tail: '' };
  const kept = maskBytes(output.kept(), options.secrets ?? []);
  const stored = await options.putBlob(kept);
  if (stored.ok) return { output: stored.value, bytes, tail: lastLines(kept) };
  const note = `\n[the output could not be stored: ${stored.fault.message}]`;
  return { output: null, bytes, tail: lastLines(Buffer.concat([kept, Buffer.from(note)])) };
}

function describe(end: GroupEnd, rest: StoredOutput & Pick<Ended, 'ms'>): Ended {
  const { outcome, exit, survivors } = end;
  const detail = survivors.length === 0 ? end.detail : `could not be ended: process ${survivors.join(', ')}`;
  return { outcome, exit, detail, ...rest };
}
