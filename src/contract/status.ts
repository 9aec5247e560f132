/** The words for where a run and a node stand. One word per thing: code, events, command line, docs. */

export type NodeStatus =
  | 'waiting'
  | 'ready'
  | 'running'
  | 'verifying'
  | 'parked'
  | 'achieved'
  | 'failed'
  | 'blocked'
  | 'held'
  | 'skipped';

/**
 * Why a node failed: its command's exit, a red check, its time-out; or, worked on by a model, no progress, a cap of
 * rounds or verifications, turns that failed one after the other.
 */
export type FailedWhy = 'exit' | 'check_red' | 'timeout' | 'no_progress' | 'cap' | 'turns';

/**
 * Why a node is blocked: its command was cut and must not run again by itself; or it could not be done for want of the
 * machine or the provider; or its worker says so; or nobody can verify it.
 */
export type BlockedWhy = 'cut' | 'infra' | 'claimed' | 'unverifiable';

export type RunStatus = 'planning' | 'approval' | 'running' | 'paused' | 'complete' | 'cleared';

/**
 * `provider`: it refuses (key, quota, rate), or cannot be reached. `moves`: a flow has made all the moves it may make.
 * `stuck`: nothing can run, or a flow got nowhere at a step.
 */
export type PausedWhy = 'user' | 'deadline' | 'budget' | 'moves' | 'provider' | 'infra' | 'stuck';
