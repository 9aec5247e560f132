import { describe, expect, it } from 'vitest';
import type { Draft } from '../../src/graph/draft.ts';
import { parsePlan } from '../../src/graph/parse-plan.ts';

function draft(...lines: readonly string[]): Draft {
  return parsePlan({ text: lines.join('\n'), file: 'plan.md', source: 'file', format: 'markdown' });
}

/** The draft of one node with these lines under its heading, which is line 2. */
function nodeOf(...lines: readonly string[]) {
  const all = draft('# Objective', '## a: A', ...lines);
  const [node] = all.nodes;
  if (!node) throw new Error('no node');
  const faults = all.faults.map(({ note }) => `${note.code} ${note.place?.line ?? ''}`);
  const warnings = all.warnings.map(({ note }) => `${note.code} ${note.place?.line ?? ''}`);
  return { node, faults, warnings, messages: all.faults.map(({ note }) => note.message) };
}

const values = (list: readonly { value: string }[]) => list.map(({ value }) => value);

describe('the objective', () => {
  it('is the first heading and the text under it, without the keys', () => {
    const { objective, checks, workspace, faults, warnings } = draft(
      '# Ship the importer',
      'check: `npm test`',
      'check(once): `npm run lint`',
      'workspace: ./app',
      '',
      'It must read **all** files.',
      '',
      '### Even large ones',
      '## a: A',
    );
    expect(objective).toBe('Ship the importer\n\nIt must read **all** files.\n\n### Even large ones');
    expect(checks).toEqual([
      { value: 'npm test', line: 2, once: false },
      { value: 'npm run lint', line: 3, once: true },
    ]);
    expect(workspace).toEqual({ value: './app', line: 4 });
    expect([faults, warnings]).toEqual([[], []]);
  });

  it('may stand under a heading without text', () => {
    expect(draft('#', 'Do it.', '## a: A').objective).toBe('Do it.');
  });

  it('is missing when the first heading is that of a node', () => {
    const { objective, nodes } = draft('Words.', '## a: A', '# Late', '## b: B');
    expect(objective).toBe('');
    expect(nodes.map(({ slug }) => slug)).toEqual(['a']);
  });

  it('does not take what stands before the first heading', () => {
    expect(draft('---', 'title: x', '---', '# Objective', '## a: A').objective).toBe('Objective');
  });

  it('warns of a budget, which is not its own, and of keys of a node', () => {
    const { warnings, objective } = draft('# O', 'budget: 2m', 'deps: x', '## a: A');
    expect(warnings.map(({ note }) => [note.code, note.place?.line])).toEqual([
      ['ignored_key', 2],
      ['unknown_key', 3],
    ]);
    expect(objective).toBe('O\n\ndeps: x');
  });

  it('has one workspace', () => {
    const { faults } = draft('# O', 'workspace: a', 'workspace: b', '## a: A');
    expect(faults.map(({ note }) => [note.code, note.place?.line])).toEqual([['parse', 3]]);
  });
});

describe('headings', () => {
  it.each([
    ['## a: Title', 'a', 'Title'],
    ['##\ta:Title', 'a', 'Title'],
    ['   ## a: Title', 'a', 'Title'],
    ['## a : Title', 'a', 'Title'],
    ['## a: Title ##', 'a', 'Title'],
    ['## a: About C#', 'a', 'About C#'],
    ['## a: b: c', 'a', 'b: c'],
    ['## a', 'a', ''],
    ['## a:', 'a', ''],
    ['##', '', ''],
    ['## Some words', 'Some words', ''],
    ['## : Title', '', 'Title'],
  ])('%j names the node %j with the title %j', (heading, slug, title) => {
    const [node] = draft('# O', heading).nodes;
    expect(node).toMatchObject({ slug, title, line: 2, entry: 0 });
  });

  it.each(['##a: x', '    ## a: x', '### a: x', '\\## a: x', '- ## a: x', '> ## a: x', 'a: x', 'a: x\n---'])(
    '%j is text',
    (line) => {
      expect(draft('# O', line).nodes).toEqual([]);
    },
  );

  it('end at the second heading of level 1, whatever follows', () => {
    const one = draft('# O', '## a: A', 'spec', '# Notes', '## b: B', '```', 'never closed');
    expect(one.nodes.map(({ slug, spec }) => [slug, spec])).toEqual([['a', 'spec']]);
    expect(one.faults).toEqual([]);
  });

  it('may end the plan before any node', () => {
    expect(draft('# O', '# Notes', '## b: B').nodes).toEqual([]);
  });
});

describe('fences and comments', () => {
  it.each([
    ['backticks', ['```', '## x: X', '```']],
    ['tildes', ['~~~', '## x: X', '~~~']],
    ['an info string', ['```sh title', '# x', '```']],
    ['three blanks before', ['   ```', '## x: X', '  ```']],
    ['a longer end', ['```', '## x: X', '`````  ']],
    ['a shorter one inside', ['`````', '```', '## x: X', '`````']],
    ['the other sign inside', ['~~~', '```', '## x: X', '~~~']],
    ['an end with text inside', ['```', '``` sh', '## x: X', '```']],
    ['a comment', ['<!--', '## x: X', '-->']],
    ['a comment that ends in a line', ['  <!-- one', '## x: X', 'end --> rest']],
  ])('hide headings: %s', (_, lines) => {
    const { nodes, faults } = draft('# O', '## a: A', ...lines, '## b: B');
    expect(nodes.map(({ slug }) => slug)).toEqual(['a', 'b']);
    expect(nodes[0]?.spec).toBe(lines.join('\n'));
    expect(faults).toEqual([]);
  });

  it.each([
    ['a code span of three', ['```x``` is code', '## x: X']],
    ['four blanks before', ['    ```', '## x: X']],
    ['a comment of one line', ['<!-- one -->', '## x: X']],
    ['the shortest comment', ['<!-->', '## x: X']],
    ['two tildes', ['~~', '## x: X']],
  ])('do not begin with %s', (_, lines) => {
    expect(draft('# O', '## a: A', ...lines).nodes.map(({ slug }) => slug)).toEqual(['a', 'x']);
  });

  it.each([
    ['code fence', '````'],
    ['code fence', '~~~'],
    ['comment', '<!-- off'],
  ])('are a fault when a %s is never closed', (what, line) => {
    const { faults } = draft('# O', '## a: A', line, '## b: B', '```');
    expect(faults.map(({ note }) => [note.code, note.place?.line, note.witness])).toEqual([
      ['parse', 3, what],
    ]);
  });
});

describe('keys', () => {
  it('are read in the unbroken block under the heading', () => {
    const { node, faults, warnings } = nodeOf(
      'deps: b, c',
      'scope: src/**, `test/a.ts`',
      'check: `npm test`',
      'check(once): `npm run e2e`',
      'run: `node build.js`',
      'timeout: 1h30m',
      'retries: 2',
      'on-cut: block',
      'frozen: test/**/*.ts, {a,b}.json',
      'budget: 200k',
      '',
      'The spec.',
    );
    expect([faults, warnings]).toEqual([[], []]);
    expect(node).toMatchObject({
      checks: [
        { value: 'npm test', once: false, line: 5 },
        { value: 'npm run e2e', once: true, line: 6 },
      ],
      run: { value: 'node build.js', line: 7 },
      timeout: 5_400_000,
      retries: 2,
      onCut: 'block',
      budget: 200_000,
    });
    expect(values(node.deps)).toEqual(['b', 'c']);
    expect(values(node.scope)).toEqual(['src/**', 'test/a.ts']);
    expect(values(node.frozen)).toEqual(['test/**/*.ts', '{a,b}.json']);
    expect(node.spec.trim()).toBe('The spec.');
  });

  it.each([
    ['deps:b', ['b']],
    ['deps:', []],
    ['deps: b,, c,', ['b', 'c']],
    ['deps: `b`, `c`  ', ['b', 'c']],
    ['deps: b c', ['b c']],
    ['deps: {b,c},d,e}', ['{b,c}', 'd', 'e}']],
    ['deps: `b,c`,d, `{`,e', ['b,c', 'd', '{', 'e']],
    ['deps: {{b,c},d},e', ['{{b,c},d}', 'e']],
  ])('%j names the deps %j', (line, deps) => {
    expect(values(nodeOf(line).node.deps)).toEqual(deps);
  });

  it('may name lists and checks on several lines', () => {
    const { node, faults } = nodeOf('deps: b', 'deps: c', 'check: `x`', 'check: `y`');
    expect(values(node.deps)).toEqual(['b', 'c']);
    expect(values(node.checks)).toEqual(['x', 'y']);
    expect(faults).toEqual([]);
  });

  it.each(['run: `y`', 'timeout: 10m', 'retries: 2', 'on-cut: rerun', 'budget: 1k'])(
    'may not repeat as in %j',
    (line) => {
      const { node, faults, messages } = nodeOf(
        'run: `x`',
        'timeout: 9m',
        'retries: 1',
        'on-cut: block',
        'budget: 2k',
        line,
      );
      expect(faults).toEqual(['parse 8']);
      expect(messages[0]).toContain('second time');
      expect(node.unread).toHaveLength(1);
      expect(node).toMatchObject({
        run: { value: 'x' },
        timeout: 540_000,
        retries: 1,
        onCut: 'block',
        budget: 2_000,
      });
    },
  );

  it.each([
    ['timeout: 5', 'parse'],
    ['timeout:', 'parse'],
    ['timeout: 0s', 'parse'],
    ['timeout: -1s', 'parse'],
    ['timeout: 25h', 'too_long'],
    ['timeout: 1d1ms', 'too_long'],
    ['retries: 11', 'too_many'],
    ['retries: -1', 'parse'],
    ['retries: 1.5', 'parse'],
    ['retries: two', 'parse'],
    ['on-cut: stop', 'parse'],
    ['budget: lots', 'parse'],
    ['budget: 0', 'parse'],
  ])('have a fault in %j: %s', (line, code) => {
    expect(nodeOf(line)).toMatchObject({ faults: [`${code} 3`], warnings: [] });
  });

  it.each([
    ['timeout: 24h', { timeout: 86_400_000 }],
    ['timeout: `90s`', { timeout: 90_000 }],
    ['retries: 0', { retries: 0 }],
    ['retries: 10', { retries: 10 }],
    ['on-cut: rerun', { onCut: 'rerun' }],
    ['budget: 1.5m', { budget: 1_500_000 }],
  ])('take %j', (line, expected) => {
    expect(nodeOf(line)).toMatchObject({ faults: [], node: expected });
  });

  it('without a slug are told by their line', () => {
    const [{ note } = { note: null }] = draft('# O', '## : A', 'timeout: x').faults;
    expect(note).toMatchObject({
      slug: null,
      message: expect.stringMatching(/^the node at line 2: /) as string,
    });
  });

  it('end at the first other line, and what follows is the spec', () => {
    const { node, warnings } = nodeOf('deps: b', 'Some words', 'scope: src');
    expect(node.scope).toEqual([]);
    expect(node.spec).toBe('Some words\nscope: src');
    expect(warnings).toEqual(['near_miss_key 5']);
  });

  it('end at a blank line, with a warning if keys stand behind it', () => {
    const { node, warnings } = nodeOf('', 'deps: b', 'Words: not a key');
    expect(node.deps).toEqual([]);
    expect(warnings).toEqual(['near_miss_key 4']);
  });
});

describe('commands', () => {
  it.each([
    ['`npm test`', 'npm test'],
    ['`` echo `date` ``', 'echo `date`'],
    ['```echo ``x`` `y` ```', 'echo ``x`` `y` '],
    ['` `x` `', null],
    ['`  two  `', ' two '],
    ['` one`', ' one'],
    ['`a``b`', 'a``b'],
    ['``a`b``', 'a`b'],
    ['npm test', null],
    ['`npm test` and more', null],
    ['and `npm test`', null],
    ['`npm` `test`', null],
    ['`npm test', null],
    ['``npm test`', null],
    ['`npm test``', null],
    ['``', null],
    ['`', null],
    ['"npm test"', null],
    ['', null],
  ])('%j is the command %j', (value, command) => {
    const { node, faults, messages } = nodeOf(`run: ${value}`, `check: ${value}`, '', 'spec');
    expect(node.run?.value ?? null).toBe(command);
    expect(values(node.checks)).toEqual(command === null ? [] : [command]);
    expect(faults).toEqual(command === null ? ['parse 3', 'parse 4'] : []);
    for (const message of messages) expect(message).toContain('one code span with nothing after it');
    expect(node.unread).toEqual(command === null ? ['run', 'checks'] : []);
  });

  it('may be the fenced block that follows', () => {
    const { node, faults } = nodeOf(
      'check:',
      '```sh',
      'npm ci',
      '',
      '  npm test',
      '## no heading',
      '```',
      'run:   ',
      '  ~~~',
      '  node a.js',
      '    node b.js',
      '~~~~',
      'deps: b',
      'spec',
    );
    expect(values(node.checks)).toEqual(['npm ci\n\n  npm test\n## no heading']);
    expect(node.run).toEqual({ value: 'node a.js\n  node b.js', line: 10 });
    expect(values(node.deps)).toEqual(['b']);
    expect(node.spec).toBe('spec');
    expect(faults).toEqual([]);
  });

  it('do not take a block after a blank line, or after a span', () => {
    expect(nodeOf('run:', '', '```', 'x', '```')).toMatchObject({ faults: ['parse 3'], node: { run: null } });
    const { node, faults } = nodeOf('run: `a`', '```', 'b', '```');
    expect(node).toMatchObject({ run: { value: 'a' }, spec: '```\nb\n```' });
    expect(faults).toEqual([]);
  });

  it('may be the last thing in the file, closed or not', () => {
    expect(nodeOf('run:', '```', 'x').faults).toEqual(['parse 4']);
    expect(nodeOf('run:').faults).toEqual(['parse 3']);
  });
});

describe('near misses', () => {
  it.each([
    ['Check: `x`', 'check'],
    ['checks: `x`', 'check'],
    ['cehck: `x`', 'check'],
    ['Check (once): `x`', 'check(once)'],
    ['check(Once): `x`', 'check(once)'],
    ['check-once: `x`', 'check(once)'],
    ['dep: b', 'deps'],
    ['deps : b', 'deps'],
    [' deps: b', 'deps'],
    ['- deps: b', 'deps'],
    ['**deps:** b', 'deps'],
    ['**Deps**: b', 'deps'],
    ['depends on: b', 'deps'],
    ['Depends-on: b', 'deps'],
    ['dependencies: b', 'deps'],
    ['needs: b', 'deps'],
    ['timout: 10m', 'timeout'],
    ['Timeout: 10m', 'timeout'],
    ['time-out: 10m', 'timeout'],
    ['retry: 2', 'retries'],
    ['oncut: block', 'on-cut'],
    ['on cut: block', 'on-cut'],
    ['on_cut: block', 'on-cut'],
    ['scopes: src', 'scope'],
    ['command: `x`', 'run'],
    ['RUN: `x`', 'run'],
    ['frozn: x', 'frozen'],
  ])('%j is text, with a warning that names %s', (line, key) => {
    const all = draft('# O', '## a: A', line, '', 'spec');
    expect(all.nodes[0]?.spec).toBe(`${line}\n\nspec`);
    expect(all.faults).toEqual([]);
    expect(all.warnings.map(({ note }) => [note.code, note.slug, note.place?.line])).toEqual([
      ['near_miss_key', 'a', 3],
    ]);
    expect(all.warnings[0]?.note.message).toContain(`\`${key}:\``);
  });

  it.each([
    'Note: words',
    'Steps: words',
    'Rule: words',
    'See https://example.com/check: it',
    'Goal: x',
    'Title: x',
    'A long sentence about what to check: this',
    ': x',
    'Input/output: x',
  ])('%j is text without a warning', (line) => {
    expect(nodeOf(line).warnings).toEqual([]);
  });

  it('are looked for in the first paragraph only, well-spelt keys everywhere but in fences', () => {
    const { warnings } = nodeOf(
      'Words.',
      '',
      'Check: all',
      'run: all',
      '```',
      'check: `x`',
      '```',
      'deps: b',
    );
    expect(warnings).toEqual(['near_miss_key 6', 'near_miss_key 10']);
  });

  it('know the key of the plan under a node', () => {
    expect(nodeOf('workspace: x').warnings).toEqual(['unknown_key 3']);
  });
});

describe('the text', () => {
  it('reads the same with CRLF, lone CR and a byte order mark', () => {
    const lines = [
      '# O',
      'check: `x`',
      '',
      '## a: A',
      'run:',
      '```',
      'a',
      'b',
      '```',
      '',
      'spec',
      'more',
      '',
    ];
    const plain = draft(...lines);
    for (const end of ['\r\n', '\r']) {
      const text = `\uFEFF${lines.join(end)}`;
      expect(parsePlan({ text, file: 'plan.md', source: 'file', format: 'markdown' })).toEqual(plain);
    }
  });

  it('infers no dep from prose', () => {
    expect(nodeOf('Parallel-safe with node-b; runs after a, needs c.').node.deps).toEqual([]);
  });

  it('is empty, or has no heading at all', () => {
    for (const text of ['', '\n\n', 'words', '\uFEFF']) {
      expect(parsePlan({ text, file: 'x', source: 'file', format: 'markdown' })).toMatchObject({
        nodes: [],
        objective: '',
        faults: [],
      });
    }
  });

  it('is read in time that grows with its length, whatever it repeats', () => {
    const many = 300_000;
    for (const part of ['#', '`', ' ', ':', '~', 'a ', '<!--', '- ', '``` ']) {
      const long = part.repeat(many);
      for (const line of [`## ${long}x`, `run: \`${long}\``, `run: ${long}x`, `deps: ${long}`, long]) {
        expect(draft('# O', '## a: A', line).nodes.length).toBeGreaterThan(0);
      }
    }
  });

  it('is not read further once it has too many nodes', () => {
    const text = `# O\n${'## a\n'.repeat(25)}`;
    const all = parsePlan({ text, file: 'x', source: 'planner', format: 'markdown' });
    expect(all.faults.map(({ note }) => [note.code, note.witness])).toEqual([['too_many', '25']]);
    expect(all.unreadable).toBe(true);
  });
});
