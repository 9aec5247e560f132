/** What this user may not read or write: refused, and never taken for a first run. */

import { chmodSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openStore } from '../../src/store/store.ts';
import { bytesOf } from '../support/store-files.ts';
import { startStoreProcess } from '../support/store-process.ts';
import { tempDir } from '../support/store-rigs.ts';
import { must } from '../support/store-samples.ts';

// A process takes a second to start on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let dir: string;
let file: string;

beforeEach(() => {
  dir = tempDir();
  file = join(dir, 'journal.db');
});

afterEach(() => {
  rmSync(dir, { recursive: true });
});

describe('what may not be read or written', () => {
  /** What a process that is not root, whoever runs the tests, is told. */
  async function askDenied(): Promise<unknown> {
    const child = startStoreProcess(['denied', dir]);
    const said = await child.next();
    await child.kill();
    return said;
  }

  /** The same of a journal with these permissions, which must come out of it as it went in. */
  async function askDeniedFile(mode: number): Promise<unknown> {
    must(openStore(dir)).close();
    const before = bytesOf(dir);
    chmodSync(dir, 0o777);
    chmodSync(file, mode);
    const said = await askDenied();
    chmodSync(file, 0o600);
    expect(bytesOf(dir)).toMatchObject(before);
    return said;
  }

  it('an unreadable journal is not a first run', async () => {
    const refused = { ok: false, code: 'store_io', message: expect.stringContaining(file) as string };
    expect(await askDeniedFile(0)).toEqual({ openStore: refused, openReader: refused });
    expect(readdirSync(dir)).toEqual(['journal.db']);
  });

  it('a read-only journal is not opened for driving; a reader needs no more', async () => {
    expect(await askDeniedFile(0o444)).toEqual({
      openStore: { ok: false, code: 'store_io', message: expect.stringContaining('EACCES') as string },
      openReader: { ok: true },
    });
  });

  it('a directory without a journal where none can be made', async () => {
    chmodSync(dir, 0o555);
    expect(await askDenied()).toMatchObject({ openStore: { code: 'store_io' }, openReader: { ok: true } });
    chmodSync(dir, 0o755);
    expect(readdirSync(dir)).toEqual([]);
  });

  it('a directory that may not be looked into', async () => {
    must(openStore(dir)).close();
    chmodSync(dir, 0o600);
    const refused = { ok: false, code: 'store_io' };
    expect(await askDenied()).toMatchObject({ openStore: refused, openReader: refused });
    chmodSync(dir, 0o700);
  });
});
