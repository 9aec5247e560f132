/** Tool-call deltas, by the book and otherwise. */

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { ToolCall } from '../../src/contract/model.ts';
import { assembleCalls } from '../../src/model/tool-calls.ts';
import { readChunk } from '../../src/model/wire-chunk.ts';
import { chunk } from '../support/wire-replies.ts';
import type { WireCall } from '../support/wire-replies.ts';

/** One chunk for each delta. */
function assemble(deltas: readonly WireCall[], cut = false): readonly ToolCall[] {
  const calls = assembleCalls();
  for (const delta of deltas) {
    const piece = readChunk(JSON.parse(JSON.stringify(chunk({ tool_calls: [delta] }))));
    if (piece === null) throw new Error('no chunk');
    for (const one of piece.calls) calls.add(one);
  }
  return calls.finish(cut);
}

const brief = (calls: readonly ToolCall[]) => calls.map(({ id, name, args }) => `${id} ${name} ${args}`);
const fn = (name: string | undefined, args?: unknown) => ({
  function: { ...(name === undefined ? {} : { name }), ...(args === undefined ? {} : { arguments: args }) },
});

describe('tool-call deltas', () => {
  it.each<[string, readonly WireCall[], readonly string[]]>([
    [
      'by the book, interleaved',
      [
        { index: 0, id: 'a', ...fn('read', '') },
        { index: 1, id: 'b', ...fn('read', '') },
        { index: 1, ...fn(undefined, '{"p":') },
        { index: 0, ...fn(undefined, '{"p":1}') },
        { index: 1, ...fn(undefined, '2}') },
      ],
      ['a read {"p":1}', 'b read {"p":2}'],
    ],
    [
      'F-161 the same index for two ids',
      [
        { index: 0, id: 'a', ...fn('read', '{"p":1}') },
        { index: 0, id: 'b', ...fn('read', '{"p"') },
        { index: 0, ...fn(undefined, ':2}') },
      ],
      ['a read {"p":1}', 'b read {"p":2}'],
    ],
    [
      'F-163 no index, two ids, and a tail without either',
      [
        { id: 'a', ...fn('read', '{"p":1}') },
        { id: 'b', ...fn('write', '') },
        fn(undefined, '{"p":'),
        { index: null, id: null, ...fn(undefined, '2}') },
      ],
      ['a read {"p":1}', 'b write {"p":2}'],
    ],
    [
      'id and name repeated with every delta',
      [
        { index: 0, id: 'a', ...fn('read', '{"p"') },
        { index: 0, id: 'a', ...fn('read', ':1}') },
        { index: 1, id: 'b', ...fn('read', '{}') },
      ],
      ['a read {"p":1}', 'b read {}'],
    ],
    [
      'ids repeated, interleaved, without an index',
      [
        { id: 'a', ...fn('read', '{"p"') },
        { id: 'b', ...fn('read', '{"p"') },
        { id: 'a', ...fn(undefined, ':1}') },
        { id: 'b', ...fn(undefined, ':2}') },
      ],
      ['a read {"p":1}', 'b read {"p":2}'],
    ],
    [
      'whole calls with neither id nor a proper index',
      [
        { index: 0, id: '', ...fn('read', '{"p":1}') },
        { index: 0, id: '', ...fn('read', '{"p":2}') },
      ],
      ['call00000 read {"p":1}', 'call00001 read {"p":2}'],
    ],
    [
      'whole calls with nothing at all',
      [fn('read', '{"p":1}'), fn('write', '{"p":2}')],
      ['call00000 read {"p":1}', 'call00001 write {"p":2}'],
    ],
    [
      'the same id for two calls of one message',
      [
        { index: 0, id: 'f:0', ...fn('read', '{}') },
        { index: 1, id: 'f:0', ...fn('read', '{}') },
      ],
      ['f:0 read {}', 'call00001 read {}'],
    ],
    [
      'arguments as an object, or none',
      [
        { index: 0, id: 'a', ...fn('read', { p: 1 }) },
        { index: 1, id: 'b', ...fn('list') },
      ],
      ['a read {"p":1}', 'b list {}'],
    ],
    [
      'an index that does not begin at 0, and a name in two parts',
      [
        { index: 3, id: 'a', ...fn('re') },
        { index: 3, ...fn('ad', '{}') },
      ],
      ['a read {}'],
    ],
  ])('%s', (_title, deltas, expected) => {
    expect(brief(assemble(deltas))).toEqual(expected);
  });

  it('keeps what the vendor attached', () => {
    const extra = { google: { thought_signature: 'xyz' } };
    const [call] = assemble([{ index: 0, id: 'a', ...fn('read', '{}'), extra_content: extra }]);
    expect(call?.extra).toEqual(extra);
  });

  it('F-170 with a limit hit, runs the whole call and not the cut one', () => {
    const deltas = [
      { index: 0, id: 'a', ...fn('read', '{"p":1}') },
      { index: 1, id: 'b', ...fn('write', '{"p":1,"c":"x') },
      { index: 2, id: 'c', ...fn('list') },
    ];
    expect(assemble(deltas, true).map(({ flaw }) => flaw)).toEqual([null, 'truncated', 'truncated']);
    expect(assemble(deltas, false).map(({ flaw }) => flaw)).toEqual([null, 'not_json', null]);
  });

  it.each(['[1]', '"x"', '7', '{"a":1}}', "{'a':1}", 'true'])('%s is no object of arguments', (args) => {
    expect(assemble([{ index: 0, id: 'a', ...fn('read', args) }])).toMatchObject([
      { args, flaw: 'not_json' },
    ]);
  });
});

describe('any splitting and interleaving of the same calls', () => {
  const call = fc.record({
    name: fc.constantFrom('read', 'write', 'bash'),
    args: fc
      .dictionary(fc.string(), fc.oneof(fc.string(), fc.integer()), { maxKeys: 4 })
      .map((v) => JSON.stringify(v)),
    cuts: fc.array(fc.nat(), { maxLength: 6 }),
  });
  const style = fc.constantFrom('book', 'ids', 'both');

  it('gives the same calls', () => {
    fc.assert(
      fc.property(
        fc.array(call, { minLength: 1, maxLength: 5 }),
        style,
        fc.infiniteStream(fc.nat()),
        (made, how, random) => {
          const queues = made.map((one, at) => deltasOf(one, at, how));
          const deltas = queues.map(([first]) => first).filter((first) => first !== undefined);
          const rest = queues.map((queue) => queue.slice(1));
          while (rest.some((queue) => queue.length > 0)) {
            const open = rest.filter((queue) => queue.length > 0);
            const next = open[(random.next().value ?? 0) % open.length]?.shift();
            if (next !== undefined) deltas.push(next);
          }
          expect(brief(assemble(deltas))).toEqual(
            made.map(({ name, args }, at) => `id${at} ${name} ${args}`),
          );
        },
      ),
      { numRuns: 300 },
    );
  });

  it('in sequence, even when no delta but the first of a call says whose it is', () => {
    fc.assert(
      fc.property(fc.array(call, { minLength: 1, maxLength: 5 }), fc.boolean(), (made, sameIndex) => {
        const deltas = made.flatMap((one, at) =>
          deltasOf(one, at, 'ids').map((delta, nth): WireCall => ({
            ...(nth === 0 ? { id: delta.id ?? null } : {}),
            ...(sameIndex ? { index: 0 } : {}),
            ...(delta.function === undefined ? {} : { function: delta.function }),
          })),
        );
        expect(brief(assemble(deltas))).toEqual(made.map(({ name, args }, at) => `id${at} ${name} ${args}`));
      }),
      { numRuns: 300 },
    );
  });

  interface Made {
    readonly name: string;
    readonly args: string;
    readonly cuts: readonly number[];
  }

  function deltasOf({ name, args, cuts }: Made, at: number, how: 'book' | 'ids' | 'both'): WireCall[] {
    const places = [...new Set(cuts.map((cut) => cut % args.length))].sort((a, b) => a - b);
    const pieces = [0, ...places].map((from, n) => args.slice(from, places[n] ?? args.length));
    const whose = (first: boolean): WireCall => ({
      ...(how === 'ids' ? {} : { index: at }),
      ...(how !== 'book' || first ? { id: `id${at}` } : {}),
    });
    return [
      { ...whose(true), function: { name, arguments: '' } },
      ...pieces.map((piece) => ({ ...whose(false), function: { arguments: piece } })),
    ];
  }
});
