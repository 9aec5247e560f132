/** What tests of killed model runs share: the end of one process, and what the next one must make of it. */

import { expect } from 'vitest';
import type { RunEvent } from '../../src/contract/event.ts';
import type { Running } from './rig-cli.ts';
import type { Chat } from './rig-model-chat.ts';
import { reckon } from './rig-model-ledger.ts';
import type { Provider } from './rig-model.ts';
import type { Rig } from './rig.ts';

export const GRAPH = ['graph', 'Write the file', '--budget', '500k'] as const;
export const MAYBE = 'may or may not have happened';

export async function kill(owner: Running): Promise<void> {
  owner.kill('SIGKILL');
  expect((await owner.ended).signal).toBe('SIGKILL');
}

/** Goes on to the end; what was charged is what was reported, and for each request that was cut its reservation. */
export async function resumes(
  rig: Rig,
  provider: Provider,
  cut: number,
  exact = true,
): Promise<readonly RunEvent[]> {
  const held = reckon(rig.journal().events);
  const { exit } = await rig.run(['resume']);
  expect({ exit, unknown: provider.unknown }).toEqual({ exit: 0, unknown: [] });
  const { events } = rig.journal();
  const sums = reckon(events);
  const reported = provider.reported();
  if (exact) expect(sums.charged).toEqual(reported);
  // A reply that nobody was left to store is among what was reported, and its reservation is at least as much.
  expect(sums.charged.input).toBeLessThanOrEqual(reported.input);
  expect(sums.spent).toBeGreaterThanOrEqual(reported.input + reported.output);
  expect(sums.estimated).toBe(held.reserved);
  expect(sums.reserved).toBe(0);
  expect(sums.worst).toBeLessThanOrEqual(0);
  // What was reserved may not have been sent yet.
  if (exact) expect(provider.chats()).toHaveLength(sums.calls);
  const charges = events.filter((event) => event.type === 'budget.charged');
  expect(new Set(charges.map(({ id }) => id)).size).toBe(charges.length);
  expect(charges.filter(({ estimated }) => estimated)).toHaveLength(cut);
  const status = await rig.status();
  expect(status.budget?.spent.tokens).toBe(sums.spent);
  // F-34: the limit is that of the command line that began it.
  expect(status.limits.tokens).toBe(500_000);
  return events;
}

export function messagesOf(chat: Chat | undefined) {
  return chat?.body.messages ?? [];
}
