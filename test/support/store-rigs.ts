/** The store's implementations, each as an empty store that any number of processes may open. */

import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { memoryStore } from '../../src/store/memory-store.ts';
import { openStore } from '../../src/store/store.ts';
import type { Store } from '../../src/store/store.ts';
import type { StoreRig } from './event-log-cases.ts';
import { must } from './store-samples.ts';

export function tempDir(): string {
  return mkdtempSync(join(tmpdir(), 'goalgraph-store-'));
}

export function sqliteRig(): StoreRig {
  const dir = tempDir();
  const open: Store[] = [];
  return {
    open: (options = {}) => {
      const store = must(openStore(dir, options));
      open.push(store);
      return store;
    },
    end: () => {
      for (const store of open) store.close();
      rmSync(dir, { recursive: true });
    },
  };
}

export function memoryRig(): StoreRig {
  const store = memoryStore();
  return { open: (options) => store.open(options), end: () => undefined };
}
