/** What the roles are played with: the models, the workspace and its snapshots, what is stored, and time. */

import type { Price } from '../../contract/budget.ts';
import type { Answer } from '../../contract/event.ts';
import type { EffectFailed } from '../../contract/goal-event.ts';
import type { Model, ModelEvent } from '../../contract/model.ts';
import type { Ceilings, ChildLog, Clock, EventLog, Runner } from '../../contract/ports.ts';
import type { SessionId } from '../../contract/session-event.ts';
import type { Records } from '../../graph/records.ts';
import type { BackOff } from '../../model/back-off.ts';
import type { Copies } from '../../os/copies.ts';
import type { Environment, Pipes } from '../../os/pipes.ts';
import type { WrapOptions } from '../../os/sandbox-policy.ts';
import type { ShadowGit } from '../../os/shadow-git.ts';
import type { SkillText } from '../../tool/skill.ts';
import type { Untimed } from '../drive.ts';
import type { Timeouts } from '../perform.ts';
import type { Say } from '../say.ts';
import type { SessionIndex } from '../session-index.ts';

/** A model as the roles use it. */
export interface RoleModel {
  readonly name: string;
  readonly model: Model;
  /** Of its provider. */
  readonly backOff: BackOff;
  readonly price: Price | null;
  /** Tokens it can take in and give out together. */
  readonly window: number;
}

export interface WorldSkill extends SkillText {
  readonly description: string;
  /** Of its main file. */
  readonly path: string;
}

export interface World {
  readonly run: string;
  /** As the user gave it. */
  readonly objective: string;
  /** Absolute and real. */
  readonly workspace: string;
  readonly stateDir: string;
  readonly worker: RoleModel;
  readonly verifier: RoleModel;
  readonly shadow: ShadowGit;
  readonly copies: Copies;
  readonly runner: Runner;
  /** The same in another folder: a copy. */
  readonly runnerIn: (root: string) => Pick<Runner, 'run'>;
  readonly timeouts: Timeouts;
  readonly blobs: Pick<EventLog, 'putBlob' | 'getBlob'>;
  readonly children: ChildLog;
  readonly pipes: Pipes;
  /** What commands see: no key among it. */
  readonly env: Environment;
  readonly secrets: readonly string[];
  /** The line that runs this one in the sandbox of this folder. */
  readonly wrap: (command: string, root: string, options: WrapOptions) => string;
  readonly mask: (text: string) => string;
  readonly sandboxed: boolean;
  /** Installed ones, for workers and agents to read up on. */
  readonly skills: readonly WorldSkill[];
  readonly index: SessionIndex;
  readonly records: Records;
  /** Above all runs of the person; null where there are none. */
  readonly ceilings: Ceilings | null;
  readonly clock: Clock;
  /** From 0 to below 1. */
  readonly random: () => number;
  /** For a person who watches. */
  readonly progress: (event: ModelEvent & { readonly session: SessionId }) => void;
}

/** One effect under way. */
export interface Playing<E> {
  readonly world: World;
  readonly effect: E;
  readonly signal: AbortSignal;
  readonly say: Say;
}

/** Null: it was aborted, and there is nothing to tell. */
export type Played = Promise<Untimed<Answer> | null>;

export function failedEffect(
  effect: string,
  fault: Pick<EffectFailed, 'why' | 'detail'> & { readonly resetAt?: number | null },
): Omit<EffectFailed, 'at'> {
  const { why, detail, resetAt = null } = fault;
  return { type: 'effect.failed', effect, why, detail, resetAt };
}
