import { describe, expect, it } from 'vitest';
import { makeLiveView } from '../../../src/cli/shell/live-view.ts';
import { spoken } from '../../../src/cli/shell/screen.ts';
import { width } from '../../../src/cli/render/text.ts';
import { MODEL_SCENES } from '../../support/model-scenes.ts';
import { SCENES } from '../../support/scenes.ts';
import { nodeView, runView, screenOf } from '../../support/views.ts';

const COLOURS = /\x1b\[[\d;]*m/g;

describe('what stands above the prompt', () => {
  it('never is wider or higher than its room, in any state of a run', () => {
    for (const [name, view] of Object.entries({ ...SCENES, ...MODEL_SCENES })) {
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

  it('keeps to ASCII where nothing else can be shown', () => {
    const view = runView([nodeView('read', { status: 'running' })], { status: 'running' });
    for (const rows of [10, 40]) {
      const lines = makeLiveView()(view, { ...screenOf(60, { ascii: true }), rows });
      expect(lines.join('')).toMatch(/^[\x20-\x7e\x1b]*$/);
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
