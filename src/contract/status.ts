/** The words for where a run and a node stand. One word per thing: code, events, command line, docs. */

export type NodeStatus =
  'waiting' | 'ready' | 'running' | 'verifying' | 'achieved' | 'failed' | 'blocked' | 'held' | 'skipped';

/** Why a node failed: its command's exit, a red check, its time-out. */
export type FailedWhy = 'exit' | 'check_red' | 'timeout';

/** Why a node is blocked: its command was cut and must not run again by itself, or it could not be started at all. */
export type BlockedWhy = 'cut' | 'infra';

export type RunStatus = 'running' | 'paused' | 'complete' | 'cleared';

export type PausedWhy = 'user' | 'deadline' | 'budget' | 'infra' | 'stuck';
