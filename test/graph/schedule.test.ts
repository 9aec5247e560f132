import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { freshTable, hold, rederive, reopen, satisfy } from '../../src/graph/schedule.ts';
import { cellAt, readyPlaces, type Cell, type Table } from '../../src/graph/table.ts';
import { plan, type NodeText } from '../support/plans.ts';

/** Random graphs, a few of them wider than one chunk of the table. */
const graphs = fc
  .tuple(fc.integer({ min: 1, max: 150 }), fc.integer({ min: 0, max: 2 ** 31 }))
  .map(([count, seed]) => {
    let state = seed | 1;
    const random = () => (state = (Math.imul(state, 48_271) >>> 0) % 0x7fffffff) / 0x7fffffff;
    const nodes: NodeText[] = Array.from({ length: count }, (_, i) => ({
      slug: `n${i}`,
      deps: Array.from({ length: Math.min(i, 3) }, () => `n${Math.floor(random() * i)}`).filter(
        (d, k, all) => all.indexOf(d) === k && random() < 0.6,
      ),
    }));
    return plan(nodes);
  });

const picks = fc.array(fc.tuple(fc.nat(), fc.constantFrom('achieve', 'fail', 'skip', 'reopen')), {
  maxLength: 40,
});

function cells(table: Table, count: number): readonly Cell[] {
  return Array.from({ length: count }, (_, place) => cellAt(table, place));
}

describe('the node table', () => {
  it('comes, move by move, to what working it out anew comes to', () => {
    fc.assert(
      fc.property(graphs, picks, (of, moves) => {
        const count = of.nodes.length;
        let table = freshTable(of);
        for (const [n, move] of moves) {
          const ready = [...readyPlaces(table)];
          const place = ready[n % Math.max(1, ready.length)];
          if (move === 'reopen') {
            const ended = cells(table, count).flatMap((cell, i) =>
              ['achieved', 'failed'].includes(cell.status) ? [i] : [],
            );
            const again = ended[n % Math.max(1, ended.length)];
            if (again !== undefined) table = reopen(of, table, again);
          } else if (place !== undefined) {
            const cell = {
              status: move === 'achieve' ? 'achieved' : move === 'fail' ? 'failed' : 'skipped',
            } as const;
            table = move === 'fail' ? hold(of, table, { place, cell }) : satisfy(of, table, { place, cell });
          }
          expect(cells(table, count)).toEqual(cells(rederive(of, table), count));
        }
      }),
      { numRuns: 60 },
    );
  });

  it('holds the same nodes by the same names, in whatever order two of them fail', () => {
    fc.assert(
      fc.property(graphs, fc.nat(), fc.nat(), (of, m, n) => {
        const count = of.nodes.length;
        const fresh = freshTable(of);
        const ready = [...readyPlaces(fresh)];
        const a = ready[m % ready.length] ?? 0;
        const b = ready[n % ready.length] ?? 0;
        fc.pre(a !== b);
        const fail = (table: Table, place: number) => hold(of, table, { place, cell: { status: 'failed' } });
        expect(cells(fail(fail(fresh, a), b), count)).toEqual(cells(fail(fail(fresh, b), a), count));
      }),
    );
  });

  it('leaves the table it was made from as it was', () => {
    const of = plan([{ slug: 'a' }, { slug: 'b', deps: ['a'] }]);
    const before = freshTable(of);
    const text = JSON.stringify(before);
    satisfy(of, before, { place: 0, cell: { status: 'achieved' } });
    hold(of, before, { place: 0, cell: { status: 'failed' } });
    expect(JSON.stringify(before)).toBe(text);
  });
});
