/** The stored form of the events of sessions. */

import { z } from 'zod';
import type { SessionId } from '../contract/session-event.ts';
import { address, count, event, hash, mirrors, nodeId, positive, text, texts, usage } from './event-parts.ts';

const session = mirrors<SessionId>()(
  z.strictObject({
    role: z.enum(['planner', 'briefer', 'worker', 'skeptic', 'strategist', 'summarizer', 'agent']),
    node: nodeId.nullable(),
    born: count,
    series: positive,
    seat: positive,
  }),
);

const said = { session, round: positive, messages: address };

export const sessionEvents = [
  event('session.asked', said),
  event('turn.ended', {
    ...said,
    turn: positive,
    finish: z.enum(['stop', 'tools', 'length', 'filter']),
    usage: usage.nullable(),
    sent: count,
    same: count,
    calls: texts,
  }),
  event('tools.ended', {
    ...said,
    turn: positive,
    results: z.array(z.strictObject({ name: text, line: text, hash, ok: z.boolean() })),
  }),
  event('session.compacted', said),
] as const;
