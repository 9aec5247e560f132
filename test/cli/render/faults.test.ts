import picocolors from 'picocolors';
import { expect, test } from 'vitest';
import type { PlanFault, PlanWarning } from '../../../src/contract/fault.ts';
import { faultLines } from '../../../src/cli/render/faults.ts';

const faults: readonly PlanFault[] = [
  {
    code: 'unknown_dep',
    slug: 'parse-csv',
    place: { file: 'plan.md', line: 12 },
    witness: 'reed-file',
    message: 'depends on "reed-file", which is no node; did you mean "read-file"?',
  },
  {
    code: 'parse',
    slug: null,
    place: { file: 'draft.json', line: null },
    witness: null,
    message: 'not one object\n',
  },
  { code: 'empty', slug: null, place: null, witness: null, message: 'the plan has no nodes: add one' },
];
const warnings: readonly PlanWarning[] = [
  { code: 'narrow', slug: null, place: { file: 'a\x1b[31m.md', line: 1 }, message: 'one\r\nline' },
];

test('says place, code, slug and message as compilers do', () => {
  expect(faultLines(faults, warnings, { palette: picocolors.createColors(false), ascii: false })).toEqual([
    'plan.md:12: error[unknown_dep] parse-csv: depends on "reed-file", which is no node; did you mean "read-file"?',
    'draft.json: error[parse] not one object',
    'error[empty] the plan has no nodes: add one',
    'a\\x1b[31m.md:1: warning[narrow] one line',
  ]);
});

test('colours place and code only', () => {
  const [line] = faultLines(faults, [], { palette: picocolors.createColors(true), ascii: false });
  expect(line).toContain('\x1b[1mplan.md:12\x1b[22m: \x1b[31merror[unknown_dep]\x1b[39m parse-csv: depends');
});
