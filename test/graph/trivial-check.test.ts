import { execFileSync } from 'node:child_process';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { canFail } from '../../src/graph/trivial-check.ts';

const CANNOT_FAIL = [
  '',
  '   ',
  'true',
  '  true  ',
  ':',
  'exit 0',
  'exit 0; npm test',
  'echo',
  'echo done',
  'echo "all && good"',
  "echo 'a; false'",
  'echo $HOME is "$HOME"',
  'echo a\\ b \\; false',
  'true; true',
  'true && : && echo ok',
  'true;',
  'true\necho done\n',
  ': no test yet',
  '# npm test',
  'true # npm test',
  'npm test || true',
  'npm test; true',
  'npm test\necho ok',
  'npm test > log 2>log || :',
  'npm test | tail || echo failed',
  'npm test || exit 0',
  'npm test ||\n  true',
  'npm test >> log 2>&1 || true',
  'true || npm test',
  'true && exit 0',
  'npm test || echo "failed"; true # for now',
  '"true"',
  '/bin/true',
];

const CAN_FAIL = [
  'npm test',
  'npm test;',
  'npm test; # true',
  'npm test\n',
  'false',
  'exit 1',
  'exit',
  'exit 0 | cat && npm test',
  'true && npm test',
  'npm test && true',
  'npm test && echo ok',
  'npm test && exit 0',
  'true || false && false',
  'echo ok && npm test',
  'echo ok; npm test',
  'true; false',
  '! true',
  'set -e; npm test; true',
  'exit 1 || true',
  'exit 1; true',
  'if npm test; then true; else false; fi',
  '(exit 1); exit $?',
  '{ false; }',
  'echo $(npm test)',
  'echo "${X:?}"',
  'echo $((1/0))',
  'echo `npm test`',
  'echo hello > /dev/full',
  'echo hello | grep x',
  'echo "open',
  'trueish',
  'true.sh',
  'echo.sh',
  'test -f x#y',
  'npm run test:unit',
  'sh -c "exit 1"; exec false; true',
  'true &&',
  'true ||',
  'true | ! true; true',
  'true || # false',
  'npm test | || true',
  'npm test > || true',
  'cat << END || true',
  'true;;true',
  '&& true',
  'npm test | tail -5',
  'true & false',
];

describe('canFail', () => {
  it.each(CANNOT_FAIL)('sees that %j always succeeds', (command) => {
    expect(canFail(command)).toBe(false);
  });

  it.each(CAN_FAIL)('lets %j count', (command) => {
    expect(canFail(command)).toBe(true);
  });

  it('never calls a command certain that the shell lets fail', () => {
    const piece = fc.constantFrom(
      ...[
        'true',
        ':',
        'false',
        'exit 0',
        'exit 3',
        'echo x',
        'echo "a;b"',
        'sh -c "exit 2"',
        'set -e',
        '! true',
      ],
      ...[
        '(false)',
        'true | false',
        '',
        '# false',
        'echo x >/dev/full',
        'exit',
        'false &',
        'tr\\ue',
        '"false"',
      ],
    );
    const joint = fc.constantFrom(' && ', ' || ', '; ', '\n', ' | ', ' ');
    const command = fc
      .array(fc.tuple(piece, joint), { minLength: 1, maxLength: 5 })
      .map((parts) => parts.map(([text, sign], i) => (i === parts.length - 1 ? text : text + sign)).join(''));
    fc.assert(
      fc.property(command, (text) => {
        if (!canFail(text)) expect(exitOf(text), text).toBe(0);
      }),
      { numRuns: 200 },
    );
  });

  it('ends on any text, long ones too', () => {
    for (const part of ['a', '"', "'", '\\', '$', '(', '| ', ' ', ';', '&', '#', '\n', 'true;']) {
      const long = part.repeat(200_000);
      for (const text of [`true ${long}`, `${long}$(true)`, `${long}"true`]) {
        expect(typeof canFail(text)).toBe('boolean');
      }
    }
    fc.assert(fc.property(fc.string({ unit: 'binary' }), (text) => typeof canFail(text) === 'boolean'));
    const shell = fc.string({ unit: fc.constantFrom(...Array.from('true exit0:;&|<>(){}$`"\'\\#\n')) });
    fc.assert(fc.property(shell, (text) => typeof canFail(text) === 'boolean'));
  });
});

function exitOf(command: string): number {
  try {
    execFileSync('sh', ['-c', command], { stdio: 'ignore' });
    return 0;
  } catch (error) {
    return (error as { status: number }).status;
  }
}
