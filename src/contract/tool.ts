/** What a model may call. A tool is a closure over a root folder and a scope; its arguments are hostile. */

import type { Result } from './fault.ts';

/** Why a path that a model gave leads nowhere it may go, or why there is nothing it can use. */
export type PathFaultCode =
  | 'bad_path'
  | 'absolute'
  | 'parent'
  | 'drive'
  | 'unc'
  | 'backslash'
  | 'outside'
  | 'dangling'
  | 'loop'
  | 'git'
  | 'state'
  | 'special'
  | 'scope'
  | 'not_found'
  | 'not_folder'
  | 'is_folder'
  | 'denied'
  | 'changed';

export type ToolFaultCode =
  | PathFaultCode
  | 'arguments'
  | 'binary'
  | 'too_large'
  | 'no_match'
  | 'ambiguous'
  | 'unchanged'
  | 'bad_pattern'
  | 'too_slow'
  | 'aborted'
  | 'command'
  | 'io';

/** Goes back to the model verbatim: what is wrong, and what to do instead. */
export interface ToolFault {
  readonly code: ToolFaultCode;
  readonly message: string;
}

export interface ToolReply {
  /** What the model reads. Cut to a bound, with a notice how to get the rest. */
  readonly forModel: string;
  /** One line for a person who watches. */
  readonly forPerson: string;
  /** Files that are another than before, relative to the root; left out by tools that cannot tell. */
  readonly changed?: readonly string[];
}

export type ToolResult = Result<ToolReply, ToolFault>;

export interface Tool {
  readonly name: string;
  readonly description: string;
  /** JSON Schema of the arguments. */
  readonly parameters: Readonly<Record<string, unknown>>;
  /** Never rejects for what a model, a file or a command does. */
  readonly run: (args: unknown, signal: AbortSignal) => Promise<ToolResult>;
}

/** What a worker says about its node. */
export type ReportStatus = 'done' | 'blocked' | 'wait' | 'note';

/** When a parked node goes on: at a time, or when a process has ended. */
export type WaitFor =
  { readonly kind: 'time'; readonly ms: number } | { readonly kind: 'process'; readonly pid: number };

export interface Report {
  readonly status: ReportStatus;
  readonly summary: string;
  /** What supports a claim: commands run, files, lines. */
  readonly evidence: readonly string[];
  /** Work found on the way that is not part of the node. */
  readonly discovered: readonly string[];
  /** With `wait` only. */
  readonly wait: WaitFor | null;
}
