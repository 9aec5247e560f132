/**
 * Commands in a sandbox of bubblewrap: the workspace can be written, the rest is read-only or not there at all. What
 * it does not do: keep a command from reading what is neither in the state directory nor on the list of credentials.
 */

import { execFile } from 'node:child_process';
import { existsSync, lstatSync, realpathSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { Environment } from './pipes.ts';
import { CREDENTIALS, SYSTEM_CREDENTIALS } from './sandbox-credentials.ts';

export interface SandboxSpec {
  /** Absolute; the one place that stays writable and lasts. */
  readonly workspace: string;
  /** Absolute; not there inside, but for a workspace within it. */
  readonly stateDir: string;
  /** The real home folder: read-only, without its credentials. */
  readonly home: string;
  /** A folder that serves as HOME inside and lasts, caches included; null for one that ends with the command. */
  readonly privateHome: string | null;
  /** A folder that is there and read-only wherever it lies, also where the rest is hidden: what links of a copy lead to. */
  readonly readOnly?: string;
  readonly network: boolean;
  readonly uid: number;
}

export type SandboxProbe =
  | { readonly works: true; readonly version: string }
  /** Why, in words for `doctor` and the report. */
  | { readonly works: false; readonly why: string };

const HOME_INSIDE = '/tmp/home';

/** Ways to programs outside that would act for us. */
const SOCKETS = ['SSH_AUTH_SOCK', 'SSH_AGENT_PID', 'GPG_AGENT_INFO', 'DBUS_SESSION_BUS_ADDRESS'];
const SCREENS = ['DISPLAY', 'WAYLAND_DISPLAY', 'XAUTHORITY', 'XDG_RUNTIME_DIR'];
/** Folders of the real home, which a program would take before those of HOME. */
const FOLDERS = ['XDG_CONFIG_HOME', 'XDG_CACHE_HOME', 'XDG_DATA_HOME', 'XDG_STATE_HOME', 'npm_config_cache'];

/** For `bwrap`, up to and with the `--` before the command. Later ones are mounted over earlier ones. */
export function sandboxArgs(spec: SandboxSpec): readonly string[] {
  const workspace = realpathSync(spec.workspace);
  const hideState = existsSync(spec.stateDir) ? ['--tmpfs', realpathSync(spec.stateDir)] : [];
  const stateFirst = isWithin(workspace, hideState[1]);
  return [
    ...['--ro-bind', '/', '/', '--dev', '/dev', '--proc', '/proc'],
    // Root needs no capability to write these, and the kernel obeys them outside.
    ...['/proc/sys', '/proc/sysrq-trigger'].flatMap((path) => ['--ro-bind-try', path, path]),
    // Sockets of other programs are in these, and a read-only one can still be talked to.
    ...['/tmp', '/var/tmp', '/run'].flatMap((folder) => (isPlainFolder(folder) ? ['--tmpfs', folder] : [])),
    ...(spec.network ? nameResolution() : []),
    ...(spec.readOnly === undefined ? [] : ['--ro-bind', spec.readOnly, realpathSync(spec.readOnly)]),
    ...(stateFirst ? hideState : []),
    ...['--bind', workspace, workspace],
    // Before the masks: it must not show again what they hide.
    ...readOnlyGit(workspace),
    // Over the workspace: it may be the home folder, or hold it.
    ...credentialMasks(spec.home, workspace),
    ...(stateFirst ? [] : hideState),
    ...(spec.privateHome === null ? ['--dir', HOME_INSIDE] : ['--bind', spec.privateHome, HOME_INSIDE]),
    ...['--setenv', 'HOME', HOME_INSIDE, '--setenv', 'TMPDIR', '/tmp'],
    ...[...SOCKETS, ...SCREENS, ...FOLDERS].flatMap((name) => ['--unsetenv', name]),
    ...['--unshare-pid', '--unshare-ipc', '--unshare-uts', '--unshare-cgroup-try'],
    ...(spec.network ? [] : ['--unshare-net']),
    ...capabilities(spec.uid),
    ...['--die-with-parent', '--new-session', '--chdir', workspace, '--'],
  ];
}

/** The line for a shell that runs another line in the sandbox. */
export function sandboxed(spec: SandboxSpec, command: string): string {
  const words = ['bwrap', ...sandboxArgs(spec), '/bin/sh', '-c', command];
  return `exec ${words.map(quoted).join(' ')}`;
}

/** Tries the very arguments that commands will get, and looks at what they do. */
export async function probeSandbox(spec: SandboxSpec, env: Environment): Promise<SandboxProbe> {
  const version = await tryRun('bwrap', ['--version'], env);
  if (version.failed)
    return { works: false, why: `bwrap does not start (${version.text}): install bubblewrap` };
  // Root in the sandbox of a broken system could still write; then it is no sandbox.
  const look = 'test ! -w /etc && test -w . && echo it holds';
  const run = await tryRun('bwrap', [...sandboxArgs(spec), '/bin/sh', '-c', look], env);
  if (run.failed) return { works: false, why: `bwrap cannot make a sandbox here (${run.text})` };
  return { works: true, version: version.text };
}

function nameResolution(): readonly string[] {
  const file = realIfThere('/etc/resolv.conf');
  return file?.startsWith('/run/') === true ? ['--ro-bind', file, file] : [];
}

function credentialMasks(home: string, workspace: string): readonly string[] {
  const paths = [...CREDENTIALS.map((name) => join(home, name)), ...SYSTEM_CREDENTIALS];
  return paths.flatMap((path) => {
    // A mount goes to a real place; a link to it then leads to the mask.
    const real = realIfThere(path);
    if (real === null || isWithin(workspace, real)) return [];
    return statSync(real).isDirectory() ? ['--tmpfs', real] : ['--ro-bind', '/dev/null', real];
  });
}

/** A command may have made it: a link would be followed to what is hidden. */
function readOnlyGit(workspace: string): readonly string[] {
  const git = join(workspace, '.git');
  const found = lstatSync(git, { throwIfNoEntry: false });
  return found?.isDirectory() === true || found?.isFile() === true ? ['--ro-bind', git, git] : [];
}

/**
 * Root keeps what lets it work on files that belong to others, as root does, and nothing that undoes a mount. Anybody
 * else has no capability to lose.
 */
function capabilities(uid: number): readonly string[] {
  const kept = uid === 0 ? ['CAP_DAC_OVERRIDE', 'CAP_CHOWN', 'CAP_FOWNER'] : [];
  return ['--cap-drop', 'ALL', ...kept.flatMap((name) => ['--cap-add', name])];
}

function isWithin(path: string, folder: string | undefined): boolean {
  return folder !== undefined && `${path}/`.startsWith(`${folder}/`);
}

/** Not a link: `/var/run` leads to `/run`, and cannot be mounted over. */
function isPlainFolder(path: string): boolean {
  return realIfThere(path) === path && statSync(path).isDirectory();
}

function realIfThere(path: string): string | null {
  try {
    return realpathSync(path);
  } catch {
    return null;
  }
}

function quoted(word: string): string {
  return /^[\w@%+=:,./-]+$/.test(word) ? word : `'${word.replaceAll("'", `'\\''`)}'`;
}

interface Tried {
  readonly failed: boolean;
  readonly text: string;
}

const PATIENCE = 10_000;

function tryRun(program: string, args: readonly string[], env: Environment): Promise<Tried> {
  return new Promise((resolve) => {
    const options = { env: { PATH: env['PATH'] }, timeout: PATIENCE, killSignal: 'SIGKILL' } as const;
    execFile(program, args, options, (error, stdout, stderr) => {
      const said = (error === null ? stdout : stderr).trim().split('\n')[0]?.slice(0, 300) ?? '';
      const code = typeof error?.code === 'string' ? error.code : 'it failed';
      resolve({ failed: error !== null, text: said === '' ? code : said });
    });
  });
}
