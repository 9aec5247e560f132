/** The tools of the roles, closed over what each may touch. */

import { fail } from '../../contract/fault.ts';
import type { Tool } from '../../contract/tool.ts';
import { cutsOf } from '../../graph/scope.ts';
import type { WrapOptions } from '../../os/sandbox-policy.ts';
import { bashTool } from '../../tool/bash.ts';
import { editTool } from '../../tool/edit.ts';
import { globTool } from '../../tool/glob.ts';
import { grepTool } from '../../tool/grep.ts';
import { readTool } from '../../tool/read.ts';
import { makePlace, type Place } from '../../tool/resolve.ts';
import { skillTool } from '../../tool/skill.ts';
import { writeTool } from '../../tool/write.ts';
import type { World } from './world.ts';

/** Milliseconds of one command of a model, unless it asks for another. */
const COMMAND = { usual: 2 * 60_000, longest: 30 * 60_000 };

/** Looks, and touches nothing. */
export async function lookingTools(world: World): Promise<readonly Tool[]> {
  const place = await placeOf(world, () => false);
  return [readTool(place), ...searching(world, place)];
}

/** Works in the workspace. Commands may write all of it: what they do outside the scope shows in the difference. */
export async function workingTools(
  world: World,
  { scope, key }: { readonly scope: readonly string[]; readonly key: string },
): Promise<readonly Tool[]> {
  const cuts = cutsOf(scope);
  const place = await placeOf(world, (path) => cuts.some((cut) => `${path}/`.startsWith(cut)));
  return [
    readTool(place),
    writeTool(place),
    editTool(place),
    bashIn(world, { root: world.workspace, key, network: true, home: 'kept' }),
    ...searching(world, place),
    ...(world.skills.length > 0 ? [skillTool(world.skills)] : []),
  ];
}

/**
 * Runs commands in a copy of its own, made when the first one is asked for. Without a copy nothing runs, and `broken`
 * tells why: whoever could not look must not judge.
 */
export function copyBash(
  world: World,
  of: { readonly tree: string; readonly key: string },
): { readonly tool: Tool; broken(): string | null; remove(): Promise<void> } {
  let broken: string | null = null;
  let made: ReturnType<World['copies']['copy']> | null = null;
  const tool = bashIn(world, { root: world.workspace, key: of.key, network: false, home: 'fresh' });
  return {
    broken: () => broken,
    async remove() {
      const copy = made && (await made);
      if (copy?.ok) await copy.value.remove();
    },
    tool: {
      ...tool,
      description: `${tool.description} It runs in a throw-away copy of the workspace, without a network.`,
      async run(args, signal) {
        made ??= world.copies.copy(of.tree);
        const copy = await made;
        if (!copy.ok) {
          broken = copy.fault.message;
          return fail({ code: 'io', message: copy.fault.message });
        }
        const { root } = copy.value;
        return bashIn(world, { root, key: of.key, network: false, home: 'fresh' }).run(args, signal);
      },
    },
  };
}

function searching({ shadow }: World, place: Place): readonly Tool[] {
  const listing = { place, files: () => shadow.files() };
  return [grepTool(listing), globTool(listing)];
}

function placeOf({ workspace, stateDir }: World, mayWrite: Place['mayWrite']): Promise<Place> {
  return makePlace({ root: workspace, stateDir, mayWrite });
}

interface Shell extends WrapOptions {
  readonly root: string;
  readonly key: string;
}

function bashIn(world: World, { root, key, network, home }: Shell): Tool {
  const { run, env, secrets, pipes, wrap, children } = world;
  return bashTool({
    root,
    env,
    secrets,
    pipes,
    wrap: (command) => wrap(command, root, { network, home }),
    record: (child) => children.record({ ...child, run, key }),
    forget: (token) => children.forget(token),
    timeout: COMMAND.usual,
    maxTimeout: COMMAND.longest,
  });
}
