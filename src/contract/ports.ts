/** The ports: what the engine needs of the world. Each states what it may do when it fails. */

import type { Amount } from './budget.ts';
import type { Ended, RunEvent } from './event.ts';
import type { Result } from './fault.ts';

export interface StoredEvent {
  /** 1-based place in the stream, without gaps. */
  readonly version: number;
  readonly event: RunEvent;
}

/** Answer to a control request, stored in the transaction of the events it caused. */
export interface InboxAnswer {
  readonly id: number;
  readonly answer: string;
}

/** A control request from another process, as JSON text. */
export interface InboxRequest {
  readonly id: number;
  readonly request: string;
}

export interface RunRow {
  readonly run: string;
  /** Milliseconds since the epoch. */
  readonly createdAt: number;
  readonly version: number;
}

/**
 * The append-only journal: one stream per run. Every method may be slow and none may throw for what a disk or
 * another process can do: that is a Fault (`store_full`, `store_corrupt`, `store_newer`, `store_io`).
 */
export interface EventLog {
  /**
   * Appends in one transaction, durable when it resolves. `expected` is the version of the last event the
   * caller has seen (0 for a new stream); if another writer was there first, fails with `conflict` and
   * nothing is stored.
   */
  append(batch: Append): Promise<Result<number>>;
  /** All events of a stream after version `after`, upcast and validated; an unreadable one is a `journal` fault. */
  read(run: string, after?: number): Promise<Result<readonly StoredEvent[]>>;
  /** Newest first. */
  runs(): Promise<Result<readonly RunRow[]>>;
  /** The newest event of the stream whose type begins with `run.` or null. */
  lifecycle(run: string): Promise<Result<RunEvent | null>>;
  /** Stores a text once; the address is its hash. */
  putBlob(bytes: Uint8Array): Promise<Result<string>>;
  /** Null when there is none. */
  getBlob(address: string): Promise<Result<Uint8Array | null>>;
  close(): void;
}

export interface Append {
  readonly run: string;
  readonly expected: number;
  readonly events: readonly RunEvent[];
  readonly answers?: readonly InboxAnswer[];
}

/**
 * Control from another terminal. `epoch` is the owner's generation (one more at every take of the lease):
 * a request to an owner that is gone is void.
 */
export interface Inbox {
  /** Leaves a request for the owner with this epoch; resolves to its id. */
  post(message: {
    readonly run: string;
    readonly epoch: number;
    readonly request: string;
  }): Promise<Result<number>>;
  /** Requests for this owner that have no answer, oldest first. */
  open(run: string, epoch: number): Promise<Result<readonly InboxRequest[]>>;
  /** Null until it is answered. */
  answer(id: number): Promise<Result<string | null>>;
  /**
   * Takes an unanswered request back, so that an owner which comes to itself later does not do it. Resolves to the
   * answer if that was first, else to null. An owner that had already begun to step it may still answer it.
   */
  withdraw(id: number): Promise<Result<string | null>>;
  /** A number that changes whenever another process has written. */
  changes(): number;
}

/** A process we started and may have to end after a crash. */
export interface ChildRow {
  readonly pid: number;
  /** The kernel's start time of the process; with the pid it names the process for ever. */
  readonly startTime: string;
  /** Random text in the environment of the process and of all it starts. */
  readonly token: string;
  readonly run: string;
  readonly key: string;
}

/** Processes in flight, durable before each may begin. */
export interface ChildLog {
  record(child: ChildRow): Result<null>;
  forget(token: string): void;
  all(): Result<readonly ChildRow[]>;
}

/** Who drives a run. `epoch` is its generation. */
export interface Owner {
  readonly pid: number;
  readonly host: string;
  readonly run: string;
  readonly epoch: number;
}

/** The right to drive: held for the life of the process, freed by the kernel when it dies. */
export interface Lease {
  /** Fails with `owned` (the message names pid and host) while another process holds it. */
  take(run: string): Result<Owner>;
  /** Who holds it now, as far as it said so; null when free. Takes nothing. */
  holder(): Result<Owner | null>;
  release(): void;
}

/** What all runs of one person may use together: asked for each call that its run has reserved, before it is sent. */
export interface Ceilings {
  /** Never rejects. Null when the signal fired first; then nothing stays held. */
  ask(call: CeilingCall, signal: AbortSignal): Promise<CeilingAnswer | null>;
}

export interface CeilingCall {
  readonly run: string;
  /** Names the call for people. */
  readonly call: string;
  /** The most it can use. */
  readonly most: Amount;
}

export type CeilingAnswer =
  | { readonly ok: true; readonly held: HeldCall }
  | {
      readonly ok: false;
      /** `infra`: whether there is room cannot be told. */
      readonly why: 'budget' | 'infra';
      readonly detail: string;
      /** When it is worth going on; null when nobody knows, or never. */
      readonly resetAt: number | null;
    };

/** Either of them once. A call that sees neither counts in full once its process is gone. */
export interface HeldCall {
  settle(used: Amount): void;
  /** It was not sent, or certainly not billed. */
  release(): void;
}

/** Time and turns. The simulation has its own. */
export interface Clock {
  /** Milliseconds since the epoch. */
  now(): number;
  /** Calls back once in a later turn of the event loop. */
  soon(call: () => void): void;
  /** Calls back once at `at`; the returned function cancels. */
  at(at: number, call: () => void): () => void;
}

/** Runs one shell command in the workspace. Never rejects; a process that cannot start is an outcome. */
export interface Runner {
  run(job: Job, signal: AbortSignal): Promise<Ended>;
  /** Names the present state of the whole workspace; null when it cannot be told in reasonable time. */
  fingerprint(): Promise<string | null>;
}

export interface Job {
  /** Names the effect, for the record of children. */
  readonly key: string;
  readonly command: string;
  /** Milliseconds. */
  readonly timeout: number;
}
