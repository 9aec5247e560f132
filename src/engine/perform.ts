/** Does the effects of command nodes: the node's own command, and its checks. */

import { effectKey, type CheckCommand, type Fence, type WorkCommand } from '../contract/command.ts';
import type { CheckEnded, Ended, WorkEnded } from '../contract/event.ts';
import type { Runner } from '../contract/ports.ts';
import type { Perform } from './drive.ts';

/** Milliseconds a command may take when its node does not say. */
export interface Timeouts {
  readonly run: number;
  readonly check: number;
}

export const DEFAULT_TIMEOUTS: Timeouts = { run: 30 * 60_000, check: 10 * 60_000 };

/** Of a run without models: it owes nothing but commands. */
export function commandPerformer(runner: Runner, timeouts: Timeouts): Perform {
  const commands = commandEffects(runner, timeouts);
  return (effect, signal) => {
    switch (effect.type) {
      case 'work':
        return commands.work(effect, signal);
      case 'check':
        return commands.check(effect, signal);
      default:
        throw new Error(`${effect.type} needs a model, and this run has none`);
    }
  };
}

export interface CommandEffects {
  work(effect: WorkCommand, signal: AbortSignal): Promise<Omit<WorkEnded, 'at'>>;
  check(effect: CheckCommand, signal: AbortSignal): Promise<Omit<CheckEnded, 'at'>>;
}

export function commandEffects(runner: Runner, timeouts: Timeouts): CommandEffects {
  return { work, check };

  async function work(effect: WorkCommand, signal: AbortSignal) {
    const timeout = effect.timeout ?? timeouts.run;
    const end = await runner.run({ key: effectKey(effect), command: effect.run, timeout }, signal);
    return { type: 'work.ended', ...fenceOf(effect), rerun: effect.rerun, ...end } as const;
  }

  async function check(effect: CheckCommand, signal: AbortSignal) {
    const tree = await runner.fingerprint();
    const reused = tree !== null && tree === effect.green;
    const job = { key: effectKey(effect), command: effect.run, timeout: timeouts.check };
    const end = reused ? GREEN : await runner.run(job, signal);
    const { check } = effect;
    return { type: 'check.ended', ...fenceOf(effect), check, tree, reused, restored: [], ...end } as const;
  }
}

/** The end of a check that need not run: it was green on this very tree. */
export const GREEN: Ended = {
  outcome: 'exit',
  exit: 0,
  detail: null,
  ms: 0,
  output: null,
  bytes: 0,
  tail: '',
};

export function fenceOf({ node, epoch, attempt }: Fence): Fence {
  return { node, epoch, attempt };
}
