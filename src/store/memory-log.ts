/** The in-memory twin of the journal. Keeps serialised rows, as a disk does: what is read back shares nothing. */

import { fail, ok } from '../contract/fault.ts';
import type { RunEvent } from '../contract/event.ts';
import type { Fault, Result } from '../contract/fault.ts';
import type { Append, ChildRow, EventLog, Owner, RunRow } from '../contract/ports.ts';
import { encodeAnswers, encodeBatch, encodeBlob } from './encode.ts';
import type { Encoding, NewRow } from './encode.ts';
import { versionConflict } from './faults.ts';
import { WITHDRAWN } from './inbox.ts';
import { asEvent, readRow, readRows } from './read.ts';

/** What the "disk" holds; all processes see the same. */
export interface MemoryDisk {
  readonly streams: Map<string, NewRow[]>;
  readonly blobs: Map<string, Buffer>;
  readonly inbox: {
    readonly run: string;
    readonly epoch: number;
    readonly request: string;
    answer: string | null;
  }[];
  readonly owners: Owner[];
  readonly children: Map<string, ChildRow>;
  /** Commits so far, by process. */
  readonly commits: Map<number, number>;
  /** The process that has the lease. */
  holder: number | null;
}

/**
 * What becomes of an append: stored; refused with a fault, though perhaps after it took effect; or the death of the
 * process before or after it took effect, and then nobody hears of it.
 */
export type Fate =
  'store' | { readonly fault: Fault; readonly stored: boolean } | { readonly crash: 'before' | 'after' };

export interface MemoryLogOptions {
  readonly disk: MemoryDisk;
  readonly encoding: Encoding;
  /** A promise makes the disk slow for as long as the caller likes. */
  readonly fate: (batch: Append) => Fate | Promise<Fate>;
  /** Ends the process that this log belongs to. */
  readonly kill: () => void;
  readonly alive: () => boolean;
  readonly committed: () => void;
  readonly close: () => void;
}

export function memoryLog(options: MemoryLogOptions): EventLog {
  const { disk, encoding, fate, kill, alive, committed } = options;

  function settle(batch: Append, end: Fate): Result<number> | null {
    if (!alive()) return null;
    if (end === 'store') return store(batch);
    if ('fault' in end) {
      if (end.stored) store(batch);
      return fail(end.fault);
    }
    if (end.crash === 'after') store(batch);
    kill();
    return null;
  }

  function store(batch: Append): Result<number> {
    batch.events.forEach(assertEvent);
    const rows = encodeBatch(batch, encoding);
    const stream = disk.streams.get(batch.run) ?? [];
    if (stream.length !== batch.expected) {
      return fail(versionConflict(batch.run, batch.expected, stream.length));
    }
    const answers = encodeAnswers(batch, encoding).map(({ id, answer }) => {
      const request = disk.inbox[id - 1];
      if (request === undefined || (request.answer !== null && request.answer !== WITHDRAWN))
        throw new Error(`request ${id} has no open place for an answer`);
      return { request, answer };
    });
    if (rows.length > 0) disk.streams.set(batch.run, stream);
    stream.push(...rows);
    for (const { request, answer } of answers) request.answer = answer;
    committed();
    return ok(stream.length);
  }

  return {
    append: (batch) =>
      new Promise((resolve, reject) => {
        const end = (value: Fate) => {
          const result = settle(batch, value);
          if (result !== null) resolve(result);
        };
        const decided = fate(batch);
        if (decided instanceof Promise) decided.then(end).catch(reject);
        else end(decided);
      }),
    read: (run, after = 0) => living(alive, () => readRows(run, after, numbered(disk, run, after))),
    runs: () => living(alive, () => ok(runs(disk))),
    lifecycle: (run) =>
      living<RunEvent | null>(alive, () => {
        const stream = disk.streams.get(run) ?? [];
        const index = stream.findLastIndex(({ type }) => type.startsWith('run.'));
        const row = stream[index];
        return row === undefined ? ok(null) : readRow(run, { ...row, version: index + 1 });
      }),
    putBlob: (bytes) =>
      living(alive, () => {
        const { address, body } = encodeBlob(bytes, encoding);
        disk.blobs.set(address, body);
        committed();
        return ok(address);
      }),
    getBlob: (address) =>
      living(alive, () => {
        const body = disk.blobs.get(address);
        return ok(body === undefined ? null : new Uint8Array(body));
      }),
    close: options.close,
  };
}

/** Stricter than the disk, which has no time for it: where tests run, an event that could not be read back shows at once. */
function assertEvent(event: RunEvent): void {
  const checked = asEvent(event);
  if (!checked.ok) throw new Error(`malformed ${event.type}: ${checked.fault}`);
}

/** A call of a dead process is never answered. */
export function living<T>(alive: () => boolean, work: () => Result<T>): Promise<Result<T>> {
  return new Promise((resolve) => {
    if (alive()) resolve(work());
  });
}

function numbered(disk: MemoryDisk, run: string, after: number) {
  const stream = (disk.streams.get(run) ?? []).slice(after);
  return stream.map((row, index) => ({ ...row, version: after + index + 1 }));
}

function runs(disk: MemoryDisk): readonly RunRow[] {
  const rows = [...disk.streams].map(([run, stream]) => ({
    run,
    createdAt: stream[0]?.at ?? 0,
    version: stream.length,
  }));
  return rows.reverse();
}
