import { describe, expect, it } from 'vitest';
import { makeLiveView } from '../../../src/cli/shell/live-view.ts';
import { spoken } from '../../../src/cli/shell/screen.ts';
import { width } from '../../../src/cli/render/text.ts';
import type { RunView } from '../../../src/contract/view.ts';
import { parseFlow } from '../../../src/flow/parse-flow.ts';
import { flowView } from '../../../src/graph/flow-view.ts';
import { MODEL_SCENES } from '../../support/model-scenes.ts';
import { SCENES } from '../../support/scenes.ts';
import { nodeView, runView, screenOf } from '../../support/views.ts';

const COLOURS = /\x1b\[[\d;]*m/g;

const CHART = `flowchart TD
A([BEGIN]) --> draft["Draft it"]
draft --> formal{"Is it formal?"}
formal -- no --> polish --> draft
formal -- "yes, it is" --> Z([END])
`;

/** A flow that stands at this step. */
function flowAt(at: string, more: Partial<RunView> = {}): RunView {
  const parsed = parseFlow('mermaid', CHART);
  if (!parsed.ok) throw new Error(parsed.fault.message);
  const flow = flowView(
    { name: 'mail', args: '', flow: parsed.value, maxMoves: 9 },
    { live: null, trail: [], ended: false },
  );
  const nodes = [nodeView('mail', { status: 'running' })];
  return runView(nodes, { status: 'running', flow: { ...flow, at }, ...more });
}

const FLOWS = { task: flowAt('draft'), decision: flowAt('formal') };

describe('what stands above the prompt', () => {
  it('never is wider or higher than its room, in any state of a run', () => {
    for (const [name, view] of Object.entries({ ...SCENES, ...MODEL_SCENES, ...FLOWS })) {
      const liveView = makeLiveView();
      for (const columns of [20, 35, 60, 80, 140]) {
        for (const rows of [0, 1, 2, 3, 5, 10, 24, 60]) {
          const lines = liveView(view, { ...screenOf(columns), rows });
          expect(lines.length, `${name} ${columns} ${rows}`).toBeLessThanOrEqual(rows);
          for (const line of lines) {
            expect(width(line.replace(COLOURS, '')), `${name} ${columns}: ${line}`).toBeLessThanOrEqual(
              columns,
            );
          }
        }
      }
    }
  });

  it('draws the plan where there is room, and names its nodes where there is not', () => {
    const nodes = [
      nodeView('read', { status: 'running' }),
      nodeView('parse', { deps: [nodeView('read').id] }),
    ];
    const view = runView(nodes, { status: 'running', concurrency: 3 });
    const liveView = makeLiveView();
    const tall = liveView(view, { ...screenOf(80), rows: 40 }).join('\n');
    expect(tall).toContain('┌');
    expect(tall).toContain('width 1/3');
    const low = liveView(view, { ...screenOf(80), rows: 10 }).join('\n');
    expect(low).not.toContain('┌');
    expect(low).toContain('► read');
    expect(low).toContain('parse');
  });

  it('draws the chart of a flow, and names its steps where there is no room', () => {
    const tall = makeLiveView()(FLOWS.task, { ...screenOf(80), rows: 60 }).join('\n');
    expect(tall).toContain('► draft');
    expect(tall).toContain('┌');
    const low = makeLiveView()(FLOWS.task, { ...screenOf(80), rows: 10 }).join('\n');
    expect(low).not.toContain('┌');
    expect(low).toContain('► draft');
    expect(low).toContain('polish');
  });

  it('names the branches where a person may choose, and nowhere else', () => {
    const shown = (view: RunView) => makeLiveView()(view, { ...screenOf(80), rows: 10 }).join('\n');
    expect(shown(FLOWS.decision)).toContain('type one to decide: no · yes, it is');
    expect(shown(FLOWS.task)).not.toContain('type one');
    expect(shown(flowAt('formal', { status: 'cleared' }))).not.toContain('type one');
  });

  it('keeps to ASCII where nothing else can be shown', () => {
    const plan = runView([nodeView('read', { status: 'running' })], { status: 'running' });
    for (const view of [plan, FLOWS.decision]) {
      for (const rows of [10, 40]) {
        const lines = makeLiveView()(view, { ...screenOf(60, { ascii: true }), rows });
        expect(lines.join('')).toMatch(/^[\x20-\x7e\x1b]*$/);
      }
    }
  });
});

describe('what commands say', () => {
  it('is said in the words of the shell', () => {
    expect(spoken('go on: goalgraph resume --budget 1m, see goalgraph log a')).toBe(
      'go on: /graph resume --budget 1m, see /log a',
    );
    expect(spoken('goalgraph check plan.md')).toBe('goalgraph check plan.md');
  });
});
