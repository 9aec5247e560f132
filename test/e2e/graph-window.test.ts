/** A conversation that outgrows the model's window, and a run that outlasts its time. */

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import type { Chat } from '../support/rig-model-chat.ts';
import { reckon, typesOf } from '../support/rig-model-ledger.ts';
import { ACHIEVED, bash, planned, report, verdict, writer, type Step } from '../support/rig-model-story.ts';
import { by, test } from '../support/rig-model.ts';
import { refuses } from '../support/wire-replies.ts';

const OBJECTIVE = 'Run the laps, then write down that it is done';
const GAP = 'laps.txt must have nine laps';
/** Of a model that the catalogue does not know. */
const WINDOW = 32_768;

const bytesOf = ({ body }: Chat): number => Buffer.byteLength(JSON.stringify([body.messages, body.tools]));
/** Also where the conversation begins anew, and its rounds cannot be counted any more. */
const knows = ({ body }: Chat, words: string): boolean => JSON.stringify(body.messages).includes(words);
const lastText = ({ body }: Chat): string => body.messages.at(-1)?.content ?? '';

/** Each lap prints 12 kB; with the ninth it is done. */
const LAP =
  'echo lap >> laps.txt; head -c 9000 /dev/urandom | base64 -w 100; echo "laps: $(wc -l < laps.txt)"';

describe('a conversation that fills the window', () => {
  test('F-175, F-176 is made short before the provider refuses it, and keeps spec, objective and gaps', async ({
    rig,
    provider,
  }) => {
    const lap: Step = { role: 'worker', text: 'One more.', calls: [bash(LAP)] };
    provider.tell([
      planned([
        { slug: 'a', scope: ['a.txt', 'laps.txt'], spec: 'THE SPEC: nine laps, and a.txt says done.' },
      ]),
      { ...lap, when: (chat) => knows(chat, GAP) && !lastText(chat).includes('laps: 9') },
      { role: 'worker', round: 1, turn: 1, calls: [bash('echo done > a.txt')] },
      { role: 'worker', calls: [report()] },
      { role: 'skeptic', round: 1, node: 'a', turn: 1, calls: [bash('ls')] },
      { role: 'skeptic', round: 1, node: 'a', turn: 2, calls: [verdict('refuted', [GAP])] },
      { role: 'other', text: 'Laps were run, one after the other.' },
      ...ACHIEVED,
    ]);
    // A token has three bytes or so.
    const tooLong = refuses(400, { message: 'maximum context length', code: 'context_length_exceeded' });
    let refused = 0;
    provider.misbehave(
      (chat) => bytesOf(chat) / 3 + (chat.body.max_tokens ?? 0) > WINDOW,
      () => {
        refused += 1;
        return tooLong;
      },
      100,
    );
    const { exit } = await rig.run(by(provider, 'graph', OBJECTIVE, '--budget', '2m'));
    expect({ exit, unknown: provider.unknown }).toEqual({ exit: 0, unknown: [] });
    expect(refused).toBe(0);
    const { events } = rig.journal();
    expect(typesOf(events)).toContain('session.compacted');
    expect(readFileSync(join(rig.workspace, 'laps.txt'), 'utf8').split('\n')).toHaveLength(10);
    const worker = provider.chats('worker').at(-1)?.body.messages ?? [];
    const kept = worker[1]?.content ?? '';
    for (const words of [OBJECTIVE, 'THE SPEC', GAP, 'Laps were run']) expect(kept).toContain(words);
    const sums = reckon(events);
    expect(sums.charged).toEqual(provider.reported());
    expect(sums.worst).toBeLessThanOrEqual(0);
  });
});

describe('the time that a run has', () => {
  test('F-40 ends a request that is under way, with the work kept', async ({ rig, provider }) => {
    provider.tell([planned([{ slug: 'a' }]), ...writer('a'), ...ACHIEVED]);
    const held = provider.hold(({ key }) => key.role === 'worker' && key.turn === 2);
    const owner = rig.start(by(provider, 'graph', OBJECTIVE, '--max-time', '5s'));
    const { request } = await held.arrived;
    expect((await owner.ended).exit).toBe(4);
    expect(await request.ended).toBe('closed');
    expect(await rig.status()).toMatchObject({ status: 'paused', why: 'deadline' });
    expect(rig.journal().events.filter(({ type }) => type === 'node.kept')).toHaveLength(1);
    expect(existsSync(join(rig.workspace, 'a.txt'))).toBe(true);
    const asked = provider.chats().length;
    // Without more time there is none.
    expect((await rig.run(['resume'])).exit).not.toBe(0);
    expect(provider.chats()).toHaveLength(asked);
    expect((await rig.run(['resume', '--max-time', '1h'])).exit).toBe(0);
  });
});
