import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { makeSlots } from '../../src/engine/slots.ts';

describe('slots', () => {
  it('go to whoever came first, and never to more than there are', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.integer({ min: 1, max: 4 }),
        fc.array(fc.constantFrom('come', 'leave'), { maxLength: 60 }),
        async (count, moves) => {
          const slots = makeSlots(count);
          const served: number[] = [];
          const inside: (() => void)[] = [];
          let came = 0;
          for (const move of moves) {
            if (move === 'come') {
              const me = came++;
              void slots.take().then((giveBack) => {
                served.push(me);
                inside.push(giveBack);
              });
            } else inside.shift()?.();
            await new Promise((resolve) => setImmediate(resolve));
            expect(inside.length).toBeLessThanOrEqual(count);
            expect(inside.length === count || served.length === came).toBe(true);
          }
          expect(served).toEqual([...served].sort((a, b) => a - b));
        },
      ),
    );
  });

  it('are handed over: a newcomer cannot take the slot that a waiter was just given', async () => {
    const slots = makeSlots(1);
    const order: string[] = [];
    const first = await slots.take();
    const waiter = slots.take().then(() => order.push('waiter'));
    first();
    const newcomer = slots.take().then(() => order.push('newcomer'));
    await waiter;
    expect(order).toEqual(['waiter']);
    void newcomer;
  });

  it('are given back once, however often one tries', async () => {
    const slots = makeSlots(1);
    const giveBack = await slots.take();
    giveBack();
    giveBack();
    await slots.take();
    let second = false;
    void slots.take().then(() => (second = true));
    await new Promise((resolve) => setImmediate(resolve));
    expect(second).toBe(false);
  });
});
