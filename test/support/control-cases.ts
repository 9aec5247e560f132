/** What every Inbox, ChildLog and Lease must do. Run against each implementation. */

import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ChildRow } from '../../src/contract/ports.ts';
import type { Store } from '../../src/store/store.ts';
import type { StoreRig } from './event-log-cases.ts';
import { created, faultOf, must } from './store-samples.ts';

export function controlCases(name: string, makeRig: () => StoreRig): void {
  let rig: StoreRig;
  let owner: Store;
  let other: Store;
  beforeEach(() => {
    rig = makeRig();
    owner = rig.open();
    other = rig.open();
  });
  afterEach(() => {
    rig.end();
  });

  describe(`${name}: inbox`, inboxCases);
  describe(`${name}: children`, childCases);
  describe(`${name}: lease`, leaseCases);

  function inboxCases(): void {
    it('shows the owner its open requests, oldest first, and nobody else’s', async () => {
      const one = must(await other.inbox.post({ run: 'r', epoch: 3, request: 'one' }));
      const two = must(await other.inbox.post({ run: 'r', epoch: 3, request: 'two' }));
      await other.inbox.post({ run: 'r', epoch: 2, request: 'to a dead owner' });
      await other.inbox.post({ run: 'r', epoch: 4, request: 'to a later owner' });
      await other.inbox.post({ run: 's', epoch: 3, request: 'of another run' });
      expect(must(await owner.inbox.open('r', 3))).toEqual([
        { id: one, request: 'one' },
        { id: two, request: 'two' },
      ]);
      expect(must(await other.inbox.answer(one))).toBeNull();
    });

    it('does not show an answered request again', async () => {
      const id = must(await other.inbox.post({ run: 'r', epoch: 1, request: 'q' }));
      await owner.log.append({ run: 'r', expected: 0, events: [], answers: [{ id, answer: '' }] });
      expect(must(await owner.inbox.open('r', 1))).toEqual([]);
      expect(must(await other.inbox.answer(id))).toBe('');
    });

    it('lets a request be taken back before it is answered, and not after', async () => {
      const first = must(await other.inbox.post({ run: 'r', epoch: 1, request: 'p' }));
      const second = must(await other.inbox.post({ run: 'r', epoch: 1, request: 'q' }));
      expect(must(await other.inbox.withdraw(first))).toBeNull();
      expect(must(await owner.inbox.open('r', 1))).toEqual([{ id: second, request: 'q' }]);
      await owner.log.append({
        run: 'r',
        expected: 0,
        events: [],
        answers: [{ id: second, answer: 'done' }],
      });
      expect(must(await other.inbox.withdraw(second))).toBe('done');
    });

    it('takes the answer of an owner that had begun before the request was taken back', async () => {
      const id = must(await other.inbox.post({ run: 'r', epoch: 1, request: 'q' }));
      must(await other.inbox.withdraw(id));
      await owner.log.append({ run: 'r', expected: 0, events: [], answers: [{ id, answer: 'done' }] });
      expect(must(await other.inbox.answer(id))).toBe('done');
    });

    it('has no answer for a request that was never made', async () => {
      expect(must(await owner.inbox.answer(77))).toBeNull();
    });

    it('changes when another process has written, and not by what the owner writes', async () => {
      const before = owner.inbox.changes();
      await owner.log.append({ run: 'r', expected: 0, events: [created('r')] });
      expect(owner.inbox.changes()).toBe(before);
      await other.inbox.post({ run: 'r', epoch: 1, request: 'q' });
      const after = owner.inbox.changes();
      expect(after).not.toBe(before);
      expect(owner.inbox.changes()).toBe(after);
    });
  }

  function childCases(): void {
    const child = (token: string): ChildRow => ({ pid: 7, startTime: '123', token, run: 'r', key: 'k' });

    it('keeps a record until it is forgotten, for the next owner to see', () => {
      must(owner.children.record(child('a')));
      must(owner.children.record(child('b')));
      expect(must(other.children.all())).toEqual([child('a'), child('b')]);
      owner.children.forget('a');
      owner.children.forget('never recorded');
      expect(must(owner.children.all())).toEqual([child('b')]);
      owner.close();
      expect(must(other.children.all())).toEqual([child('b')]);
    });

    it('drops what was forgotten with the next record', () => {
      must(owner.children.record(child('a')));
      owner.children.forget('a');
      must(owner.children.record(child('b')));
      expect(must(other.children.all())).toEqual([child('b')]);
    });

    it('refuses a token that is in use', () => {
      must(owner.children.record(child('a')));
      expect(faultOf(owner.children.record(child('a'))).code).toBe('conflict');
    });
  }

  function leaseCases(): void {
    it('is free until it is taken and after it is released, with one more epoch at every take', () => {
      expect(must(owner.lease.holder())).toBeNull();
      const first = must(owner.lease.take('r'));
      expect(first).toMatchObject({ run: 'r', epoch: 1 });
      expect(must(owner.lease.holder())).toEqual(first);
      expect(must(other.lease.holder())).toEqual(first);
      owner.lease.release();
      expect(must(other.lease.holder())).toBeNull();
      expect(must(other.lease.take('s'))).toMatchObject({ run: 's', epoch: 2 });
    });

    it('is refused while another process has it, by a message that names who and what to do', () => {
      const { pid, host } = must(owner.lease.take('r'));
      const fault = faultOf(other.lease.take('r'));
      expect(fault.code).toBe('owned');
      expect(fault.message).toContain(`process ${pid} on ${host}`);
      expect(fault.message).toContain('goalgraph pause');
      expect(must(owner.lease.holder())?.epoch).toBe(1);
      owner.close();
      expect(must(other.lease.take('r')).epoch).toBe(2);
    });

    it('is not to be taken twice by one process; a release too many is harmless', () => {
      must(owner.lease.take('r'));
      expect(() => owner.lease.take('r')).toThrow('already');
      owner.lease.release();
      owner.lease.release();
      other.lease.release();
      expect(must(owner.lease.take('r')).epoch).toBe(2);
      other.lease.release();
      expect(must(other.lease.holder())?.epoch).toBe(2);
    });
  }
}
