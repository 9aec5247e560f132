/** How a run asks models: fixed when it is created, so that whoever resumes it keeps to it. */

import type { Price } from './budget.ts';

export interface ModelSettings {
  /** As the user named it: `preset/model`, or `scripted:FILE` with an absolute path. */
  readonly worker: string;
  /** The skeptics' model. */
  readonly verifier: string;
  /** Null: the preset's own. */
  readonly baseUrl: string | null;
  /** What their tokens cost; null where nobody knows, and then there is no money limit. */
  readonly prices: { readonly worker: Price | null; readonly verifier: Price | null };
  /** Skeptics of one verification. */
  readonly panel: { readonly node: number; readonly final: number };
  readonly caps: GoalCaps;
  readonly sandbox: SandboxMode;
  readonly allowNet: boolean;
}

export interface GoalCaps {
  /** Rounds of one goal. */
  readonly rounds: number;
  /** Verifications of one goal. */
  readonly verifications: number;
  /** Requests of one session in one round. */
  readonly turns: number;
}

/** `auto`: where it works. `required`: nothing runs without it. */
export type SandboxMode = 'auto' | 'off' | 'required';

export const DEFAULT_CAPS: GoalCaps = { rounds: 12, verifications: 10, turns: 60 };
export const DEFAULT_PANEL: ModelSettings['panel'] = { node: 1, final: 3 };
