import picocolors from 'picocolors';
import { describe, expect, test } from 'vitest';
import type { RunView } from '../../../src/contract/view.ts';
import type { Screen } from '../../../src/cli/render/screen.ts';
import { drawDag } from '../../../src/cli/render/dag.ts';
import { endTable } from '../../../src/cli/render/end-table.ts';
import { expectScreen } from '../../support/golden.ts';
import { liveLines } from '../../../src/cli/render/live.ts';
import { MODEL_SCENES } from '../../support/model-scenes.ts';
import { SCENES } from '../../support/scenes.ts';
import { screenOf } from '../../support/views.ts';
import { statusTable } from '../../../src/cli/render/table.ts';

function allScreens(view: RunView, screen: Screen): readonly string[] {
  const dag = drawDag(view, screen) ?? ['(no drawing)'];
  const live = liveLines(view, { ...screen, rows: 8 });
  return [
    '# show',
    ...dag,
    '# status',
    ...statusTable(view, screen),
    '# end',
    ...endTable(view, screen),
    '# live',
    ...live,
  ];
}

describe.each(Object.keys(SCENES))('the screens of the run "%s"', (name) => {
  const view = SCENES[name];
  if (view === undefined) throw new Error(name);

  test.each([20, 60, 80, 140])('at %d columns', async (columns) => {
    await expectScreen(`${name}-${columns}`, allScreens(view, screenOf(columns)));
  });
});

test('the screens of a stuck run without Unicode', async () => {
  const view = SCENES['stuck'];
  if (view !== undefined)
    await expectScreen('stuck-80-ascii', allScreens(view, screenOf(80, { ascii: true })));
});

describe.each(Object.keys(MODEL_SCENES))('the screens of the run "%s"', (name) => {
  const view = MODEL_SCENES[name];
  if (view === undefined) throw new Error(name);

  test.each([60, 80, 140])('at %d columns', async (columns) => {
    await expectScreen(`${name}-${columns}`, allScreens(view, screenOf(columns)));
  });

  test('without Unicode', async () => {
    await expectScreen(`${name}-80-ascii`, allScreens(view, screenOf(80, { ascii: true })));
  });
});

test('colour changes nothing but the colour', () => {
  const colours = { palette: picocolors.createColors(true) };
  for (const view of Object.values({ ...SCENES, ...MODEL_SCENES })) {
    for (const columns of [20, 60, 140]) {
      const coloured = allScreens(view, screenOf(columns, colours));
      const bare = coloured.map((line) => line.replace(/\x1b\[\d+m/g, ''));
      expect(bare).toEqual(allScreens(view, screenOf(columns)));
    }
  }
});
