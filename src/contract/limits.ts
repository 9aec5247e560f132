/** Hard limits of one run. Null is "no limit"; an absent number never stands for one (JSON has no Infinity). */
export interface Limits {
  /** Raw tokens as billed, input and output. */
  readonly tokens: number | null;
  /** Millionths of a US dollar. */
  readonly cost: number | null;
  /** Milliseconds of running time; pauses do not count. */
  readonly maxTime: number | null;
  /** Absolute, milliseconds since the epoch. */
  readonly until: number | null;
}

export const NO_LIMITS: Limits = { tokens: null, cost: null, maxTime: null, until: null };
