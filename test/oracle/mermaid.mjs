/**
 * What the official parser makes of our charts, and what ours makes of them. By hand: `npm install` here,
 * `npm run build` above, then `node mermaid.mjs [--freeze] [--seed N] [--charts N]`. With --freeze the official
 * answers become golden files, which the tests compare ours with.
 *
 * Labels are compared as they are drawn: codes of characters (`#quot;`, `&amp;`) as those characters, `<br>` as an end
 * of line, no blanks around ends of lines. Arrows are compared in their order for each node they leave; `~~~` is none.
 */

import { readFileSync, writeFileSync } from 'node:fs';
import DOMPurify from 'dompurify';
import { parseMermaid } from '../../dist/flow/mermaid.js';
import { charts } from './mermaid-charts.mjs';

// Without a window it has no methods, and what it would take out of a label is not what is asked here.
DOMPurify.addHook = () => {};
DOMPurify.sanitize = (text) => text;
const { default: mermaid } = await import('mermaid');
mermaid.initialize({ securityLevel: 'loose', maxEdges: 100_000, logLevel: 'fatal' });
await mermaid.parse('flowchart TD\nA', { suppressErrors: true });

const GOLDEN = new URL('../golden/flow/', import.meta.url);
const option = (name, otherwise) => {
  const at = process.argv.indexOf(name);
  return at < 0 ? otherwise : Number(process.argv[at + 1]);
};

const NAMES = { quot: '"', amp: '&', lt: '<', gt: '>', nbsp: '\u00a0', apos: "'", semi: ';' };

function drawn(text) {
  return text
    .replace(/ﬂ°°(\d+)¶ß/g, '&#$1;')
    .replace(/ﬂ°(\w+)¶ß/g, '&$1;')
    .replace(/<\/?br\s*\/?>/gi, '\n')
    .replace(/&(?:#(\d+)|(\w+));/g, (whole, number, name) =>
      number === undefined ? (NAMES[name] ?? whole) : String.fromCodePoint(Number(number)),
    )
    .split('\n')
    .map((line) => line.trim())
    .join('\n')
    .trim();
}

/** `{ nodes: [[id, label]], arrows: [[from, [[to, label]]]] }`, or null when the text is refused. */
async function official(text) {
  let db;
  try {
    ({ db } = await mermaid.mermaidAPI.getDiagramFromText(text));
  } catch {
    return null;
  }
  const nodes = [...db.getVertices().values()].map(({ id, text: label }) => [id, drawn(String(label))]);
  const arrows = new Map();
  const add = (from, to, label) => {
    if (!arrows.has(from)) arrows.set(from, []);
    arrows.get(from).push([to, drawn(label) === '' ? null : drawn(label)]);
  };
  for (const { start, end, text: label, stroke, type } of db.getEdges()) {
    if (stroke === 'invisible') continue;
    add(start, end, label);
    // One edge with two heads, there; it can be walked both ways.
    if (type === 'double_arrow_point') add(end, start, label);
  }
  return { nodes, arrows: [...arrows] };
}

function ours(text) {
  const chart = parseMermaid(text);
  if (!chart.ok) return null;
  const nodes = [...chart.value.nodes.values()].map(({ id, label }) => [id, label ?? id]);
  const arrows = [...chart.value.exits].map(([from, exits]) => [
    from,
    exits.map(({ to, label }) => [to, label]),
  ]);
  return { nodes, arrows };
}

/** Whatever the order in which the nodes were first named. */
function key(answer) {
  if (answer === null) return 'refused';
  const byId = (a, b) => (a[0] < b[0] ? -1 : 1);
  return JSON.stringify([answer.nodes.toSorted(byId), answer.arrows.toSorted(byId)]);
}

const frozen = [];
let refused = 0;
let different = 0;
let otherOrder = 0;
for (const source of charts(option('--seed', 1), option('--charts', 2_200))) {
  const answer = await official(source);
  const own = ours(source);
  if (answer === null) refused += 1;
  if (key(answer) !== key(own)) {
    different += 1;
    if (different <= 20) {
      console.log('DIFFERENT', JSON.stringify(source));
      console.log('  official', JSON.stringify(answer));
      console.log('  ours    ', JSON.stringify(own ?? parseMermaid(source).fault));
    }
  } else if (answer !== null && JSON.stringify(answer.nodes) !== JSON.stringify(own.nodes)) otherOrder += 1;
  frozen.push({ source, official: answer });
}
console.log(
  `${frozen.length} charts, ${refused} refused by the official parser, ${different} read differently,`,
);
console.log(`${otherOrder} of the others with their nodes in another order`);

/** Where we differ on purpose: `right` and `why` are written by hand, both answers are not. */
const known = readFileSync(new URL('mermaid-differences.jsonl', GOLDEN), 'utf8')
  .split('\n')
  .filter((line) => line !== '')
  .map((line) => JSON.parse(line));
const differences = [];
for (const { source, right, why } of known) {
  const difference = { source, right, why, official: await official(source), ours: ours(source) };
  if (key(difference.official) === key(difference.ours))
    console.log('NO LONGER DIFFERENT', JSON.stringify(source));
  differences.push(difference);
}
console.log(`${differences.length} known differences`);

if (process.argv.includes('--freeze')) {
  const freeze = (name, entries) =>
    writeFileSync(new URL(name, GOLDEN), entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''));
  freeze('mermaid-official.jsonl', frozen);
  freeze('mermaid-differences.jsonl', differences);
}
process.exitCode = different === 0 ? 0 : 1;
