/** Whether commands of a run are in a sandbox, how they get there, and what holds then and what does not. */

import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import type { Fault } from '../contract/fault.ts';
import type { SandboxMode } from '../contract/settings.ts';
import type { Environment } from './pipes.ts';
import { probeSandbox, sandboxed } from './sandbox.ts';
import type { SandboxSpec } from './sandbox.ts';

export interface SandboxPolicyOptions {
  readonly mode: SandboxMode;
  /** Without it no command has a network, whatever is asked of `wrap`. */
  readonly allowNet: boolean;
  /** Absolute. */
  readonly workspace: string;
  readonly stateDir: string;
  /** Names the run: each has a home folder of its own, in which caches of its workers last. Null: one that ends with the command. */
  readonly run: string | null;
  /** The real home folder. */
  readonly home: string;
  readonly uid: number;
  /** PATH is all that is taken from it. */
  readonly env: Environment;
}

export interface WrapOptions {
  readonly network: boolean;
  /** `kept`: the one of the run. What judges the work of a command must not find its settings there: `fresh`. */
  readonly home: 'kept' | 'fresh';
}

export type SandboxPolicy =
  | {
      readonly ok: true;
      /** The line that runs this one; `root` is the workspace, or a copy of it, and the one place to write to. */
      readonly wrap: (command: string, root: string, options: WrapOptions) => string;
      /** Why there is no sandbox, in words; null when there is one. */
      readonly why: string | null;
      /** Sentences for `doctor` and the report: what holds for commands, and what does not. */
      readonly holds: readonly string[];
      readonly missing: readonly string[];
    }
  | { readonly ok: false; readonly fault: Fault };

const NOT_WRITTEN = 'A command writes in the workspace and its private home only.';
const NOT_READ = 'A command sees neither the state directory nor known credential files.';
const NOT_REACHED = 'A command has no network.';
const ALL_ENDED = 'Whatever a command starts ends with it.';
/** By other means than a sandbox. */
const NO_KEYS = 'Keys of model providers are not in the environment of commands.';
const ALWAYS_OPEN = 'A command can read other files of this user.';

export async function sandboxPolicy(options: SandboxPolicyOptions): Promise<SandboxPolicy> {
  if (options.mode === 'off') return open('The sandbox is switched off.');
  const home = await makeHome(options);
  const probe = home.ok
    ? await probeSandbox(specOf(options, home.path, { root: options.workspace, network: false }), options.env)
    : ({ works: false, why: home.why } as const);
  if (home.ok && probe.works) return closed(options, home.path);
  const why = probe.works ? '' : probe.why;
  if (options.mode === 'auto') return open(`There is no sandbox: ${why}.`);
  const message = `A sandbox is required, and there is none: ${why}. Make it work, or allow to go without: --sandbox auto.`;
  return { ok: false, fault: { code: 'sandbox', message } };
}

function open(why: string): SandboxPolicy {
  const missing = [NOT_WRITTEN, NOT_READ, NOT_REACHED, ALL_ENDED].map(negated);
  return { ok: true, wrap: (command) => command, why, holds: [NO_KEYS], missing };
}

function closed(options: SandboxPolicyOptions, privateHome: string | null): SandboxPolicy {
  const { allowNet } = options;
  const holds = [NOT_WRITTEN, NOT_READ, ...(allowNet ? [] : [NOT_REACHED]), ALL_ENDED, NO_KEYS];
  const missing = [ALWAYS_OPEN, ...(allowNet ? [negated(NOT_REACHED)] : [])];
  const wrap = (command: string, root: string, { network, home }: WrapOptions): string => {
    const folder = home === 'kept' ? privateHome : null;
    try {
      return sandboxed(specOf(options, folder, { root, network: network && allowNet }), command);
    } catch (error) {
      // Its folders are looked up for each command, and may have gone since the last one.
      const { message } = error as Error;
      return `echo ${quoted(`The sandbox could not be set up: ${message}`)} >&2; exit 126`;
    }
  };
  return { ok: true, wrap, why: null, holds, missing };
}

function negated(sentence: string): string {
  return `Not guaranteed: ${sentence}`;
}

function specOf(
  { workspace, stateDir, home, uid }: SandboxPolicyOptions,
  privateHome: string | null,
  { root, network }: { readonly root: string; readonly network: boolean },
): SandboxSpec {
  const spec = { workspace: root, stateDir, home, privateHome, network, uid };
  // Links of a copy lead to the workspace, which is there to be read.
  return root === workspace ? spec : { ...spec, readOnly: workspace };
}

type Home =
  { readonly ok: true; readonly path: string | null } | { readonly ok: false; readonly why: string };

async function makeHome({ stateDir, run }: SandboxPolicyOptions): Promise<Home> {
  if (run === null) return { ok: true, path: null };
  const path = join(stateDir, 'homes', run);
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
    return { ok: true, path };
  } catch (error) {
    return { ok: false, why: `its home folder cannot be made (${(error as Error).message})` };
  }
}

function quoted(word: string): string {
  return `'${word.replaceAll("'", `'\\''`)}'`;
}
