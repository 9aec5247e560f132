import { describe, expect, it } from 'vitest';
import { fnv64, nodeId } from '../../src/contract/ids.ts';
import { gate } from '../../src/graph/gate.ts';
import { parsePlan } from '../../src/graph/parse-plan.ts';
import { asJson, codes, faultsOf, gated, node, plan, PLANNER, planOf } from '../support/plan-text.ts';
import type { NodeContent, PlanContent } from '../support/plan-text.ts';

const check = (run: string, once = false) => ({ run, once });
const judge = (content: PlanContent, options: Parameters<typeof gated>[2] = {}) =>
  gated(asJson(content), 'json', options);
const nodes = (...list: readonly NodeContent[]) => judge(plan(list));

/** Code and slug of every fault, with the witness where it matters. */
const found = (result: ReturnType<typeof gated>) => codes(faultsOf(result));
const witnesses = (result: ReturnType<typeof gated>) => faultsOf(result).map(({ witness }) => witness);

describe('a plan', () => {
  it('has its nodes in order, deps as ids, and the final node last', () => {
    const result = planOf(
      judge({
        objective: '  Ship it\n',
        checks: [check(' npm test '), check('lint', true)],
        workspace: ' . ',
        nodes: [
          node('b', { deps: ['c', 'a', 'c'], title: ' Two\n lines ' }),
          node('a', { spec: '\n  indented\nrest \n\n', run: ' x ', scope: ['./x/', 'x', 'y//z'] }),
          node('c', { timeout: '10m', retries: 2, onCut: 'block', frozen: ['./t'], budget: '5k' }),
        ],
      }),
    );
    expect(result).toMatchObject({
      version: 1,
      objective: 'Ship it',
      workspace: '.',
      checks: [check('npm test'), check('lint', true)],
    });
    const [a, c, b, final] = result.nodes;
    expect(a).toMatchObject({ slug: 'a', spec: '  indented\nrest', run: 'x', scope: ['x', 'y/z'], deps: [] });
    expect(c).toMatchObject({ timeout: 600_000, retries: 2, onCut: 'block', frozen: ['t'], budget: 5_000 });
    expect(b).toEqual({
      id: nodeId('b'),
      slug: 'b',
      title: 'Two lines',
      spec: 'Two lines',
      deps: [nodeId('a'), nodeId('c')],
      scope: ['dir-b'],
      checks: [check('test -e b')],
      run: null,
      timeout: null,
      retries: 0,
      onCut: 'rerun',
      frozen: [],
      budget: null,
    });
    expect(final).toMatchObject({
      id: 'gn-final',
      slug: 'gn-final',
      deps: [nodeId('a'), nodeId('c'), nodeId('b')],
      scope: [],
      checks: [],
      run: null,
      timeout: null,
      retries: 0,
      onCut: 'rerun',
      frozen: [],
      budget: null,
    });
    expect(final?.spec.endsWith('\nShip it')).toBe(true);
  });

  it('has the hash of its canonical JSON', () => {
    const { hash, version, ...content } = planOf(nodes(node('b', { deps: ['a'] }), node('a')));
    const sorted = JSON.stringify(content, (_, value: unknown) =>
      typeof value === 'object' && value !== null && !Array.isArray(value)
        ? Object.fromEntries(Object.entries(value).sort(([x], [y]) => (x < y ? -1 : 1)))
        : value,
    );
    expect(hash).toBe(fnv64(sorted));
    expect(version).toBe(1);
  });

  it.each<[string, PlanContent]>([
    ['objective', plan([node('a')], { objective: 'Other' })],
    ['check', plan([node('a')], { checks: [check('x')] })],
    ['workspace', plan([node('a')], { workspace: 'x' })],
    ['slug', plan([node('b', { ...node('a'), slug: 'b' })])],
    ['title', plan([node('a', { title: 'x' })])],
    ['spec', plan([node('a', { spec: 'x' })])],
    ['scope', plan([node('a', { scope: ['x'] })])],
    ['once', plan([node('a', { checks: [check('test -e a', true)] })])],
    ['run', plan([node('a', { run: 'x' })])],
    ['timeout', plan([node('a', { timeout: '1s' })])],
    ['retries', plan([node('a', { retries: 1 })])],
    ['on-cut', plan([node('a', { onCut: 'block' })])],
    ['frozen', plan([node('a', { frozen: ['x'] })])],
    ['budget', plan([node('a', { budget: '1k' })])],
  ])('has another hash with another %s', (_, content) => {
    expect(planOf(judge(content)).hash).not.toBe(planOf(nodes(node('a'))).hash);
  });

  it('may hold a node called final', () => {
    expect(planOf(nodes(node('final'))).nodes.map(({ slug }) => slug)).toEqual(['final', 'gn-final']);
  });

  it('may hold names that objects have by nature', () => {
    const names = ['constructor', 'proto', 'toString', 'hasOwnProperty', 'valueOf'];
    const chain = names.map((slug, i) => node(slug, { deps: names.slice(Math.max(0, i - 1), i) }));
    expect(planOf(nodes(...chain)).nodes.map(({ slug }) => slug)).toEqual([...names, 'gn-final']);
    expect(found(nodes(node('a', { deps: ['constructor', '__proto__'] })))).toEqual([
      'unknown_dep a',
      'unknown_dep a',
    ]);
  });

  it('takes its title for the spec where a command says what is done', () => {
    const result = planOf(gated(asJson(plan([node('a', { run: 'x' })])), 'json', { hasModel: true }));
    expect(result.nodes[0]?.spec).toBe('Title of a');
  });

  it('does not end at the second heading in its hash', () => {
    const text = '# O\n## a: A\ncheck: `x`\n';
    const longer = `${text}# Notes\nwhatever\n## b: B\n`;
    expect(planOf(gated(longer, 'markdown')).hash).toBe(planOf(gated(text, 'markdown')).hash);
  });
});

describe('each fault has its code', () => {
  it('empty', () => {
    expect(found(nodes())).toEqual(['empty']);
    expect(found(gated('{"objective": "o"}', 'json'))).toEqual(['empty']);
    expect(found(gated('', 'markdown'))).toEqual(['empty', 'empty_field']);
    expect(found(gated('{"objective": "o", "nodes": [null]}', 'json'))).toEqual(['parse']);
  });

  it('too_many: nodes', () => {
    const many = (count: number) =>
      plan(Array.from({ length: count }, (_, i) => node(`n${i}`, { spec: 's' })));
    expect(found(judge(many(24), PLANNER))).toEqual([]);
    expect(found(judge(many(25), PLANNER))).toEqual(['too_many']);
    expect(found(judge(many(25)))).toEqual([]);
    const draft = parsePlan({ text: asJson(many(25)), file: 'x', source: 'file', format: 'json' });
    expect(found(gate(draft, PLANNER))).toEqual(['too_many']);
  });

  it('too_many: nodes of a file', () => {
    const many = (count: number) =>
      `# O\n${Array.from({ length: count }, (_, i) => `## n${i}: N\ncheck: \`x\`\n`).join('')}`;
    expect(gated(many(10_000), 'markdown').ok).toBe(true);
    expect(witnesses(gated(many(10_001), 'markdown'))).toEqual(['10001']);
  });

  it('too_many: deps of a node in a plan by a model', () => {
    const names = Array.from({ length: 17 }, (_, i) => `n${i}`);
    const all = [...names.map((slug) => node(slug, { spec: 's' })), node('z', { spec: 's', deps: names })];
    expect(found(judge(plan(all), PLANNER))).toEqual(['too_many z']);
    expect(witnesses(judge(plan(all), PLANNER))).toEqual(['17']);
    expect(found(judge(plan(all)))).toEqual([]);
    const sixteen = [...all.slice(1, -1), node('z', { spec: 's', deps: [...names.slice(1), 'n1', 'n2'] })];
    expect(found(judge(plan(sixteen), PLANNER))).toEqual([]);
  });

  it('too_many: checks', () => {
    const some = (count: number) => Array.from({ length: count }, (_, i) => check(`test ${i}`));
    expect(found(nodes(node('a', { checks: some(16) })))).toEqual([]);
    expect(found(nodes(node('a', { checks: some(17) })))).toEqual(['too_many a']);
    expect(found(judge(plan([node('a')], { checks: some(17) })))).toEqual(['too_many']);
  });

  it.each(['-a', '_a', 'a b', 'a.b', 'ä', 'a/b', 'a'.repeat(65), ' a', '"', 'gn-final\n', '__proto__'])(
    'bad_slug: %j',
    (slug) => {
      const result = nodes(node('ok'), node(slug));
      expect(found(result)).toEqual([`bad_slug ${slug}`]);
      expect(witnesses(result)).toEqual([slug]);
    },
  );

  it('bad_slug: none at all, with a name made up from what stands there', () => {
    expect(found(gated('# O\n##\ncheck: `x`', 'markdown'))).toEqual(['bad_slug', 'empty_field']);
    expect(faultsOf(gated('# O\n## Parse the CSV!\ncheck: `x`', 'markdown'))).toEqual([
      expect.objectContaining({
        code: 'bad_slug',
        place: { file: 'plan', line: 2 },
        message: expect.stringContaining('for example "parse-the-csv"') as string,
      }),
    ]);
  });

  it.each(['a', 'A1', '0', 'a-b_c', 'a'.repeat(64), 'Z9-', 'gn-1'])('no fault for the slug %s', (slug) => {
    expect(found(nodes(node(slug)))).toEqual([]);
  });

  it('duplicate_slug, whatever the case', () => {
    const result = gated('# O\n## a: A\ncheck: `x`\n## A: B\ncheck: `x`\n', 'markdown');
    expect(found(result)).toEqual(['duplicate_slug A']);
    expect(faultsOf(result)[0]?.message).toContain('is the slug of the node at line 2 already');
    expect(found(nodes(node('a'), node('b'), node('a'), node('a')))).toEqual([
      'duplicate_slug a',
      'duplicate_slug a',
    ]);
  });

  it('reserved_slug', () => {
    expect(found(nodes(node('gn-final'), node('GN-Final'), node('gn-finals')))).toEqual([
      'reserved_slug gn-final',
      'duplicate_slug GN-Final',
      'reserved_slug GN-Final',
    ]);
  });

  it('empty_field', () => {
    expect(found(nodes(node('a', { title: ' \n' })))).toEqual(['empty_field a']);
    expect(found(judge(plan([node('a')], { objective: ' ' })))).toEqual(['empty_field']);
    expect(found(judge(plan([node('a')], { workspace: ' ' })))).toEqual(['empty_field']);
    expect(found(nodes(node('a', { run: '' })))).toEqual(['empty_field a']);
    expect(found(nodes(node('a', { scope: [' '], frozen: [''] })))).toEqual([
      'empty_field a',
      'empty_field a',
    ]);
    expect(found(nodes(node('a', { checks: [check('x'), check('\n')] })))).toEqual(['empty_field a']);
    expect(found(judge(plan([node('a')], { checks: [check('')] })))).toEqual(['empty_field']);
  });

  it('empty_field: a spec, when a model works from it', () => {
    const content = plan([node('a'), node('b', { spec: 's' }), node('c', { run: 'x' })]);
    expect(found(judge(content, { hasModel: true }))).toEqual(['empty_field a']);
    expect(found(judge(content))).toEqual([]);
  });

  it('too_long, counted in characters', () => {
    const long = (text: string, count: number) => text.repeat(count);
    expect(found(nodes(node('a', { title: long('x', 200), spec: long('y', 20_000) })))).toEqual([]);
    expect(found(nodes(node('a', { title: long('𝄞', 200), spec: `\n${long('𝄞', 20_000)} ` })))).toEqual([]);
    expect(found(nodes(node('a', { title: long('𝄞', 201) })))).toEqual(['too_long a']);
    const result = nodes(
      node('a', { title: long('x', 201), spec: long('y', 20_001), run: long('z', 20_001) }),
    );
    expect(found(result)).toEqual(['too_long a', 'too_long a', 'too_long a']);
    expect(witnesses(result)).toEqual(['title', 'spec', 'run']);
    expect(found(nodes(node('a', { checks: [check(long('z', 20_001))] })))).toEqual(['too_long a']);
  });

  it('too_long: the text', () => {
    expect(found(gated(`# O\n${' '.repeat(256 * 1024)}`, 'markdown', PLANNER))).toEqual(['too_long']);
  });

  it('unknown_dep, with the nearest name', () => {
    const result = nodes(
      node('read-file'),
      node('b', { deps: ['reed-file', 'xyz', 'Read-File', 'gn-final'] }),
    );
    expect(found(result)).toEqual(Array(4).fill('unknown_dep b'));
    expect(witnesses(result)).toEqual(['reed-file', 'xyz', 'Read-File', 'gn-final']);
    expect(faultsOf(result).map(({ message }) => message)).toEqual([
      '"b" depends on "reed-file", which is no node of the plan: did you mean "read-file"?',
      '"b" depends on "xyz", which is no node of the plan: name a node of the plan, or take that dep out',
      '"b" depends on "Read-File", which is no node of the plan: did you mean "read-file"?',
      '"b" depends on "gn-final", which comes last by itself: take that dep out',
    ]);
  });

  it('unknown_dep, but not for a node whose own name is at fault', () => {
    expect(found(nodes(node('a b'), node('c', { deps: ['a b'] })))).toEqual(['bad_slug a b']);
  });

  it('self_dep', () => {
    expect(found(nodes(node('a', { deps: ['a', 'a'] })))).toEqual(['self_dep a']);
  });

  it('cycle, exactly, and each of several', () => {
    const result = nodes(
      node('z', { deps: ['a'] }),
      node('a', { deps: ['c', 'free'] }),
      node('b', { deps: ['a'] }),
      node('c', { deps: ['b'] }),
      node('free'),
      node('x', { deps: ['y'] }),
      node('y', { deps: ['x'] }),
    );
    expect(found(result)).toEqual(['cycle a', 'cycle x']);
    expect(witnesses(result)).toEqual(['a → c → b → a', 'x → y → x']);
  });

  it('cycle: in node 20 of 24, before anything is spent', () => {
    const list = Array.from({ length: 24 }, (_, i) =>
      node(`n${i}`, { spec: 's', deps: i === 0 ? [] : [`n${i - 1}`, ...(i === 19 ? ['n20'] : [])] }),
    );
    expect(witnesses(judge(plan(list), PLANNER))).toEqual(['n19 → n20 → n19']);
  });

  it('id_collision', () => {
    // Two slugs with the same FNV-1a-64.
    const [one, two] = ['8yn0iYCKYHlIj4-BwPqk', 'GReLUrM4wMqfg9yzV3KQ'];
    expect(nodeId(one)).toBe(nodeId(two));
    const result = nodes(node(one), node(two));
    expect(found(result)).toEqual([`id_collision ${two}`]);
    expect(witnesses(result)).toEqual([one]);
  });

  it('no_worker', () => {
    const idle = node('a', { checks: [], spec: 's' });
    expect(found(judge(plan([idle]), { hasPanel: true }))).toEqual(['no_worker a']);
    expect(found(judge(plan([{ ...idle, run: 'x' }]), { hasPanel: true }))).toEqual([]);
    expect(found(judge(plan([idle]), { hasModel: true, hasPanel: true }))).toEqual([]);
    expect(found(judge(plan([node('a')]), { hasPanel: true }))).toEqual([]);
  });

  it.each([[[]], [[check('true')]], [[check('exit 0'), check('echo ok; :')]]])(
    'unverifiable: %j',
    (checks) => {
      const content = plan([node('a', { checks, run: 'x', spec: 's' })]);
      expect(found(judge(content))).toEqual(['unverifiable a']);
      expect(witnesses(judge(content))).toEqual([checks[0]?.run ?? null]);
      expect(found(judge(content, { hasModel: true }))).toEqual(['unverifiable a']);
      expect(found(judge(content, { hasPanel: true }))).toEqual([]);
    },
  );

  it('unverifiable, unless one check can fail, even if only once', () => {
    expect(found(nodes(node('a', { checks: [check('true'), check('test -e x', true)] })))).toEqual([]);
  });

  it('parse: scopes and frozen paths that lead out, commands with NUL', () => {
    const result = nodes(
      node('a', {
        scope: ['/etc', '../x', 'ok', 'a\0'],
        frozen: ['~/x'],
        run: 'x\0',
        checks: [check('y\0')],
      }),
    );
    expect(found(result)).toEqual(Array(6).fill('parse a'));
    expect(witnesses(result)).toEqual(['/etc', '../x', 'a\0', '~/x', 'y\0', 'x\0']);
  });

  it.each([
    { tokens: 20_000, panel: 1, models: 1, ok: true },
    { tokens: 19_999, panel: 1, models: 1, ok: false },
    { tokens: 44_000, panel: 3, models: 1, ok: true },
    { tokens: 43_999, panel: 3, models: 1, ok: false },
    // From 120,000 tokens a panel of one has the tenth of the budget, not its votes.
    { tokens: 142_223, panel: 1, models: 16, ok: true },
    { tokens: 142_222, panel: 1, models: 16, ok: false },
    { tokens: 1, panel: 3, models: 0, ok: true },
  ])(
    'budget_too_small: $tokens tokens for $models nodes and a panel of $panel',
    ({ tokens, panel, models, ok }) => {
      const list = Array.from({ length: 17 }, (_, i) =>
        node(`n${i}`, { spec: 's', run: i < models ? null : 'x' }),
      );
      const content = plan(list);
      const budget = { tokens, panel };
      expect(found(judge(content, { hasModel: true, budget }))).toEqual(ok ? [] : ['budget_too_small']);
      expect(found(judge(content, { hasModel: false, budget }))).toEqual([]);
      if (!ok) {
        const [fault] = faultsOf(judge(content, { hasModel: true, budget }));
        expect(fault?.witness).toBe(String(tokens));
        expect(fault?.message).toContain(`give at least ${tokens + 1},`);
      }
    },
  );
});

describe('faults', () => {
  const text = [
    '# ',
    'workspace: `a`',
    'workspace: b',
    '## z: Z',
    'deps: z, y',
    'run: nope',
    'retries: 99',
    '## -: ',
    'timeout: x',
    '## gn-final: F',
    'deps: y',
    'check: `true`',
    '## y: Y',
    'deps: gn-final',
    'scope: ..',
    'check: `x`',
  ].join('\n');

  it('are all reported, the plan first, then node by node, in the order of the codes', () => {
    const budget = { tokens: 1, panel: 1 };
    expect(found(gated(text, 'markdown', { hasModel: true, budget }))).toEqual([
      'parse',
      'empty_field',
      'parse z',
      'too_many z',
      'empty_field z',
      'self_dep z',
      'unverifiable z',
      'parse -',
      'bad_slug -',
      'empty_field -',
      'empty_field -',
      'unverifiable -',
      'reserved_slug gn-final',
      'empty_field gn-final',
      'cycle gn-final',
      'unverifiable gn-final',
      'parse y',
      'empty_field y',
      'budget_too_small',
    ]);
  });

  it('say where they are', () => {
    const places = faultsOf(gated(text, 'markdown')).map(
      ({ code, place }) => `${code} ${place?.file}:${place?.line}`,
    );
    expect(places).toEqual([
      'parse plan:3',
      'empty_field plan:null',
      'parse plan:6',
      'too_many plan:7',
      'self_dep plan:5',
      'unverifiable plan:4',
      'parse plan:9',
      'bad_slug plan:8',
      'empty_field plan:8',
      'no_worker plan:8',
      'unverifiable plan:8',
      'reserved_slug plan:10',
      'cycle plan:10',
      'unverifiable plan:10',
      'parse plan:15',
    ]);
  });

  it('name the fix', () => {
    for (const { message } of faultsOf(gated(text, 'markdown', { budget: { tokens: 1, panel: 1 } }))) {
      expect(message).toMatch(/[:?;]/);
      expect(message.length).toBeLessThan(250);
    }
  });

  it('of a field that cannot be read do not count it as missing', () => {
    const bad = '{"objective": 5, "nodes": [{"slug": "a", "title": 5, "spec": 5, "checks": 5}]}';
    expect(found(gated(bad, 'json', { hasModel: true }))).toEqual(['parse', 'parse a', 'parse a', 'parse a']);
    expect(
      found(gated('{"objective": "o", "nodes": [{"slug": 5, "title": "t", "run": 5}]}', 'json')),
    ).toEqual(['parse', 'parse', 'unverifiable']);
  });

  it('are bounded where a name could be compared with every other', () => {
    const list = Array.from({ length: 3000 }, (_, i) =>
      node(`node-${i}`, { deps: [`nod-${(i + 1) % 3000}`] }),
    );
    const messages = faultsOf(nodes(...list)).map(({ message }) => message);
    expect(messages).toHaveLength(3000);
    expect(messages.filter((message) => message.includes('did you mean'))).toHaveLength(20);
  });

  it('keep long and strange names out of the message', () => {
    const [fault] = faultsOf(nodes(node('a\u001b[31m\n'.repeat(100))));
    expect(fault?.message).toContain('a\\u001b[31m\\n');
    expect(fault?.message.length).toBeLessThan(400);
  });
});

describe('a plan by a person', () => {
  it('is told that the budget of a single node is not kept', () => {
    const result = judge(plan([node('a', { budget: '1m' })]));
    expect(codes(result.warnings)).toContain('ignored_key a');
    expect(planOf(result).nodes[0]?.budget).toBe(1_000_000);
  });
});

describe('a plan by a model', () => {
  it('may not say what runs, what is spent or where: that is ignored, with a warning', () => {
    const content = plan([node('a', { spec: 's', run: 'rm -rf /', budget: '1m' })], { workspace: '/' });
    const result = judge(content, PLANNER);
    expect(planOf(result)).toMatchObject({ workspace: null, nodes: [{ run: null, budget: null }, {}] });
    expect(codes(result.warnings)).toEqual(['ignored_key', 'ignored_key a', 'ignored_key a']);
  });

  it('is held to it even when there is no model to do the work instead', () => {
    const content = plan([node('a', { run: 'x', checks: [] })]);
    expect(found(judge(content, { source: 'planner' }))).toEqual(['no_worker a', 'unverifiable a']);
  });

  it('is judged whatever stands around it', () => {
    const text = `Sure.\n\n\`\`\`json\n${asJson(plan([node('a', { spec: 's' })]))}\n\`\`\``;
    expect(planOf(gated(text, 'json', PLANNER)).nodes).toHaveLength(2);
  });
});

describe('large plans', () => {
  it('pass as a chain, a fan, and a ring is found', () => {
    const size = 10_000;
    const made = (deps: (i: number) => readonly string[]) =>
      judge(plan(Array.from({ length: size }, (_, i) => node(`n${i}`, { deps: deps(i) }))));
    const chain = planOf(made((i) => (i === size - 1 ? [] : [`n${i + 1}`])));
    expect(chain.nodes[0]?.slug).toBe(`n${size - 1}`);
    expect(planOf(made((i) => (i === 0 ? [] : ['n0']))).nodes).toHaveLength(size + 1);
    const ring = faultsOf(made((i) => [`n${(i + 1) % size}`]));
    expect(codes(ring)).toEqual(['cycle n0']);
    expect(ring[0]?.message.length).toBeLessThan(300);
    expect(ring[0]?.witness?.split(' → ')).toHaveLength(size + 1);
  });
});
