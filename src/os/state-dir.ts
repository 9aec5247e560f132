import { mkdir, readFile, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { fail, ok } from '../contract/fault.ts';
import type { Result } from '../contract/fault.ts';
import { writeFault, writeFileAtomic } from './atomic-write.ts';

/** Skills of the project may stand there, and are committed with it. */
const IGNORED = '*\n!/skills/\n!/skills/**\n';

/** Creates the folder, for its owner only, and has git ignore it. A `.gitignore` that is there is left as it is. */
export async function ensureStateDir(path: string): Promise<Result<null>> {
  try {
    await mkdir(path, { recursive: true, mode: 0o700 });
  } catch (error) {
    return fail(writeFault(path, error as NodeJS.ErrnoException));
  }
  const ignore = join(path, '.gitignore');
  const found = await stat(ignore).catch(() => null);
  const isOurs = found === null || (found.isFile() && (await isOld(ignore, found.size)));
  return isOurs ? await writeFileAtomic(ignore, IGNORED) : ok(null);
}

/** Of before there were skills. */
async function isOld(path: string, size: number): Promise<boolean> {
  const old = '*\n';
  return size === old.length && (await readFile(path, 'utf8').catch(() => '')) === old;
}
