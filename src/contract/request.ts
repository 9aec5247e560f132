/** What a person may ask of a run, from the same terminal or another one. JSON: it travels through the inbox. */

import type { ModelSettings } from './settings.ts';

export type Request =
  | { readonly type: 'pause'; readonly by: string }
  /** Yes to the plan that a model wrote. */
  | { readonly type: 'approve' }
  | {
      readonly type: 'resume';
      readonly add: AddedLimits;
      readonly concurrency: number | null;
      /** Null for no change. */
      readonly models: ModelSettings | null;
    }
  /** At a decision of a flow: the label of the exit to take. `step`: the decision that was seen; null for any. */
  | { readonly type: 'choose'; readonly branch: string; readonly step: string | null }
  /** `node`: slug or id. */
  | { readonly type: 'retry'; readonly node: string }
  | { readonly type: 'skip'; readonly node: string }
  | ({ readonly type: 'edit'; readonly node: string } & Edit)
  | { readonly type: 'clear' };

/** What to change; null leaves it. `checks` replaces all of the node's checks. */
export interface Edit {
  readonly spec: string | null;
  readonly run: string | null;
  readonly checks: readonly string[] | null;
}

/** Added to what is left; `until` replaces. Null changes nothing. */
export interface AddedLimits {
  readonly tokens: number | null;
  readonly cost: number | null;
  readonly maxTime: number | null;
  readonly until: number | null;
  /** Moves of a flow. */
  readonly moves: number | null;
}

export const NOTHING_ADDED: AddedLimits = {
  tokens: null,
  cost: null,
  maxTime: null,
  until: null,
  moves: null,
};
