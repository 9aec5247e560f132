/** Just enough CSV for this job: quotes, and commas inside them. */

import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';

export function readCsv(file) {
  const [head, ...lines] = readFileSync(file, 'utf8').trimEnd().split('\n');
  const names = fields(head);
  return lines.map((line) => Object.fromEntries(fields(line).map((value, i) => [names[i], value])));
}

export function writeCsv(file, names, rows) {
  const quote = (value) => (/[",\n]/.test(value) ? `"${value.replaceAll('"', '""')}"` : value);
  const lines = rows.map((row) => names.map((name) => quote(String(row[name]))).join(','));
  writeOut(file, [names.join(','), ...lines, ''].join('\n'));
}

/** A step may be cut and run again at any moment: it makes its folder if it must, and replaces its whole output. */
export function writeOut(file, text) {
  mkdirSync('out', { recursive: true });
  writeFileSync(file, text);
}

export function fields(line) {
  const found = line.matchAll(/(?:^|,)(?:"((?:[^"]|"")*)"|([^,]*))/g);
  return [...found].map(([, quoted, bare]) => quoted?.replaceAll('""', '"') ?? bare);
}
