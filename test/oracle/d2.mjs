/**
 * What the official compiler makes of our D2 charts, and what our parser makes of them. By hand: `npm install` here,
 * `npm run build` above, then `node d2.mjs [--freeze] [--seed N] [--charts N]`. With --freeze the official answers become
 * golden files, which the tests compare ours with: those that agree, and those that are known not to (`DIFFERENT`).
 *
 * Nodes are boxes that hold no others; `<->` counts as two arrows. Labels are compared line by line without the blanks
 * around each line, and a node without a label has the last part of its name. Arrows are compared in their order for
 * each node they leave.
 */

import { writeFileSync } from 'node:fs';
import { D2 } from '@terrastruct/d2';
import { parseD2 } from '../../dist/flow/d2.js';
import { charts, spoiled } from './d2-charts.mjs';
import { DIFFERENT } from './d2-different.mjs';

const GOLDEN = new URL('../golden/flow/', import.meta.url);
const option = (name, otherwise) => {
  const at = process.argv.indexOf(name);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};

const d2 = new D2();

/** An id as the parts of its path: both sides put some of them between quotes, and not the same ones. */
function partsOf(id) {
  const parts = [];
  for (let at = 0; at <= id.length;) {
    const quote = id[at];
    if (quote !== '"' && quote !== "'") {
      const dot = id.indexOf('.', at);
      const end = dot < 0 ? id.length : dot;
      parts.push(id.slice(at, end));
      at = end + 1;
      continue;
    }
    let part = '';
    for (at += 1; at < id.length; at += 1) {
      if (id[at] === quote && !(quote === "'" && id[at + 1] === "'")) break;
      if (id[at] === '\\' && quote === '"') at += 1;
      else if (id[at] === quote) at += 1;
      part += id[at];
    }
    parts.push(part);
    at += 2;
  }
  return parts;
}

const idOf = (id) => partsOf(id).join(' / ');

function tidied(label) {
  return label
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim();
}

function labelOf(id, label) {
  const parts = partsOf(id);
  const tidy = tidied(label);
  const named = parts.some((_, i) => parts.slice(i).join('.') === tidy);
  return named ? parts.at(-1) : tidy;
}

/** `{ nodes, arrows }`, or null for a text that is refused. */
function answer(nodes, links) {
  const arrows = new Map();
  for (const [from, to, label] of links) {
    arrows.set(from, [...(arrows.get(from) ?? []), [to, label === '' ? null : label]]);
  }
  const byName = ([a], [b]) => (a < b ? -1 : a > b ? 1 : 0);
  return { nodes: nodes.toSorted(byName), arrows: [...arrows].toSorted(byName) };
}

async function officialOf(source) {
  let diagram;
  try {
    ({ diagram } = await d2.compile(source));
  } catch (error) {
    if (process.argv.includes('--why')) console.log(error.message);
    return null;
  }
  const plain = (text) =>
    text
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&amp;', '&')
      .replaceAll('&#34;', '"')
      .replaceAll('&#39;', "'");
  const shapes = (diagram.shapes ?? []).map(({ id, label }) => ({ id: plain(id), label }));
  const boxes = new Set(shapes.map(({ id }) => partsOf(id).slice(0, -1).join(' / ')));
  const nodes = shapes
    .filter(({ id }) => !boxes.has(idOf(id)))
    .map(({ id, label }) => [idOf(id), labelOf(id, label)]);
  const links = (diagram.connections ?? []).flatMap(({ src, dst, label, srcArrow, dstArrow }) => {
    const [from, to] = [idOf(plain(src)), idOf(plain(dst))];
    const text = tidied(label);
    // A line without a head is followed as it is written.
    if (srcArrow === 'none' && dstArrow === 'none') return [[from, to, text]];
    return [
      ...(dstArrow === 'none' ? [] : [[from, to, text]]),
      ...(srcArrow === 'none' ? [] : [[to, from, text]]),
    ];
  });
  return answer(nodes, links);
}

function oursOf(source) {
  const chart = parseD2(source);
  if (!chart.ok) return null;
  const nodes = [...chart.value.nodes.values()].map(({ id, label }) => [idOf(id), labelOf(id, label ?? id)]);
  const links = [...chart.value.exits].flatMap(([from, exits]) =>
    exits.map(({ to, label }) => [idOf(from), idOf(to), tidied(label ?? '')]),
  );
  return answer(nodes, links);
}

const seed = option('--seed', 1);
const count = option('--charts', 2200);
const same = (a, b) => JSON.stringify(a) === JSON.stringify(b);
const agreed = [];
const counts = { same: 0, different: 0, bothRefused: 0, oursRefused: 0, officialRefused: 0 };

async function ask(source, isChart) {
  const official = await officialOf(source);
  const ours = oursOf(source);
  if (same(ours, official)) {
    counts[ours === null ? 'bothRefused' : 'same'] += 1;
    agreed.push({ source, official });
    return;
  }
  const kind = ours === null ? 'oursRefused' : official === null ? 'officialRefused' : 'different';
  counts[kind] += 1;
  if (kind !== 'oursRefused' || isChart) {
    console.log(JSON.stringify({ kind, source, official, ours, fault: parseD2(source).fault }, null, 0));
  } else agreed.push({ source, official, refused: true });
}

for (const source of charts(seed, count)) await ask(source, true);
for (const source of spoiled(seed, Math.floor(count / 4))) await ask(source, false);
console.log(JSON.stringify(counts));

const different = [];
for (const { source, right, why } of DIFFERENT) {
  const [official, ours] = [await officialOf(source), oursOf(source)];
  if (same(official, ours)) console.log(`no longer different: ${JSON.stringify(source)}`);
  different.push({ source, official, ours, right, why });
}
if (process.argv.includes('--freeze')) {
  const lines = (rows) => rows.map((row) => `${JSON.stringify(row)}\n`).join('');
  writeFileSync(new URL('d2-official.jsonl', GOLDEN), lines(agreed));
  writeFileSync(new URL('d2-differences.jsonl', GOLDEN), lines(different));
  console.log(`frozen: ${agreed.length} and ${different.length}`);
}
process.exit(0);
