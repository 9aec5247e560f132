import { readFileSync } from 'node:fs';
import { describe, it } from 'vitest';
import type { RunEvent } from '../../src/contract/event.ts';
import { planOf } from '../../src/graph/graph-context.ts';
import { applyRun } from '../../src/graph/run.ts';
import { NO_RUN } from '../../src/graph/run-state.ts';
import { cellAt } from '../../src/graph/table.ts';
import { fold } from '../../src/kernel/step.ts';
import { upcast } from '../../src/store/upcast.ts';
import { expectGolden } from '../support/golden-text.ts';

interface Line {
  readonly stream: string;
  readonly type: string;
  readonly v: number;
  readonly body: Readonly<Record<string, unknown>>;
}

const lines = readFileSync(new URL('../golden/journals/v1.jsonl', import.meta.url), 'utf8')
  .trimEnd()
  .split('\n')
  .map((line) => JSON.parse(line) as Line);

describe('a journal of version 1', () => {
  it('folds as it did on the day it was written', async () => {
    const told = [...new Set(lines.map(({ stream }) => stream))].map((stream) => {
      const events = lines.filter((line) => line.stream === stream).map(current);
      const folded = fold(applyRun, NO_RUN, events);
      if (!folded.ok) throw new Error(`${stream}, event ${folded.index + 1}: ${folded.why}`);
      const { value, context } = folded.state.graph;
      const nodes = planOf(context).nodes.map(({ slug }, place) => {
        const { status, why } = cellAt(context.table, place);
        return `  ${slug} ${status}${why === null ? '' : ` (${why})`}`;
      });
      return [`${stream} ${value}, epoch ${context.epoch}, plan v${planOf(context).version}`, ...nodes].join(
        '\n',
      );
    });
    await expectGolden('journals/v1.txt', `${told.join('\n')}\n`);
  });
});

function current({ type, v, body }: Line): RunEvent {
  const event = upcast({ type, v, body });
  if (!event.ok) throw new Error(event.fault);
  return event.value as unknown as RunEvent;
}
