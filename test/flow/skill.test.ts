/** What a SKILL.md is taken for: recorded files, and what a person is told of a broken one. */

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseSkill } from '../../src/flow/skill.ts';

interface Case {
  readonly id: string;
  readonly content: string;
  readonly dir_name: string;
  readonly expect: {
    readonly skipped: boolean;
    readonly name?: string;
    readonly description?: string;
    readonly type?: string;
    readonly flow?: {
      readonly begin: string;
      readonly end: string;
      readonly nodes: readonly string[];
    } | null;
  };
}

const CASES = readFileSync(new URL('../cases/flow-skills.jsonl', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => JSON.parse(line) as Case);

const FLOW = '---\nname: f\ntype: flow\n---\n';

describe('a skill', () => {
  it.each(CASES.map((one) => [one.id, one] as const))('is read as it was recorded: %s', (_, one) => {
    const skill = parseSkill(one.content, one.dir_name);
    expect(!skill.ok).toBe(one.expect.skipped);
    if (!skill.ok) return;
    const { name, description, flow } = skill.value;
    expect({
      skipped: false,
      name,
      description,
      type: flow === null ? 'standard' : 'flow',
      flow: flow && { begin: flow.begin, end: flow.end, nodes: flow.nodes.map(({ id }) => id).sort() },
    }).toEqual({ ...one.expect, log_levels: undefined });
  });

  it('whose chart is broken is one of instructions, and names the line of the file', () => {
    const skill = parseSkill(`${FLOW}\nText.\n\n\`\`\`mermaid\ns([BEGIN]) --> a\na --> [\n\`\`\`\n`, 'x');
    expect(skill).toMatchObject({ ok: true, value: { name: 'f', flow: null, flaw: { line: 10 } } });
  });

  it('whose chart nobody can follow names the line where it begins, and why', () => {
    const skill = parseSkill(`${FLOW}\`\`\`d2\nBEGIN -> a -> a\nEND\n\`\`\``, 'x');
    expect(skill).toMatchObject({ ok: true, value: { flaw: { line: 6, column: 1 } } });
    expect(skill.ok && skill.value.flaw?.message).toContain('END');
  });

  it.each([
    ['---\nname: [\n---\n', 2, /no YAML/],
    ['---\nname: a\ntype: Flow\n---\n', 2, /standard or flow/],
    ['---\nname: 3\n---\n', 2, /name must be text/],
    ['---\n- a\n---\n', 2, /no list of keys/],
    [
      `---\na: &a [x, x]\nb: &b [*a, *a]\nc: &c [*b, *b]\nd: &d [*c, *c]\ne: [${'*d, '.repeat(200)}]\n---\n`,
      2,
      /./,
    ],
  ])('that cannot be used says where and why: %j', (text, line, message) => {
    const skill = parseSkill(text, 'x');
    expect(skill).toMatchObject({ ok: false, fault: { line } });
    expect(!skill.ok && skill.fault.message).toMatch(message);
  });

  it('never throws, whatever the file holds', () => {
    const piece = fc.constantFrom(
      '---',
      '\n',
      '\r',
      'type: flow',
      '```',
      '~~~',
      'mermaid',
      'd2',
      '{',
      '*',
      '&a',
      ':',
      ' ',
    );
    fc.assert(
      fc.property(fc.array(fc.oneof(piece, fc.string()), { maxLength: 40 }), (pieces) => {
        expect(parseSkill(pieces.join(''), 'x')).toHaveProperty('ok');
      }),
      { numRuns: 500 },
    );
  });
});
