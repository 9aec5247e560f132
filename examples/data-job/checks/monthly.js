/** Works a monthly table out anew, one cell at a time, and compares. */

import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { readCsv } from '../steps/csv.js';

export function checkMonthly(file, column, expected) {
  const table = JSON.parse(readFileSync(file, 'utf8'));
  const rows = readCsv('out/clean.csv');
  assert.equal(Object.keys(table).length, 4);
  for (const [station, months] of Object.entries(table)) {
    assert.equal(Object.keys(months).length, 12, `${station} has 12 months`);
    for (const [month, value] of Object.entries(months)) {
      const values = rows
        .filter((row) => row.station === station && row.date.startsWith(month))
        .map((row) => Number(row[column]));
      assert.ok(Math.abs(value - expected(values)) < 0.006, `${station} ${month}: ${value}`);
    }
  }
}
