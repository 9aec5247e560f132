/** Does the effects of a run that has models: each by its role, commands and checks as in every run. */

import { z } from 'zod';
import { effectKey, type BaseCommand, type CheckCommand, type WakeCommand } from '../../contract/command.ts';
import { never } from '../../contract/never.ts';
import { putBack } from '../../graph/protected.ts';
import { startTimeOf } from '../../os/processes.ts';
import { readAtSnapshot } from '../../os/shadow-git-read.ts';
import type { Perform } from '../drive.ts';
import { guardedCheck } from '../guarded-check.ts';
import { commandEffects } from '../perform.ts';
import { playBrief } from './brief.ts';
import { goalFacts } from './goal-facts.ts';
import { playMove } from './move.ts';
import { playPlan } from './plan.ts';
import { playRound } from './round.ts';
import { playStrategy } from './strategy.ts';
import { playVote } from './vote.ts';
import { failedEffect, type Played, type Playing, type World } from './world.ts';

export function modelPerformer(world: World): Perform {
  const commands = commandEffects(world.runner, world.timeouts);
  const play: Perform = (effect, signal, say) => {
    switch (effect.type) {
      case 'plan':
        return playPlan({ world, effect, signal, say });
      case 'base':
        return takeBase({ world, effect, signal, say });
      case 'brief':
        return playBrief({ world, effect, signal, say });
      case 'round':
        return playRound({ world, effect, signal, say });
      case 'vote':
        return playVote({ world, effect, signal, say });
      case 'strategy':
        return playStrategy({ world, effect, signal, say });
      case 'move':
        return playMove({ world, effect, signal, say });
      case 'wake':
        return waitFor({ world, effect, signal, say });
      case 'check':
        return effect.base === null
          ? commands.check(effect, signal)
          : checkGuarded({ world, effect, signal, say });
      case 'work':
        return commands.work(effect, signal);
      default:
        return never(effect);
    }
  };
  return async (effect, signal, say) => {
    try {
      return await play(effect, signal, say);
    } catch (error) {
      // The workspace may go away at any time; what is no word of the system's is a bug.
      if (!isOfSystem(error)) throw error;
      return signal.aborted ? null : failedEffect(effectKey(effect), { why: 'infra', detail: error.message });
    }
  };
}

function isOfSystem(error: unknown): error is Error {
  return error instanceof Error && 'syscall' in error;
}

async function takeBase({ world, effect, signal }: Playing<BaseCommand>): Played {
  const { node, epoch, attempt } = effect;
  const tree = await world.shadow.snapshot();
  if (signal.aborted) return null;
  if (!tree.ok) return failedEffect(effectKey(effect), { why: 'infra', detail: tree.fault.message });
  return { type: 'base.ended', node, epoch, attempt, tree: tree.value };
}

async function checkGuarded({ world, effect, signal, say }: Playing<CheckCommand>): Played {
  const state = say.state();
  const { node, plan, final } = goalFacts(state, effect);
  // At the end it is all nodes' work that is looked at, from before the first of them.
  const base = (final ? state.base : null) ?? effect.base;
  const nodes = final ? plan.nodes.slice(0, -1) : [node];
  const scripts = await scriptsAt(world, base);
  const frozen = nodes.flatMap((one) => one.frozen);
  const scopes = nodes.map(({ scope }) => scope);
  const end = await guardedCheck(
    {
      ...world,
      timeout: node.timeout ?? world.timeouts.check,
      putBack: ({ run }, { filesAtBase, changed }) =>
        putBack({ check: run, files: filesAtBase, changed, frozen, scopes, scripts }),
    },
    { ...effect, base },
    signal,
  );
  if (end.type === 'check.ended') return end;
  return signal.aborted ? null : failedEffect(effectKey(effect), end);
}

/** The package's scripts as the node found them; null when there are none that can be read. */
async function scriptsAt(
  world: World,
  base: string | null,
): Promise<Readonly<Record<string, string>> | null> {
  const file = base === null ? null : await readAtSnapshot(world, base, 'package.json');
  if (!file?.ok || file.value === null) return null;
  try {
    return packageScripts.parse(JSON.parse(file.value.toString('utf8'))).scripts;
  } catch {
    return null;
  }
}

const packageScripts = z.object({ scripts: z.record(z.string(), z.string()).default({}) });

/** Milliseconds between looks at a process that is waited for. */
const LOOK = 5_000;

/** Until its time, or until the process has ended. */
function waitFor({ world, effect, signal }: Playing<WakeCommand>): Played {
  const { node, epoch, attempt, round, until, pid } = effect;
  const woken = { type: 'wake.ended', node, epoch, attempt, round } as const;
  const { clock } = world;
  // The number may belong to another process by the time of a later look.
  const started = pid === null ? null : startTimeOf(pid);
  return new Promise((resolve) => {
    let cancel: () => void = () => undefined;
    const end = (answer: typeof woken | null) => {
      cancel();
      signal.removeEventListener('abort', aborted);
      resolve(answer);
    };
    const aborted = () => end(null);
    const look = () => {
      const over = pid !== null && (started === null || startTimeOf(pid) !== started);
      if (over || clock.now() >= until) {
        end(woken);
        return;
      }
      const next = pid === null ? until : Math.min(until, clock.now() + LOOK);
      cancel = clock.at(next, look);
    };
    signal.addEventListener('abort', aborted, { once: true });
    if (signal.aborted) end(null);
    else look();
  });
}
