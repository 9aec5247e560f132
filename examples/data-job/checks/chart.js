/** The chart has a line a station, a point a month, and every point stands inside the plot. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';

const svg = readFileSync('out/weather.svg', 'utf8');
const lines = [...svg.matchAll(/<polyline data-station="([^"]+)" points="([^"]+)"/g)];
assert.equal(lines.length, 4);
for (const [, station, points] of lines) {
  const pairs = points.split(' ').map((pair) => pair.split(',').map(Number));
  assert.equal(pairs.length, 12, `${station} has 12 points`);
  for (const [x, y] of pairs) assert.ok(x >= 60 && x <= 760 && y >= 50 && y <= 350, `${station}: ${x},${y}`);
}
assert.equal(svg.match(/<rect x=/g).length, 48);
assert.ok(!svg.includes('NaN') && svg.trimEnd().endsWith('</svg>'));
