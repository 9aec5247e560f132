import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Plan } from '../../src/contract/plan.ts';
import { parsePlan } from '../../src/graph/parse-plan.ts';
import { gate } from '../../src/graph/gate.ts';
import {
  asJson,
  asMarkdown,
  contents,
  faultsOf,
  FILE,
  gated,
  node,
  plan,
  planOf,
  type NodeContent,
  type PlanContent,
} from '../support/plan-text.ts';

const names = ['a', 'b', 'c', 'd', 'e', 'f', 'g'];

/** Plans whose deps are any of these names: unknown ones, themselves, round and round. */
const wild = fc.integer({ min: 1, max: 6 }).chain((size) =>
  fc
    .tuple(
      ...names
        .slice(0, size)
        .map((slug) => fc.tuple(fc.constant(slug), fc.subarray(names, { maxLength: 3 }))),
    )
    .chain((rows) => fc.shuffledSubarray(rows, { minLength: rows.length }))
    .map((rows) => rows.map(([slug, deps]) => node(slug, { deps }))),
);

/** Takes nodes away whose deps are all gone, until nothing more can go; an outsider's view of "can run to the end". */
function canRun(nodes: readonly NodeContent[]): boolean {
  let left = nodes;
  const gone = new Set<string>();
  for (;;) {
    const next = left.filter(({ deps }) => deps.every((dep) => gone.has(dep)));
    if (next.length === 0) return left.length === 0;
    for (const { slug } of next) gone.add(slug);
    left = left.filter((one) => !next.includes(one));
  }
}

const judge = (nodes: readonly NodeContent[]) => gated(asJson(plan(nodes)), 'json');
const slugsOf = (result: Plan) => result.nodes.map(({ slug }) => slug);

describe('the gate', () => {
  it('accepts a graph exactly when it can run to its end', () => {
    fc.assert(
      fc.property(wild, (nodes) => {
        expect(judge(nodes).ok).toBe(canRun(nodes));
      }),
      { numRuns: 500 },
    );
  });

  it('names each unknown dep, each dep on itself, and a real cycle when there is nothing else', () => {
    fc.assert(
      fc.property(wild, (nodes) => {
        const faults = faultsOf(judge(nodes));
        const known = new Set(nodes.map(({ slug }) => slug));
        const expected = (code: string, pick: (slug: string, dep: string) => boolean) =>
          nodes.flatMap(({ slug, deps }) =>
            deps.filter((dep) => pick(slug, dep)).map((dep) => `${code} ${slug} ${dep}`),
          );
        const wanted = [
          ...expected('unknown_dep', (_, dep) => !known.has(dep)),
          ...expected('self_dep', (slug, dep) => slug === dep),
        ];
        const found = faults
          .filter(({ code }) => code !== 'cycle')
          .map((f) => `${f.code} ${f.slug} ${f.witness}`);
        expect(found.toSorted()).toEqual(wanted.toSorted());
        for (const { witness } of faults.filter(({ code }) => code === 'cycle')) {
          const round = witness?.split(' → ') ?? [];
          expect(round[0]).toBe(round.at(-1));
          round.slice(1).forEach((dep, i) => {
            expect(nodes.find(({ slug }) => slug === round[i])?.deps).toContain(dep);
          });
        }
        const rest = nodes.map((one) => ({
          ...one,
          deps: one.deps.filter((dep) => known.has(dep) && dep !== one.slug),
        }));
        expect(faults.some(({ code }) => code === 'cycle')).toBe(!canRun(rest));
      }),
      { numRuns: 500 },
    );
  });

  it('gives the same plan for the same text, and changes nothing it was given', () => {
    fc.assert(
      fc.property(contents, (content) => {
        const draft = parsePlan({ text: asJson(content), file: 'x', source: 'file', format: 'json' });
        const before = JSON.stringify(draft);
        const first = JSON.stringify(gate(draft, FILE));
        expect(JSON.stringify(gate(draft, FILE))).toBe(first);
        expect(JSON.stringify(draft)).toBe(before);
        const again = parsePlan({ text: asJson(content), file: 'x', source: 'file', format: 'json' });
        expect(JSON.stringify(gate(again, FILE))).toBe(first);
      }),
    );
  });

  it('gives the same plan for the same content in Markdown and in JSON', () => {
    fc.assert(
      fc.property(contents, (content) => {
        const json = planOf(gated(asJson(content), 'json'));
        const markdown = planOf(gated(asMarkdown(content), 'markdown'));
        expect(markdown).toEqual(json);
        expect(planOf(gated(asMarkdown(content).replaceAll('\n', '\r\n'), 'markdown'))).toEqual(json);
      }),
      { numRuns: 500 },
    );
  });

  it('puts every node after its deps and otherwise keeps the order of the text', () => {
    fc.assert(
      fc.property(contents, (content) => {
        const result = planOf(gated(asJson(content), 'json'));
        const place = new Map(result.nodes.map(({ id }, i) => [id, i]));
        result.nodes.forEach(({ deps }, i) => {
          const places = deps.map((dep) => place.get(dep) ?? Infinity);
          expect(places).toEqual([...new Set(places)].sort((a, b) => a - b));
          for (const dep of places) expect(dep).toBeLessThan(i);
        });
        // A plan in its own order is left as it is.
        const ordered = slugsOf(result).flatMap((slug) => content.nodes.filter((one) => one.slug === slug));
        expect(planOf(gated(asJson({ ...content, nodes: ordered }), 'json'))).toEqual(result);
      }),
    );
  });

  it('holds the same nodes whatever their order in the text', () => {
    const shuffled = contents.chain((content) =>
      fc.tuple(
        fc.constant(content),
        fc.shuffledSubarray([...content.nodes], { minLength: content.nodes.length }),
      ),
    );
    const asSet = (content: PlanContent) =>
      planOf(gated(asJson(content), 'json'))
        .nodes.slice(0, -1)
        .map((one) => ({ ...one, deps: one.deps.toSorted() }))
        .sort((a, b) => (a.id < b.id ? -1 : 1));
    fc.assert(
      fc.property(shuffled, ([content, nodes]) => {
        expect(asSet({ ...content, nodes })).toEqual(asSet(content));
      }),
    );
  });

  it('appends a final node that depends on every other', () => {
    fc.assert(
      fc.property(contents, (content) => {
        const { nodes } = planOf(gated(asMarkdown(content), 'markdown'));
        const final = nodes.at(-1);
        expect(final?.id).toBe('gn-final');
        expect(final?.deps).toEqual(nodes.slice(0, -1).map(({ id }) => id));
      }),
    );
  });

  it('names the node that was spoilt', () => {
    const spoil: Readonly<Record<string, (one: NodeContent, other: NodeContent) => NodeContent>> = {
      bad_slug: (one) => ({ ...one, slug: `${one.slug}!` }),
      duplicate_slug: (one, other) => ({ ...one, slug: other.slug }),
      reserved_slug: (one) => ({ ...one, slug: 'gn-final' }),
      empty_field: (one) => ({ ...one, title: ' ' }),
      too_long: (one) => ({ ...one, title: 'x'.repeat(201) }),
      too_many: (one) => ({ ...one, retries: 11 }),
      unknown_dep: (one) => ({ ...one, deps: [...one.deps, 'nowhere-at-all'] }),
      self_dep: (one) => ({ ...one, deps: [...one.deps, one.slug] }),
      parse: (one) => ({ ...one, scope: ['../out'] }),
      unverifiable: (one) => ({ ...one, checks: [] }),
    };
    const cases = fc.tuple(
      contents,
      fc.constantFrom(...Object.keys(spoil)),
      fc.nat(),
      fc.constantFrom('json', 'markdown'),
    );
    fc.assert(
      fc.property(cases, ([content, code, at, format]) => {
        const last = content.nodes.length - 1;
        // The twin of a slug is the later of two: the one that comes second is told.
        const place = code === 'duplicate_slug' ? last : at % content.nodes.length;
        const [one, other] = [content.nodes[place], content.nodes[0]];
        fc.pre(one !== undefined && other !== undefined && (code !== 'duplicate_slug' || last > 0));
        const spoilt = spoil[code]?.(one, other) ?? one;
        const nodes = content.nodes.map((each, i) => (i === place ? spoilt : each));
        const text = format === 'json' ? asJson({ ...content, nodes }) : asMarkdown({ ...content, nodes });
        const faults = faultsOf(gated(text, format));
        const named = faults.filter((fault) => fault.code === code && fault.slug === spoilt.slug);
        expect(named.length).toBeGreaterThan(0);
        // Nothing else is blamed but nodes that named it by its old name.
        const renamed = spoilt.slug !== one.slug;
        for (const fault of faults) {
          const dependent = renamed && fault.code === 'unknown_dep' && fault.witness === one.slug;
          const twin = code === 'duplicate_slug' && ['self_dep', 'cycle'].includes(fault.code);
          expect(dependent || twin || fault.slug === spoilt.slug, fault.message).toBe(true);
        }
      }),
      { numRuns: 500 },
    );
  });

  it('has an answer to any text', () => {
    const part = fc.constantFrom(
      ...[
        '# ',
        '## ',
        'a',
        ': ',
        'B',
        '\n',
        '\n\n',
        'deps: ',
        'check: `x`',
        'run: `y`',
        '`',
        '```',
        ', ',
        'scope: ..',
      ],
      ...[
        '{',
        '}',
        '[',
        ']',
        '"nodes"',
        ':',
        ',',
        '"slug"',
        '"a"',
        'null',
        '{"nodes": [{"slug": "a"}]}',
        '\uFEFF',
      ],
    );
    const text = fc.oneof(
      fc.array(part, { maxLength: 30 }).map((parts) => parts.join('')),
      fc.string({ unit: 'binary' }),
    );
    const options = fc.record({
      source: fc.constantFrom('file', 'planner'),
      hasModel: fc.boolean(),
      hasPanel: fc.boolean(),
      budget: fc.option(fc.record({ tokens: fc.nat(), panel: fc.integer({ min: 1, max: 5 }) })),
    });
    fc.assert(
      fc.property(text, fc.constantFrom('json', 'markdown'), options, (any, format, how) => {
        const result = gated(any, format, how);
        expect(result.ok || result.faults.length > 0).toBe(true);
        for (const fault of faultsOf(result)) expect(fault.message).not.toBe('');
      }),
      { numRuns: 2000 },
    );
  });
});
