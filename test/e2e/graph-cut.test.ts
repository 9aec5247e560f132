/** SIGKILL between a reply and what follows from it: timed by the events that the process prints, so a race at times. */

import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { RunEvent } from '../../src/contract/event.ts';
import type { Running } from '../support/rig-cli.ts';
import type { Chat } from '../support/rig-model-chat.ts';
import { GRAPH, messagesOf, resumes } from '../support/rig-model-kill.ts';
import { reckon, typesOf } from '../support/rig-model-ledger.ts';
import { plainStory } from '../support/rig-model-story.ts';
import { by, test } from '../support/rig-model.ts';

describe.concurrent('a process that is killed between a reply and the results of its calls', () => {
  const points = [
    ['planner', 'turn.ended', 1],
    ['worker', 'turn.ended', 1],
    ['worker', 'turn.ended', 2],
    ['worker', 'tools.ended', 1],
    ['skeptic', 'turn.ended', 2],
    ['skeptic', 'tools.ended', 1],
  ] as const;
  for (const [role, type, turn] of points) {
    test(`${role}: ${type} of turn ${turn}`, async ({ rig, provider }) => {
      provider.tell(plainStory('a'));
      const owner = rig.start([...by(provider, ...GRAPH), '--json']);
      if (!(await killedAt(owner, role, type, turn))) return;
      const { reserved } = reckon(rig.journal().events);
      await resumes(rig, provider, reserved > 0 ? 1 : 0, reserved === 0);
      const { events } = rig.journal();
      // One reply of each turn is stored, and each is answered once.
      for (const kind of ['turn.ended', 'tools.ended'] as const) {
        const keys = events.flatMap((event) =>
          event.type === kind ? `${JSON.stringify(event.session)} ${event.round}.${event.turn}` : [],
        );
        expect(new Set(keys).size).toBe(keys.length);
      }
      expect(readFileSync(join(rig.workspace, 'a.txt'), 'utf8')).toBe('done\n');
      for (const one of ['worker', 'planner']) mustGoOn(provider.chats(one));
    });
  }

  test('has not used up an attempt of the planner, whose plan nobody has looked at', async ({
    rig,
    provider,
  }) => {
    provider.tell(plainStory('a'));
    let args: readonly string[] = by(provider, ...GRAPH);
    for (const turn of [1, 2, 3]) {
      const killed = await killedAt(rig.start([...args, '--json']), 'planner', 'turn.ended', turn);
      if (!killed) return;
      // If it was faster than the kill, there is nothing to see here.
      if (typesOf(rig.journal().events).includes('run.planned')) break;
      args = ['resume'];
    }
    expect((await rig.run(['resume'])).exit).toBe(0);
  });
});

async function killedAt(
  owner: Running,
  role: string,
  type: RunEvent['type'],
  turn: number,
): Promise<boolean> {
  owner.onLine((line) => {
    const event = JSON.parse(line) as RunEvent;
    if (!('session' in event) || event.session.role !== role || event.type !== type) return;
    if ('turn' in event && event.turn === turn) owner.kill('SIGKILL');
  });
  // A run that was faster than the kill has nothing to show.
  return (await owner.ended).signal === 'SIGKILL';
}

/** Each request of a conversation begins with all that the one before it had. */
function mustGoOn(chats: readonly Chat[]): void {
  chats.slice(1).forEach((chat, i) => {
    const before = messagesOf(chats[i]);
    expect(messagesOf(chat).slice(0, before.length)).toEqual(before);
  });
}
