/** From the raw file to the drawing, past all steps between: July is drawn above January, and the ridge is the coldest. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const raw = readFileSync('readings.csv', 'utf8')
  .split('\n')
  .map((line) => line.split(','));
const mean = (values) => values.reduce((a, b) => a + b) / values.length;
const july = (name) =>
  mean(
    raw
      .filter(
        ([station, date, t]) => station === name && date?.startsWith('2025-07') && Number(t) < 60 && t !== '',
      )
      .map(([, , t]) => Number(t)),
  );
const svg = readFileSync('out/weather.svg', 'utf8');
const height = (name) => {
  const [, points] = new RegExp(`data-station="${name}" points="([^"]+)"`).exec(svg);
  return points.split(' ').map((pair) => -Number(pair.split(',')[1]));
};

const stations = ['Harbour', 'Old Town', 'Ridge', 'Airport'];
const byData = [...stations].sort((a, b) => july(a) - july(b));
const byDrawing = [...stations].sort((a, b) => height(a)[6] - height(b)[6]);
assert.deepEqual(byDrawing, byData, 'the stations are drawn in the order of their July means');
for (const name of stations)
  assert.ok(height(name)[6] > height(name)[0], `${name}: July is warmer than January`);
