/** The session of a role: what all roles have in common. */

import type { JsonObject } from '../../contract/model.ts';
import type { SessionId } from '../../contract/session-event.ts';
import type { Tool } from '../../contract/tool.ts';
import { FLOOR } from '../../kernel/ledger-room.ts';
import { makeBank } from '../bank.ts';
import type { Say } from '../say.ts';
import type { Compact, RoundSpec, SessionDeps } from '../session-spec.ts';
import type { RoleModel, World } from './world.ts';

export interface RoleSpec {
  readonly id: SessionId;
  readonly slug: string;
  readonly round: number;
  readonly final: boolean;
  readonly by: RoleModel;
  readonly system: string;
  readonly ask: () => Promise<string>;
  readonly tools: readonly Tool[];
  readonly ending?: (tool: string, args: JsonObject) => boolean;
  readonly apart?: boolean;
  /** Tools that show nothing of the world. */
  readonly silent?: readonly string[];
  readonly turns: number;
  readonly compact?: Compact;
  readonly keep?: () => string;
}

/** Tokens of one reply: enough for a file and the thoughts before it, and never most of a small window. */
const MAX_OUTPUT = 16_384;

export function roundSpec(role: RoleSpec): RoundSpec {
  const { id, slug, round, final, by, tools, silent = [], turns } = role;
  const { model, price, window } = by;
  const seat = id.role === 'skeptic' ? ` ${id.seat}` : '';
  return {
    id,
    slug,
    round,
    call: `${id.role}${seat}${slug === '' ? '' : ` of ${slug}`}`,
    final,
    modelName: by.name,
    model,
    price,
    window,
    maxOutput: Math.min(MAX_OUTPUT, Math.floor(window / 4)),
    floor: id.role === 'skeptic' ? FLOOR.verdict : FLOOR.worker,
    system: role.system,
    ask: role.ask,
    tools,
    toolChoice: 'auto',
    ending: role.ending ?? (() => false),
    apart: role.apart ?? false,
    silent: new Set(silent),
    turns,
    compact: role.compact ?? null,
    keep: role.keep ?? (() => ''),
  };
}

export function sessionDeps(world: World, say: Say, by: RoleModel): SessionDeps {
  const { run, ceilings, clock, random, index, blobs, mask, progress } = world;
  const bank = makeBank(say, ceilings && { run, ceilings });
  return { say, bank, clock, random, backOff: by.backOff, index, blobs, mask, progress };
}
