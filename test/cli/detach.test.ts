import { expect, it } from 'vitest';
import { withoutFlag } from '../../src/cli/detach.ts';

it.each([
  [
    ['graph', 'x', '--detach', '--budget', '1m'],
    ['graph', 'x', '--budget', '1m'],
  ],
  [
    ['graph', '--detach', '--', '--detach'],
    ['graph', '--', '--detach'],
  ],
  [
    ['graph', 'detach'],
    ['graph', 'detach'],
  ],
])('the process of its own gets %j without the flag', (args, rest) => {
  expect(withoutFlag(args)).toEqual(rest);
});
