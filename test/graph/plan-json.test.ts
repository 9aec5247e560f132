import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Draft, PlanSource } from '../../src/graph/draft.ts';
import { entryLines } from '../../src/graph/json-text.ts';
import { parsePlan } from '../../src/graph/parse-plan.ts';

function parse(text: string, source: PlanSource = 'file'): Draft {
  return parsePlan({ text, file: 'plan.json', source, format: 'json' });
}

const model = (text: string) => parse(text, 'planner');
const faults = (draft: Draft) => draft.faults.map(({ note }) => `${note.code}: ${note.message}`);
const warnings = (draft: Draft) => draft.warnings.map(({ note }) => `${note.code}: ${note.message}`);

/** The draft of a plan with these entries. */
const entries = (...nodes: readonly unknown[]) => parse(JSON.stringify({ objective: 'o', nodes }));

const PLAN = '{"objective": "o", "nodes": [{"slug": "a", "title": "A"}]}';

describe('a plan in JSON', () => {
  it('has every field of a node', () => {
    const all = entries({
      slug: 'a',
      title: 'A',
      spec: 'S',
      deps: ['b'],
      scope: ['src/**'],
      checks: [{ run: 'x' }, { run: 'y', once: true }],
      run: 'r',
      timeout: '10m',
      retries: 2,
      onCut: 'block',
      frozen: ['f'],
      budget: '200k',
    });
    expect(all.nodes).toEqual([
      {
        entry: 0,
        line: 1,
        slug: 'a',
        title: 'A',
        spec: 'S',
        deps: [{ value: 'b', line: 1 }],
        scope: [{ value: 'src/**', line: 1 }],
        checks: [
          { value: 'x', once: false, line: 1 },
          { value: 'y', once: true, line: 1 },
        ],
        run: { value: 'r', line: 1 },
        timeout: 600_000,
        retries: 2,
        onCut: 'block',
        frozen: [{ value: 'f', line: 1 }],
        budget: 200_000,
        unread: [],
      },
    ]);
    expect([faults(all), warnings(all)]).toEqual([[], []]);
  });

  it('has an objective, checks and a workspace', () => {
    const all = parse('{"objective": "o", "checks": [{"run": "x"}], "workspace": "w", "nodes": []}');
    expect(all).toMatchObject({
      objective: 'o',
      checks: [{ value: 'x' }],
      workspace: { value: 'w' },
      faults: [],
    });
  });

  it('takes null for what is not there', () => {
    const none = {
      spec: null,
      deps: null,
      scope: null,
      checks: null,
      run: null,
      timeout: null,
      retries: null,
    };
    const all = entries({
      slug: 'a',
      title: 'A',
      ...none,
      onCut: null,
      frozen: null,
      budget: null,
      id: null,
    });
    expect(all).toEqual(entries({ slug: 'a', title: 'A' }));
    expect(entries({ slug: 'a', checks: [{ run: 'x', once: null }] }).faults).toEqual([]);
  });

  it('accepts id for slug, and on-cut for onCut', () => {
    expect(entries({ id: 'a', 'on-cut': 'block' }).nodes).toMatchObject([{ slug: 'a', onCut: 'block' }]);
    expect(faults(entries({ id: 'a', slug: 'a' }))).toEqual([]);
    expect(faults(entries({ id: 'a', slug: 'b' }))).toEqual([
      'parse: nodes[0]: "slug" is "b" but "id", which means the same, is not: leave one of them',
    ]);
    expect(faults(entries({ id: 5 }))).toEqual(['parse: nodes[0]: "id" is a number: make it a text']);
  });

  it('accepts a budget as a number', () => {
    expect(entries({ slug: 'a', budget: 5000 }).nodes).toMatchObject([{ budget: 5000 }]);
  });

  it('keeps names that objects have by nature', () => {
    const text = '{"nodes": [{"slug": "constructor", "deps": ["__proto__"], "__proto__": {"slug": "x"}}]}';
    const all = parse(text);
    expect(all.nodes).toMatchObject([{ slug: 'constructor', title: '', deps: [{ value: '__proto__' }] }]);
    expect(warnings(all)).toEqual([
      'unknown_key: nodes[0] "constructor": "__proto__" is no key and is ignored: take it out',
    ]);
    expect(parse('{"__proto__": {"nodes": [1]}, "constructor": 1}').nodes).toEqual([]);
  });
});

describe('wrong types', () => {
  it.each([
    [null, 'nodes[0]: it is null: make it an object'],
    ['a', 'nodes[0]: it is a text'],
    [5, 'nodes[0]: it is a number'],
    [true, 'nodes[0]: it is a boolean'],
    [['a'], 'nodes[0]: it is a list'],
    [{ slug: 5 }, 'nodes[0]: "slug" is a number: make it a text'],
    [{ slug: 'a', title: {} }, 'nodes[0] "a": "title" is an object: make it a text'],
    [{ slug: 'a', spec: [] }, '"spec" is a list: make it a text'],
    [{ slug: 'a', run: 5 }, '"run" is a number: make it a text'],
    [{ slug: 'a', deps: 'b' }, '"deps" is a text: make it a list, ["…"]'],
    [{ slug: 'a', deps: { b: 1 } }, '"deps" is an object: make it a list'],
    [{ slug: 'a', deps: ['b', 5] }, 'deps[1] is a number: make it a text'],
    [{ slug: 'a', scope: [null] }, 'scope[0] is null'],
    [{ slug: 'a', frozen: 'x' }, '"frozen" is a text: make it a list'],
    [{ slug: 'a', checks: 'npm test' }, '"checks" is a text: make it a list, [{"run": "npm test"}]'],
    [{ slug: 'a', checks: ['npm test'] }, 'checks[0] is a text: write it as {"run": "npm test"}'],
    [{ slug: 'a', checks: [{}] }, 'checks[0] has a "run" that is missing'],
    [{ slug: 'a', checks: [{ run: 1 }] }, 'checks[0] has a "run" that is a number'],
    [{ slug: 'a', checks: [{ run: 'x', once: 'yes' }] }, 'checks[0] has a "once" that is a text'],
    [{ slug: 'a', timeout: 600 }, '"timeout" is a number: write it like "10m"'],
    [{ slug: 'a', timeout: 'soon' }, 'timeout "soon" is no duration'],
    [{ slug: 'a', retries: '2' }, '"retries" is a text: write it like 2'],
    [{ slug: 'a', retries: 1.5 }, 'retries "1.5" is no whole number'],
    [{ slug: 'a', retries: -1 }, 'retries "-1" is no whole number'],
    [{ slug: 'a', retries: 1e21 }, 'retries "1e+21" is no whole number'],
    [{ slug: 'a', onCut: 'stop' }, 'on-cut "stop" is unknown'],
    [{ slug: 'a', onCut: true }, '"onCut" is a boolean'],
    [{ slug: 'a', budget: 'lots' }, 'budget "lots" is no number of tokens'],
    [{ slug: 'a', budget: -5 }, 'budget "-5" is no number of tokens'],
    [{ slug: 'a', budget: true }, '"budget" is a boolean'],
  ])('%j: %s', (entry, message) => {
    const all = entries(entry);
    expect(faults(all)).toHaveLength(1);
    expect(faults(all)[0]).toContain(message);
    expect(faults(all)[0]).toMatch(/^parse: nodes\[0\]/);
  });

  it('have codes of their own where there is one', () => {
    expect(faults(entries({ slug: 'a', timeout: '25h' }))[0]).toMatch(/^too_long: .*over 24h/);
    expect(faults(entries({ slug: 'a', retries: 11 }))[0]).toMatch(/^too_many: .*over 10/);
  });

  it('are each named, entry by entry', () => {
    const all = entries(null, {}, { slug: 'b', deps: [1, 2], title: 3 });
    expect(all.faults.map(({ entry, note }) => [entry, note.slug])).toEqual([
      [0, null],
      [2, 'b'],
      [2, 'b'],
      [2, 'b'],
    ]);
    expect(all.nodes.map(({ entry, slug }) => [entry, slug])).toEqual([
      [1, ''],
      [2, 'b'],
    ]);
    expect(all.nodes[1]?.unread).toEqual(['title', 'deps', 'deps']);
  });

  it.each([
    ['{"nodes": {}}', '"nodes" is an object'],
    ['{"nodes": "a"}', '"nodes" is a text'],
    ['[]', 'the plan is a list'],
    ['"a"', 'the plan is a text'],
    ['null', 'the plan is null'],
    ['5', 'the plan is a number'],
  ])('of the whole, %s: %s', (text, message) => {
    expect(faults(parse(text))).toHaveLength(1);
    expect(faults(parse(text))[0]).toContain(message);
    expect(parse(text).unreadable).toBe(true);
  });

  it('of the plan: objective, checks, workspace', () => {
    const all = parse('{"objective": 5, "checks": [5], "workspace": {}, "nodes": []}');
    expect(faults(all)).toEqual([
      'parse: the plan: checks[0] is a number: write it as {"run": "npm test"}',
      'parse: the plan: "objective" is a number: make it a text',
      'parse: the plan: "workspace" is an object: make it a text',
    ]);
  });
});

describe('keys that mean nothing', () => {
  it.each([
    [{ dependsOn: [] }, 'near_miss_key', 'write "deps"'],
    [{ depends_on: [] }, 'near_miss_key', 'write "deps"'],
    [{ dep: [] }, 'near_miss_key', 'write "deps"'],
    [{ Title: 'x' }, 'near_miss_key', 'write "title"'],
    [{ check: [] }, 'near_miss_key', 'write "checks"'],
    [{ tests: [] }, 'near_miss_key', 'write "checks"'],
    [{ command: 'x' }, 'near_miss_key', 'write "run"'],
    [{ on_cut: 'x' }, 'near_miss_key', 'write "on'],
    [{ priority: 1 }, 'unknown_key', 'take it out'],
    [{ checks: [{ run: 'x', name: 'y' }] }, 'unknown_key', '"name" is no key'],
  ])('%j: %s', (fields, code, message) => {
    const all = entries({ slug: 'a', ...fields });
    expect(faults(all)).toEqual([]);
    expect(all.warnings.map(({ note }) => [note.code, note.slug])).toEqual([[code, 'a']]);
    expect(warnings(all)[0]).toContain(message);
  });

  it('stand in the plan', () => {
    const all = parse('{"objective": "o", "node": [], "budget": 5, "mode": 1, "nodes": []}');
    expect(all.warnings.map(({ note }) => note.code)).toEqual([
      'near_miss_key',
      'unknown_key',
      'ignored_key',
    ]);
  });
});

describe('a plan file', () => {
  it('may have a byte order mark, CRLF and blanks around', () => {
    expect(faults(parse(`\uFEFF\r\n ${PLAN.replaceAll(' ', '\r\n')}\r\n`))).toEqual([]);
  });

  it.each([
    [`\`\`\`json\n${PLAN}\n\`\`\``, 1],
    [`${PLAN}\nthat is all`, 2],
    [`${PLAN}${PLAN}`, 1],
    ['{"nodes": [\n{"slug": "a"},\n]}', 3],
    ['', 1],
    ['\n\n{"nodes": [\n', 4],
  ])('is nothing but JSON: %j has a fault in line %i', (text, line) => {
    const all = parse(text);
    expect(all.faults.map(({ note }) => [note.code, note.place])).toEqual([
      ['parse', { file: 'plan.json', line }],
    ]);
    expect(all.faults[0]?.note.message).toContain(`line ${line}, column`);
    expect(all.unreadable).toBe(true);
  });

  it('says on which line an entry stands', () => {
    const text = JSON.stringify({ nodes: [{ slug: 'a' }, null, { slug: 'c', deps: ['d'] }] }, null, 2);
    const all = parse(text);
    expect(all.nodes.map(({ slug, line }) => [slug, line])).toEqual([
      ['a', 3],
      ['c', 7],
    ]);
    expect(all.faults[0]?.note.place?.line).toBe(6);
  });
});

describe('entryLines', () => {
  it.each([
    ['{"nodes": []}', []],
    ['{"nodes": [1,\n2,\n\n[3,\n3]\n,4]}', [1, 2, 4, 6]],
    ['{\n"a": [1, 2], "b": {"nodes": [1]}, "nodes": [\n{"nodes": [1, 2]}, "x"], "c": [3]}', [3, 3]],
    ['{"x": "nodes", "y": [1], "nodes": [\n"\\"]\\\\",\n"[,"]}', [2, 3]],
    ['{"nodes": [1],\n"nodes": [2]}', [2]],
    ['[1, 2]', []],
  ])('of %j are %j', (text, lines) => {
    expect(() => JSON.parse(text) as unknown).not.toThrow();
    expect(entryLines(text)).toEqual(lines);
  });

  it('are as many as there are entries, for any plan', () => {
    fc.assert(
      fc.property(
        fc.array(fc.jsonValue(), { maxLength: 5 }),
        fc.jsonValue(),
        fc.nat(4),
        (nodes, other, indent) => {
          const text = JSON.stringify({ a: other, nodes, z: other }, null, indent);
          const lines = entryLines(text);
          expect(lines).toHaveLength(nodes.length);
          if (indent > 0) expect(new Set(lines).size).toBe(nodes.length);
        },
      ),
    );
  });
});

describe('the answer of a model', () => {
  it.each([
    ['alone', PLAN],
    ['with a byte order mark and CRLF', `\uFEFF${PLAN.replaceAll(' ', '\r\n')}`],
    ['in a fence', `\`\`\`json\n${PLAN}\n\`\`\``],
    ['in a fence of tildes', `~~~\r\n${PLAN}\r\n~~~`],
    ['in prose', `Here is the plan:\n\n${PLAN}\n\nGood luck!`],
    ['after a thought with braces', `<think>use {braces} and {"a": 1}</think>${PLAN}`],
    ['before empty braces', `${PLAN} {}`],
    ['after an open brace', `I open a { here. ${PLAN}`],
    ['after quotes that do not match', `5" wide. ${PLAN}`],
    ['in a list', `[${PLAN}]`],
    ['with braces and escaped quotes in its texts', PLAN.replace('"o"', '"} \\" { \\\\"')],
    ['before a broken one', `${PLAN} {"a": `],
  ])('is taken %s', (_, text) => {
    const all = model(text);
    expect(faults(all)).toEqual([]);
    expect(all.nodes.map(({ slug, line }) => [slug, line])).toEqual([['a', null]]);
  });

  it.each([
    ['nothing', '', 'there is no JSON object'],
    ['prose', 'I cannot do that.', 'there is no JSON object'],
    ['two plans', `${PLAN}\n\n${PLAN}`, 'there are 2 JSON objects (at lines 1, 3): answer with exactly one'],
    ['two other objects', '{"a": 1} {"b": 2}', 'there are 2 JSON objects'],
    ['a trailing comma', '{"nodes": [{"slug": "a"},]}', 'there is a comma before ]: remove the comma'],
    ['a plan cut off', '{"nodes": [{"slug": "a"}, {"slug": "b"}', 'it ends in the middle, 2 brackets open'],
    ['a plan cut off in a text', 'Sure: {"nodes": [{"slug": "a"}, {"slu', 'never closed'],
    ['single quotes', "{'nodes': []}", 'single quote'],
    ['comments', '{"nodes": [ // none\n]}', 'comment'],
    ['a truncated call', '{"completed": tru', '"tru" where a value should be'],
    ['a plan with a slip after an object', '{"a": 1} {"nodes": [1 2]}', 'a comma or ]'],
    ['nodes of the wrong kind', '{"nodes": 5}', '"nodes" is a number'],
  ])('is one precise fault for %s', (_, text, message) => {
    const all = model(text);
    expect(faults(all)).toHaveLength(1);
    expect(faults(all)[0]).toContain(message);
    expect(all.faults[0]?.note).toMatchObject({ code: 'parse', place: { file: 'plan.json', line: null } });
    expect(all.nodes).toEqual([]);
  });

  it('is taken as a plan without nodes when it is the only object', () => {
    expect(model('{"objective": "o"}')).toMatchObject({
      unreadable: false,
      objective: 'o',
      nodes: [],
      faults: [],
    });
  });

  it('names line and column of a slip within the whole answer', () => {
    const text = 'Here:\n```json\n{"nodes": [\n  {"slug": "a"}\n  {"slug": "b"}\n]}\n```';
    expect(faults(model(text))[0]).toContain('at line 5, column 3');
  });

  it('is given up when it is all braces, in bounded time', () => {
    for (const text of ['{'.repeat(200_000), '{"nodes"'.repeat(30_000), '{}'.repeat(100_000)]) {
      expect(faults(model(text))).toHaveLength(1);
    }
  });
});

describe('size', () => {
  it('of a text is capped in bytes, not characters', () => {
    const fits = (text: string, source: PlanSource) =>
      !faults(parse(text, source))[0]?.startsWith('too_long');
    const around = PLAN.length;
    expect(fits(PLAN + ' '.repeat(256 * 1024 - around), 'planner')).toBe(true);
    expect(fits(PLAN + ' '.repeat(256 * 1024 - around + 1), 'planner')).toBe(false);
    expect(fits(PLAN + 'ä'.repeat(128 * 1024), 'planner')).toBe(false);
    expect(fits(PLAN + ' '.repeat(256 * 1024), 'file')).toBe(true);
    expect(fits(PLAN + ' '.repeat(16 * 1024 * 1024), 'file')).toBe(false);
  });

  it('of the list is looked at before its entries', () => {
    const nulls = `{"nodes": [${Array(25).fill('null').join()}]}`;
    expect(faults(model(nulls))).toEqual([
      'too_many: the plan has 25 nodes, at most 24 are allowed: join nodes that belong together',
    ]);
    expect(faults(parse(nulls))).toHaveLength(25);
  });
});

describe('any text', () => {
  it('gives a draft and never throws', () => {
    const texts = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 200 }),
      fc.jsonValue().map((value) => JSON.stringify(value)),
      fc.array(fc.jsonValue(), { maxLength: 4 }).map((nodes) => JSON.stringify({ objective: 'o', nodes })),
      fc
        .array(
          fc.dictionary(fc.constantFrom('slug', 'id', 'deps', 'checks', 'run', 'retries'), fc.jsonValue()),
        )
        .map((nodes) => JSON.stringify({ nodes, checks: nodes })),
      fc
        .array(
          fc.constantFrom(
            '# ',
            '## ',
            '```',
            '`',
            '\n',
            'a: b',
            'run:',
            ' ',
            'check: `x`',
            '<!--',
            '-->',
            '~~~',
          ),
        )
        .map((parts) => parts.join('')),
    );
    const how = fc.record({
      format: fc.constantFrom('json', 'markdown'),
      source: fc.constantFrom('file', 'planner'),
    });
    fc.assert(
      fc.property(texts, how, (text, { format, source }) => {
        const draft = parsePlan({ text, file: 'x', format, source });
        expect(draft.unreadable && draft.faults.length === 0).toBe(false);
        for (const { note } of [...draft.faults, ...draft.warnings]) expect(note.message).not.toBe('');
      }),
      { numRuns: 2000 },
    );
  });
});
