/**
 * The store in memory, for tests and for the simulation: several "processes" may open it, each can be killed, and
 * the caller decides what becomes of every append.
 */

import { fail, ok } from '../contract/fault.ts';
import type { Append, ChildLog, Inbox, Lease } from '../contract/ports.ts';
import { PLAIN } from './encode.ts';
import { WITHDRAWN } from './inbox.ts';
import type { Mask } from './encode.ts';
import { owned } from './lease.ts';
import { living, memoryLog } from './memory-log.ts';
import type { Fate, MemoryDisk } from './memory-log.ts';
import type { Store } from './store.ts';

export interface MemoryStoreOptions {
  readonly mask?: Mask;
  readonly maxBlob?: number;
  /** Decides on each append; `pid` is the process that asks. */
  readonly fate?: (batch: Append, pid: number) => Fate | Promise<Fate>;
}

export interface MemoryProcess extends Store {
  readonly pid: number;
  /** As SIGKILL: the lease is free, and no call of this process, made or to be made, is ever answered. */
  kill(): void;
}

export interface MemoryStore {
  /** A new process. */
  open(own?: Omit<MemoryStoreOptions, 'fate'>): MemoryProcess;
  /** The stored text of a stream's events. */
  bodies(run: string): readonly string[];
}

export function memoryStore(options: MemoryStoreOptions = {}): MemoryStore {
  const disk: MemoryDisk = {
    streams: new Map(),
    blobs: new Map(),
    inbox: [],
    owners: [],
    children: new Map(),
    commits: new Map(),
    holder: null,
  };
  let pids = 0;
  return {
    open: (own) => openProcess(disk, (pids += 1), { ...options, ...own }),
    bodies: (run) => (disk.streams.get(run) ?? []).map(({ body }) => body),
  };
}

function openProcess(disk: MemoryDisk, pid: number, options: MemoryStoreOptions): MemoryProcess {
  const { mask = PLAIN.mask, maxBlob = PLAIN.maxBlob, fate = () => 'store' } = options;
  let state: 'open' | 'closed' | 'dead' = 'open';
  const end = (as: 'closed' | 'dead') => {
    if (state === 'open') state = as;
    if (disk.holder === pid) disk.holder = null;
  };
  const alive = () => {
    if (state === 'closed') throw new Error('the store is closed');
    return state === 'open';
  };
  const committed = () => void disk.commits.set(pid, (disk.commits.get(pid) ?? 0) + 1);
  const handle: Handle = { disk, pid, alive, committed, mask };
  const log = memoryLog({
    ...handle,
    encoding: { mask, maxBlob },
    fate: (batch) => fate(batch, pid),
    kill: () => end('dead'),
    close: () => end('closed'),
  });
  return {
    pid,
    log,
    inbox: memoryInbox(handle),
    children: memoryChildren(handle),
    lease: memoryLease(handle),
    close: () => end('closed'),
    kill: () => end('dead'),
  };
}

interface Handle {
  readonly disk: MemoryDisk;
  readonly pid: number;
  /** False for a dead process; throws for a closed one. */
  readonly alive: () => boolean;
  readonly committed: () => void;
  readonly mask: Mask | null;
}

function memoryInbox({ disk, pid, alive, committed, mask }: Handle): Inbox {
  return {
    post: ({ run, epoch, request }) =>
      living(alive, () => {
        const stored = mask === null ? request : mask(request);
        committed();
        return ok(disk.inbox.push({ run, epoch, request: stored, answer: null }));
      }),
    open: (run, epoch) =>
      living(alive, () => {
        const all = disk.inbox.map((row, index) => ({ ...row, id: index + 1 }));
        const unanswered = all.filter((row) => row.run === run && row.epoch === epoch && row.answer === null);
        return ok(unanswered.map(({ id, request }) => ({ id, request })));
      }),
    answer: (id) => living(alive, () => ok(disk.inbox[id - 1]?.answer ?? null)),
    withdraw: (id) =>
      living(alive, () => {
        const request = disk.inbox[id - 1];
        if (request?.answer !== null) return ok(request?.answer ?? null);
        request.answer = WITHDRAWN;
        committed();
        return ok(null);
      }),
    changes: () => {
      const byOthers = [...disk.commits].filter(([writer]) => writer !== pid);
      return byOthers.reduce((sum, [, commits]) => sum + commits, 0);
    },
  };
}

function memoryChildren({ disk, alive, committed }: Handle): ChildLog {
  return {
    record: (child) => {
      if (!alive()) return fail(DEAD);
      if (disk.children.has(child.token)) return fail(TWICE);
      disk.children.set(child.token, { ...child });
      committed();
      return ok(null);
    },
    forget: (token) => {
      if (alive()) disk.children.delete(token);
    },
    all: () => (alive() ? ok([...disk.children.values()]) : fail(DEAD)),
  };
}

function memoryLease({ disk, pid, alive, committed }: Handle): Lease {
  return {
    take: (run) => {
      if (!alive()) return fail(DEAD);
      if (disk.holder === pid) throw new Error('this process has the lease already');
      if (disk.holder !== null) return fail(owned(disk.owners.at(-1) ?? null));
      const owner = { run, pid, host: 'memory', epoch: disk.owners.length + 1 };
      disk.owners.push(owner);
      disk.holder = pid;
      committed();
      return ok(owner);
    },
    holder: () => {
      if (!alive()) return fail(DEAD);
      return ok(disk.holder === null ? null : (disk.owners.at(-1) ?? null));
    },
    release: () => {
      if (disk.holder === pid) disk.holder = null;
    },
  };
}

const DEAD = { code: 'store_io', message: 'This process was killed. Open the store again.' } as const;
const TWICE = { code: 'conflict', message: 'Another child has this token. Run the command again.' } as const;
