/** What every EventLog must do with large texts and with secrets. Run against each implementation. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { RunEvent } from '../../src/contract/event.ts';
import type { EventLog } from '../../src/contract/ports.ts';
import type { StoreRig } from './event-log-cases.ts';
import { created, must, plan, planNode } from './store-samples.ts';

export function textCases(name: string, makeRig: () => StoreRig): void {
  let rig: StoreRig;
  let log: EventLog;
  beforeEach(() => {
    rig = makeRig();
    log = rig.open().log;
  });
  afterEach(() => {
    rig.end();
  });

  describe(`${name}: texts`, blobCases);
  describe(`${name}: secrets`, maskCases);

  function blobCases(): void {
    it('stores a text once, under the hash of its bytes', async () => {
      const bytes = Uint8Array.from([0, 255, 10, 195, 40]);
      const address = must(await log.putBlob(bytes));
      expect(address).toMatch(/^[0-9a-f]{64}$/);
      expect(must(await rig.open().log.putBlob(bytes))).toBe(address);
      expect(must(await log.getBlob(address))).toEqual(bytes);
      expect(must(await log.getBlob('0'.repeat(64)))).toBeNull();
    });

    it('keeps its own copy of a text', async () => {
      const bytes = new TextEncoder().encode('before');
      const address = must(await log.putBlob(bytes));
      bytes.fill(0);
      const read = must(await log.getBlob(address));
      expect(new TextDecoder().decode(read ?? undefined)).toBe('before');
      read?.fill(0);
      expect(must(await log.getBlob(address))).not.toEqual(read);
    });

    it('takes a text over the cap for a bug', async () => {
      const capped = rig.open({ maxBlob: 10 }).log;
      await expect(capped.putBlob(new Uint8Array(11))).rejects.toThrow('cap');
      expect(must(await capped.putBlob(new Uint8Array(10)))).toMatch(/^[0-9a-f]{64}$/);
      await expect(log.putBlob(new Uint8Array(1024 * 1024 + 1))).rejects.toThrow('cap');
    });
  }

  function maskCases(): void {
    const secret = 'ab"c\n\\é123';
    const mask = (text: string) => text.replaceAll(secret, '***');

    it('masks secrets in events, also those that JSON escapes, and leaves the rest alone', async () => {
      const masking = rig.open({ mask }).log;
      const node = planNode('a', { run: `login ${secret}`, scope: [secret] });
      const event = created('r', { plan: plan([node]) });
      const tail: RunEvent = {
        type: 'node.blocked',
        at: 2,
        node: node.id,
        why: 'infra',
        detail: `<${secret}>`,
      };
      await masking.append({ run: 'r', expected: 0, events: [event, tail] });
      expect(must(await log.read('r')).map(({ event: stored }) => stored)).toEqual([
        created('r', { plan: plan([{ ...node, run: 'login ***', scope: ['***'] }]) }),
        { ...tail, detail: '<***>' },
      ]);
      expect(node.run).toContain(secret);
    });

    it('masks secrets in texts; bytes that are not UTF-8 stay when there is none', async () => {
      const masking = rig.open({ mask }).log;
      const address = must(await masking.putBlob(new TextEncoder().encode(`a ${secret} b`)));
      expect(new TextDecoder().decode(must(await masking.getBlob(address)) ?? undefined)).toBe('a *** b');
      const binary = Uint8Array.from([255, 254, 0, 195]);
      expect(must(await masking.getBlob(must(await masking.putBlob(binary))))).toEqual(binary);
    });

    it('masks secrets in requests and answers', async () => {
      const masking = rig.open({ mask });
      const id = must(await masking.inbox.post({ run: 'r', epoch: 1, request: `q ${secret}` }));
      expect(must(await masking.inbox.open('r', 1))).toEqual([{ id, request: 'q ***' }]);
      const answers = [{ id, answer: `a ${secret}` }];
      await masking.log.append({ run: 'r', expected: 0, events: [created('r')], answers });
      expect(must(await masking.inbox.answer(id))).toBe('a ***');
    });
  }
}
