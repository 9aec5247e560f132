/** What a disk does: it runs full, and it keeps only a part of what was written last. */

import { rmSync, statSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { openStore } from '../../src/store/store.ts';
import { crashCopy, overwrite } from '../support/store-files.ts';
import { startStoreProcess } from '../support/store-process.ts';
import { tempDir } from '../support/store-rigs.ts';
import { created, must, paused } from '../support/store-samples.ts';

// A process takes a second to start on a busy machine.
vi.setConfig({ testTimeout: 60_000 });

let dir: string;

beforeEach(() => {
  dir = tempDir();
});

afterEach(() => {
  rmSync(dir, { recursive: true });
});

describe('a full disk', () => {
  it('refuses, keeps what it acknowledged, and goes on once there is space', async () => {
    const mine = process.getuid?.() === 0 ? ['-m'] : ['-rm'];
    const child = startStoreProcess(['full', dir], ['unshare', ...mine]);
    const said = (await child.next()) as { opening: { ok: boolean; code: string } };
    expect(said.opening).toMatchObject({ ok: false, code: 'store_full' });
    expect(await child.next()).toMatchObject({
      codes: ['store_full', 'store_full', 'store_full'],
      blob: { ok: false, code: 'store_full' },
      child: { ok: false, code: 'store_full' },
    });
    await child.kill();
  });
});

describe('a -wal that was torn', () => {
  it('opens with whole batches, the ones that were complete, and goes on', async () => {
    const live = join(dir, 'live');
    const store = must(openStore(live));
    const ends = [0];
    for (let batch = 0; batch < 12; batch += 1) {
      const expected = ends.at(-1) ?? 0;
      const events = Array.from({ length: 1 + (batch % 4) }, (_, i) =>
        expected + i === 0 ? created('r') : paused('x'.repeat(700 * batch)),
      );
      ends.push(must(await store.log.append({ run: 'r', expected, events })));
    }
    const size = statSync(join(live, 'journal.db-wal')).size;
    let copies = 0;
    const lengths = new Set<number>();
    const tear = async (bytes: number, flip: boolean) => {
      const torn = join(dir, `torn${(copies += 1)}`);
      crashCopy(live, torn, flip ? size : bytes);
      if (flip) overwrite(join(torn, 'journal.db-wal'), bytes, Buffer.alloc(8, 0xa5));
      const opened = must(openStore(torn));
      const events = must(await opened.log.read('r'));
      expect(ends).toContain(events.length);
      lengths.add(events.length);
      const expected = events.length;
      const next = expected === 0 ? created('r') : paused('after');
      expect(must(await opened.log.append({ run: 'r', expected, events: [next] }))).toBe(expected + 1);
      opened.close();
      rmSync(torn, { recursive: true });
    };
    const property = fc.asyncProperty(fc.nat({ max: size - 8 }), fc.boolean(), tear);
    await fc.assert(property, {
      numRuns: 60,
      examples: [
        [0, false],
        [31, false],
        [size - 8, false],
      ],
    });
    expect(lengths.size).toBeGreaterThan(5);
    store.close();
  });
});
