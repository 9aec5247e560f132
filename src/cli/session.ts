/** The store of a workspace, opened for what a command wants of it, and closed whatever happens. */

import { existsSync } from 'node:fs';
import { fail, ok, type Fault, type Result } from '../contract/fault.ts';
import { chooseRun, loadRun, type LoadedRun } from '../engine/load.ts';
import { ensureStateDir } from '../os/state-dir.ts';
import { journalFile } from '../store/open.ts';
import { openReader, openStore, type Reader, type Store } from '../store/store.ts';
import { readConfig, type Config, type ConfigFlags } from './config.ts';
import { claim } from './owner.ts';

export interface Session {
  readonly workspace: string;
  readonly config: Config;
  readonly store: Store;
  /** Folders of skills instead of the usual ones, where some were named; they hold for this process. */
  readonly skillDirs?: readonly string[];
}

export interface Wanted {
  readonly workspace: string;
  /** A workspace without a store gets one; else it has no run to speak of. */
  readonly create: boolean;
  readonly flags?: ConfigFlags;
  /** It is to start a run or to go on with one: the state must be the user's, or trusted. */
  readonly drives?: { readonly trust: boolean };
}

/** Opens for writing. */
export async function withSession<T>(
  { workspace, create, flags = {}, drives }: Wanted,
  use: (session: Session) => Promise<Result<T>>,
): Promise<Result<T>> {
  const config = readConfig(workspace, { flags });
  if (!config.ok) return config;
  const { stateDir } = config.value;
  if (!create && !existsSync(stateDir)) return fail(noRuns(workspace));
  const made = await ensureStateDir(stateDir);
  if (!made.ok) return made;
  if (!create && !existsSync(journalFile(stateDir))) return fail(noRuns(workspace));
  // Before there is a journal: one without an owner came with the workspace.
  const claimed = drives ? claim({ stateDir, trust: drives.trust, env: process.env }) : ok(null);
  if (!claimed.ok) return claimed;
  const store = openStore(stateDir);
  if (!store.ok) return store;
  try {
    return await use({ workspace, config: config.value, store: store.value });
  } finally {
    store.value.close();
  }
}

/** Opens for looking, also while another process drives. Nothing is made or changed. */
export async function withReader<T>(
  workspace: string,
  use: (reader: Reader) => Promise<Result<T>>,
): Promise<Result<T>> {
  const config = readConfig(workspace);
  if (!config.ok) return config;
  const reader = openReader(config.value.stateDir);
  if (!reader.ok) return reader;
  if (reader.value === null) return fail(noRuns(workspace));
  try {
    return await use(reader.value);
  } finally {
    reader.value.close();
  }
}

/** Loads the run a command speaks of: the one named, else the newest. */
export async function loadChosen(log: Reader['log'], wanted: string | null): Promise<Result<LoadedRun>> {
  const run = await chooseRun(log, wanted);
  return run.ok ? loadRun(log, run.value) : run;
}

function noRuns(workspace: string): Fault {
  return { code: 'no_run', message: `There is no run in ${workspace} yet. Start one: goalgraph run FILE` };
}
