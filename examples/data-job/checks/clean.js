/** Every raw line is in exactly one of the two files, and what is clean is clean. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readCsv } from '../steps/csv.js';

const raw = readFileSync('readings.csv', 'utf8').trimEnd().split('\n').length - 1;
const clean = readCsv('out/clean.csv');
const rejected = readCsv('out/rejected.csv');

assert.equal(clean.length + rejected.length, raw, 'no line may get lost');
assert.ok(clean.length > raw * 0.9, `only ${clean.length} of ${raw} lines are clean`);
assert.ok(rejected.every(({ why }) => why));
assert.equal(
  new Set(clean.map(({ station, date }) => `${station} ${date}`)).size,
  clean.length,
  'no doubles',
);
assert.deepEqual([...new Set(clean.map(({ station }) => station))].sort(), [
  'Airport',
  'Harbour',
  'Old Town',
  'Ridge',
]);
for (const { date, temperature_c, rain_mm } of clean) {
  assert.match(date, /^2025-\d\d-\d\d$/);
  assert.match(temperature_c, /^-?\d{1,2}(\.\d)?$/);
  assert.match(rain_mm, /^\d+(\.\d)?$/);
}
