import { readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import type { RunEvent } from '../../src/contract/event.ts';
import { planOf } from '../../src/graph/graph-context.ts';
import { applyRun } from '../../src/graph/run.ts';
import { NO_RUN, type RunState } from '../../src/graph/run-state.ts';
import { cellAt } from '../../src/graph/table.ts';
import { reservedBy, spentBy } from '../../src/kernel/ledger-room.ts';
import { fold } from '../../src/kernel/step.ts';
import { upcast } from '../../src/store/upcast.ts';
import { expectGolden } from '../support/golden-text.ts';

interface Line {
  readonly stream: string;
  readonly type: string;
  readonly v: number;
  readonly body: Readonly<Record<string, unknown>>;
}

function read(name: string): readonly Line[] {
  return readFileSync(new URL(`../golden/journals/${name}.jsonl`, import.meta.url), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as Line);
}

/**
 * v1: commands only. v2: the first with models, from the planning to a final verification that nobody can do. v3: the first
 * of a flow, which uses up its moves at a decision, is decided by a person while it rests, and comes to its end.
 */
describe.each([
  ['v1', nodesOf],
  ['v2', (state: RunState) => [...nodesOf(state), ...budgetOf(state)]],
  ['v3', (state: RunState) => [...nodesOf(state), ...movesOf(state), ...budgetOf(state)]],
] as const)('a journal of version %s', (name, told) => {
  const lines = read(name);

  it('folds as it did on the day it was written', async () => {
    const runs = [...new Set(lines.map(({ stream }) => stream))].map((stream) => {
      const events = lines.filter((line) => line.stream === stream).map(current);
      const folded = fold(applyRun, NO_RUN, events);
      if (!folded.ok) throw new Error(`${stream}, event ${folded.index + 1}: ${folded.why}`);
      const { value, context } = folded.state.graph;
      const head = `${stream} ${value}, epoch ${context.epoch}, plan v${planOf(context).version}`;
      return [head, ...told(folded.state)].join('\n');
    });
    await expectGolden(`journals/${name}.txt`, `${runs.join('\n')}\n`);
  });
});

function nodesOf({ graph }: RunState): readonly string[] {
  return planOf(graph.context).nodes.map(({ slug }, place) => {
    const { status, why } = cellAt(graph.context.table, place);
    return `  ${slug} ${status}${why === null ? '' : ` (${why})`}`;
  });
}

function budgetOf({ ledger, graph, base }: RunState): readonly string[] {
  if (!ledger) throw new Error('no ledger');
  const { tokens } = spentBy(ledger.sums);
  return [
    `  paused for ${graph.context.paused?.why ?? 'nothing'}`,
    `  ${tokens} tokens of ${ledger.limits.tokens ?? 0}, ${reservedBy(ledger.open).tokens} reserved, ${ledger.standing.tokens} for the end`,
    ...ledger.sums.map(
      ({ role, final, calls, estimated }) =>
        `  ${role}${final ? ' (final)' : ''} ${calls}${estimated > 0 ? `, ${estimated} estimated` : ''}`,
    ),
    `  base ${base ?? 'none'}`,
  ];
}

function movesOf({ graph }: RunState): readonly string[] {
  const { flow } = graph.context;
  return [`  flow ${flow?.name ?? 'none'}, ${flow?.maxMoves ?? 'no limit of'} moves`];
}

function current({ type, v, body }: Line): RunEvent {
  const event = upcast({ type, v, body });
  if (!event.ok) throw new Error(event.fault);
  return event.value as unknown as RunEvent;
}
