import { expect, it, onTestFinished } from 'vitest';
import { holdSignals, type Stop } from '../../src/cli/signals.ts';

it('keeps a signal that comes between two listeners for the next one', () => {
  const { listen, stop } = holdSignals();
  onTestFinished(stop);
  const heard: Stop[] = [];
  const handlers = { pause: (signal: Stop) => void heard.push(signal), kill: () => Promise.resolve() };
  const first = listen(handlers);
  expect(first.first()).toBeNull();
  first.stop();
  process.emit('SIGTERM');
  expect(heard).toEqual([]);
  const second = listen(handlers);
  expect(heard).toEqual(['SIGTERM']);
  expect(second.first()).toBe('SIGTERM');
});
