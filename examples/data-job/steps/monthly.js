/** Groups the clean readings by station and month. */

import { readCsv } from './csv.js';

export function monthly(column, reduce) {
  const groups = {};
  for (const row of readCsv('out/clean.csv')) {
    const month = row.date.slice(0, 7);
    ((groups[row.station] ??= {})[month] ??= []).push(Number(row[column]));
  }
  for (const months of Object.values(groups)) {
    for (const [month, values] of Object.entries(months)) months[month] = round(reduce(values));
  }
  return groups;
}

export const sum = (values) => values.reduce((total, value) => total + value, 0);

function round(value) {
  return Math.round(value * 100) / 100;
}
