/** An expected failure, as plain JSON: what happened, where, and what to do next. */

export interface Place {
  readonly file: string;
  /** 1-based; null when the format has no lines that help (JSON from a model). */
  readonly line: number | null;
}

/** Codes of the gate, in the order in which a report lists them for one node. */
export type PlanFaultCode =
  | 'parse'
  | 'empty'
  | 'too_many'
  | 'bad_slug'
  | 'duplicate_slug'
  | 'reserved_slug'
  | 'empty_field'
  | 'too_long'
  | 'unknown_dep'
  | 'self_dep'
  | 'cycle'
  | 'id_collision'
  | 'no_worker'
  | 'unverifiable'
  | 'budget_too_small';

export type PlanWarningCode =
  | 'duplicate_dep'
  | 'redundant_dep'
  | 'narrow'
  | 'overlapping_scopes'
  | 'no_checks'
  | 'near_miss_key'
  | 'unknown_key'
  | 'ignored_key';

export interface PlanFault {
  readonly code: PlanFaultCode;
  readonly slug: string | null;
  readonly place: Place | null;
  /** The offending thing itself: the exact cycle, the unknown name, the number over the cap. */
  readonly witness: string | null;
  /** Names the fix; it goes back to a planner verbatim. */
  readonly message: string;
}

export interface PlanWarning {
  readonly code: PlanWarningCode;
  readonly slug: string | null;
  readonly place: Place | null;
  readonly message: string;
}

/** A failure outside a plan: the store, the workspace, the command line. */
export interface Fault {
  readonly code: FaultCode;
  /** One or two sentences for a person; the last one says what to do next. */
  readonly message: string;
  /** Where in a file, if it is about one; the message has it in words, too. */
  readonly place?: Place & { readonly column: number | null };
}

export type FaultCode =
  | 'usage'
  | 'plan'
  | 'plan_file'
  | 'workspace'
  | 'no_run'
  | 'run_open'
  | 'refused'
  | 'owned'
  | 'store_full'
  | 'store_corrupt'
  | 'store_newer'
  | 'store_io'
  | 'conflict'
  | 'journal'
  | 'leftovers'
  /** The models as they are set up: no key, no such model, a wrong address. */
  | 'model'
  /** Whoever serves the models cannot be reached. */
  | 'provider'
  /** A sandbox is demanded, and there is none. */
  | 'sandbox'
  | 'deadline';

export type Result<T, F = Fault> =
  { readonly ok: true; readonly value: T } | { readonly ok: false; readonly fault: F };

export function ok<T>(value: T): { readonly ok: true; readonly value: T } {
  return { ok: true, value };
}

export function fail<F>(fault: F): { readonly ok: false; readonly fault: F } {
  return { ok: false, fault };
}
