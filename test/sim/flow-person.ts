/** Who watches over a simulated flow: interrupts it, decides instead of the agent, and comes back when it rests. */

import { NOTHING_ADDED, type AddedLimits, type Request } from '../../src/contract/request.ts';
import type { PausedWhy } from '../../src/contract/status.ts';
import type { Random } from './random.ts';

/** As they are typed: not every step has all of them, and one is none. */
const TYPED = ['a', 'b', 'c', ' A', 'none'] as const;
const NODE = 'flow';
/** Without meddling always the same, so that a troubled run is given no more than a calm one. */
const MORE = 10;
/** Moves after which nobody comes back. */
const PATIENCE = 40;

/** While it runs. Most of what is asked is refused at most steps. */
export function meddleInFlow(random: Random): Request {
  const kind = random.int(0, 11);
  if (kind < 6) return chooses(random);
  if (kind < 7) return { type: 'retry', node: NODE };
  if (kind < 8) return { type: 'skip', node: NODE };
  if (kind < 9) return { type: 'edit', node: NODE, spec: 'another chart', run: null, checks: null };
  if (kind < 10) return goOn({ ...NOTHING_ADDED, moves: 3 });
  return random.chance(0.1) ? { type: 'clear' } : { type: 'pause', by: 'person' };
}

export interface AtRest {
  readonly random: Random;
  readonly meddling: boolean;
  readonly why: PausedWhy | undefined;
  /** How often the agent was asked so far. */
  readonly moves: number;
  /** What time, tokens and money are added. */
  readonly more: Partial<AddedLimits>;
}

/** What a new process is asked; null when nobody comes back. */
export function askedAtRest({ random, meddling, why, moves, more }: AtRest): readonly Request[] | null {
  if (moves >= PATIENCE && (meddling || why === 'moves')) return null;
  const add = { ...NOTHING_ADDED, ...more };
  if (!meddling) return [goOn({ ...add, moves: why === 'moves' ? MORE : null })];
  const isAsked = why === 'moves' || why === 'stuck';
  const tells = random.chance(0.3) ? [meddleInFlow(random)] : isAsked ? [chooses(random)] : [];
  // Another command may leave its word, and go.
  if (tells.length > 0 && random.chance(0.3)) return tells;
  const adds = why === 'moves' ? random.chance(0.9) : random.chance(0.2);
  return [...tells, goOn({ ...add, moves: adds ? random.int(1, MORE) : null })];
}

function chooses(random: Random): Request {
  return { type: 'choose', branch: random.pick(TYPED), step: null };
}

function goOn(add: AddedLimits): Request {
  return { type: 'resume', add, concurrency: null, models: null };
}
