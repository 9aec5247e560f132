import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overlaps } from '../../src/graph/scope.ts';
import { reachOf } from '../../src/graph/reach.ts';
import { scopeGroups } from '../../src/graph/scope-groups.ts';
import { asJson, codes, gated, node, plan, planOf, type NodeContent } from '../support/plan-text.ts';

function warningsOf(nodes: readonly NodeContent[], options: Parameters<typeof gated>[2] = {}) {
  const result = gated(asJson(plan(nodes, { checks: [{ run: 'npm test', once: false }] })), 'json', options);
  planOf(result);
  return result.warnings;
}

const messages = (nodes: readonly NodeContent[]) => warningsOf(nodes).map(({ message }) => message);
const chain = (size: number) =>
  Array.from({ length: size }, (_, i) => node(`n${i}`, { deps: i === 0 ? [] : [`n${i - 1}`] }));

describe('a warning', () => {
  it('is not given for a plain plan', () => {
    expect(warningsOf([node('a'), node('b'), node('c', { deps: ['a', 'b'] })])).toEqual([]);
  });

  it('names a dep that stands there twice, once', () => {
    const warnings = warningsOf([node('a'), node('b', { deps: ['a', 'a', ' a'] })]);
    expect(codes(warnings)).toEqual(['duplicate_dep b']);
    expect(warnings[0]?.message).toBe('"b" names the dep "a" more than once: once is enough');
  });

  it('names the deps of a node that others of its deps imply', () => {
    const warnings = warningsOf([
      node('a'),
      node('b', { deps: ['a'] }),
      node('c', { deps: ['b'] }),
      node('d', { deps: ['a', 'c', 'b'] }),
    ]);
    expect(codes(warnings)).toEqual(['redundant_dep d']);
    expect(warnings[0]?.message).toBe(
      '"d" need not name the deps a, b: others of its deps come after them anyway',
    );
  });

  it('is given for a chain of more than four nodes', () => {
    expect(warningsOf(chain(4))).toEqual([]);
    expect(codes(warningsOf(chain(5)))).toEqual(['narrow']);
    expect(warningsOf([...chain(5), node('x')])).toEqual([]);
    expect(codes(warningsOf([...chain(4), node('x', { deps: ['n0', 'n3'] })]))).toEqual([
      'narrow',
      'redundant_dep x',
    ]);
  });

  it('is given for nodes without a check that can fail, when only a panel judges', () => {
    const nodes = [
      node('a', { spec: 's', checks: [] }),
      node('b', { spec: 's', checks: [{ run: 'true', once: false }] }),
    ];
    const warnings = warningsOf(nodes, { hasModel: true, hasPanel: true });
    expect(codes(warnings)).toEqual(['no_checks a', 'no_checks b']);
    expect(warnings[1]?.message).toContain('only checks that cannot fail ("true")');
  });

  it('is given when nothing is left for the final node to prove', () => {
    const once = plan([node('a', { checks: [{ run: 'x', once: true }] })]);
    expect(codes(gated(asJson(once), 'json').warnings)).toEqual(['no_checks']);
    expect(codes(gated(asJson(once), 'json', { hasPanel: true }).warnings)).toEqual([]);
    const trivial = { ...once, checks: [{ run: 'true', once: false }] };
    expect(codes(gated(asJson(trivial), 'json').warnings)).toEqual(['no_checks']);
    const proven = { ...once, checks: [{ run: 'x', once: true }] };
    expect(codes(gated(asJson(proven), 'json').warnings)).toEqual([]);
  });

  it('comes along with faults, but of those about the shape there is none then', () => {
    const bad = gated(asJson(plan([node('a', { deps: ['b', 'b'] })])), 'json');
    expect(bad.ok).toBe(false);
    expect(codes(bad.warnings)).toEqual(['duplicate_dep a']);
  });

  it('is listed twenty times at most, the last time with how many there are', () => {
    const twice = (count: number) =>
      Array.from({ length: count }, (_, i) => node(`n${i}`, { deps: ['a', 'a'] }));
    expect(warningsOf([node('a'), ...twice(20)])).toHaveLength(20);
    const many = warningsOf([node('a'), ...twice(35)]);
    expect(many).toHaveLength(20);
    expect(many[18]?.slug).toBe('n18');
    expect(many[19]).toMatchObject({ code: 'duplicate_dep', slug: null, place: null });
    expect(many[19]?.message).toContain('and 16 more');
  });
});

describe('a warning of overlapping scopes', () => {
  const scoped = (slug: string, scope: readonly string[], deps: readonly string[] = []) =>
    node(slug, { scope, deps });

  it('is given for nodes that may run side by side only', () => {
    expect(messages([scoped('a', ['src/**']), scoped('b', ['src/x'])])).toEqual([
      'a, b may write "src/" at the same time: part their scopes, or make one a dep of the other',
    ]);
    expect(messages([scoped('a', ['src/**']), scoped('b', ['src/x'], ['a'])])).toEqual([]);
    const [through] = [scoped('m', ['y'], ['a'])];
    expect(messages([scoped('a', ['src/**']), through, scoped('b', ['src/x'], ['m'])])).toEqual([]);
  });

  it('is one for each place', () => {
    expect(
      messages([
        scoped('a', ['src/x/**', 'docs']),
        scoped('b', ['src/x/y']),
        scoped('c', ['docs/a.md']),
        scoped('d', ['test']),
        scoped('e', ['src/xy']),
      ]),
    ).toEqual([
      'a, c may write "docs/" at the same time: part their scopes, or make one a dep of the other',
      'a, b may write "src/x/" at the same time: part their scopes, or make one a dep of the other',
    ]);
  });

  it('names only those that clash', () => {
    const [first] = messages([
      scoped('a', ['src/**']),
      scoped('b', ['src/b'], ['a']),
      scoped('c', ['src/c'], ['a']),
      scoped('d', ['src/d'], ['b']),
      scoped('e', ['src/**'], ['c', 'd']),
      scoped('f', ['src/f']),
    ]);
    expect(first).toMatch(/^a, e, f may write "src\/"/);
  });

  it('is one line for ten thousand nodes without a scope', () => {
    const all = messages(Array.from({ length: 10_000 }, (_, i) => scoped(`n${i}`, [])));
    expect(all).toEqual([
      'n0, n1, n2, n3, n4, n5 and 9994 more have no scope, so each runs alone: a scope lets a node run beside others',
    ]);
  });

  it('is one line for ten thousand nodes with the same scope, none for a chain of them', () => {
    const nodes = Array.from({ length: 10_000 }, (_, i) => scoped(`n${i}`, ['src/**']));
    expect(messages(nodes)).toHaveLength(1);
    const linked = nodes.map((one, i) => ({ ...one, deps: i === 0 ? [] : [`n${i - 1}`] }));
    expect(codes(warningsOf(linked))).toEqual(['narrow']);
  });

  it('names a single node without a scope, and a single folder for everything', () => {
    expect(messages([scoped('a', []), scoped('b', ['src'])])[0]).toMatch(/^a has no scope, so it runs alone/);
    expect(messages([scoped('a', ['.']), scoped('b', ['src'])])[0]).toMatch(/^a may write anywhere/);
    expect(messages([scoped('a', [])])).toEqual([]);
  });
});

const shapes = fc
  .array(
    fc.record({
      deps: fc.array(fc.nat(8), { maxLength: 2 }),
      scope: fc.array(fc.constantFrom('a', 'a/b', 'a/b/c', 'a*', 'ab', 'b/**', '**'), { maxLength: 2 }),
    }),
    { minLength: 1, maxLength: 9 },
  )
  .map((rows) => ({
    deps: rows.map(({ deps }, i) => [...new Set(deps.filter((dep) => dep < i))].sort((a, b) => a - b)),
    scopes: rows.map(({ scope }) => scope),
  }));

/** By walking, pair by pair. */
function walks(deps: readonly (readonly number[])[], from: number, to: number): boolean {
  return (deps[from] ?? []).some((dep) => dep === to || walks(deps, dep, to));
}

describe('scopeGroups', () => {
  it('holds exactly the nodes that overlap one which may run beside them', () => {
    fc.assert(
      fc.property(shapes, ({ deps, scopes }) => {
        const clashing = scopes.flatMap((scope, i) => {
          const partner = scopes.some((other, j) => {
            const beside = i !== j && !walks(deps, i, j) && !walks(deps, j, i);
            return beside && overlaps(scope, other);
          });
          return partner ? [i] : [];
        });
        const groups = scopeGroups(scopes, reachOf(deps));
        expect([...new Set(groups.flatMap(({ members }) => members))].sort((a, b) => a - b)).toEqual(
          clashing,
        );
        for (const { owners, members } of groups) {
          expect(owners.length).toBeGreaterThan(0);
          expect(members.length).toBeGreaterThan(1);
          for (const owner of owners) expect(members).toContain(owner);
        }
      }),
      { numRuns: 1000 },
    );
  });
});

describe('reachOf', () => {
  it('finds a dep redundant exactly when another dep leads to it', () => {
    fc.assert(
      fc.property(shapes, ({ deps }) => {
        const expected = deps.flatMap((list, node) =>
          list.filter((dep) => list.some((other) => walks(deps, other, dep))).map((dep) => `${node} ${dep}`),
        );
        const found = reachOf(deps).redundant.flatMap(({ node: n, deps: list }) =>
          list.map((dep) => `${n} ${dep}`),
        );
        expect(found).toEqual(expected);
      }),
      { numRuns: 1000 },
    );
  });
});
