/**
 * The plan for other tools: Mermaid and DOT. Whatever a title holds is text there: both escape all that their
 * grammar, or the HTML that it may be turned into, could read.
 */

import type { NodeView, RunView } from '../../contract/view.ts';
import type { NodeStatus } from '../../contract/status.ts';
import { FINAL_NODE } from '../../contract/ids.ts';
import { clip, plain } from './text.ts';
import { glyphOf, STATUSES } from './words.ts';

/** Columns of a label; titles and objectives may be longer than a picture can take. */
const MAX_LABEL = 120;

const FILL: Readonly<Record<NodeStatus, { readonly fill: string; readonly stroke: string }>> = {
  achieved: { fill: '#d7f2dc', stroke: '#2e7d32' },
  running: { fill: '#d6ecff', stroke: '#0d6ebd' },
  verifying: { fill: '#e3e6ff', stroke: '#4a55c0' },
  parked: { fill: '#ddf3f0', stroke: '#1f7a70' },
  ready: { fill: '#ffffff', stroke: '#555555' },
  waiting: { fill: '#f2f2f2', stroke: '#999999' },
  failed: { fill: '#fbdada', stroke: '#c62828' },
  blocked: { fill: '#f7d9ea', stroke: '#a3216b' },
  held: { fill: '#fff0c9', stroke: '#a8780a' },
  skipped: { fill: '#ece4f7', stroke: '#6d4bb0' },
};

/** A `flowchart`; the final node hangs on those nodes that nobody else depends on, the others are implied. */
export function toMermaid(view: RunView): string {
  const lines = ['flowchart TD'];
  view.nodes.forEach((node, i) => lines.push(`  n${i}["${mermaidText(labelOf(node))}"]`));
  for (const [from, to] of edgesOf(view.nodes)) lines.push(`  n${from} --> n${to}`);
  for (const status of STATUSES) {
    const members = view.nodes.flatMap((node, i) => (node.status === status ? [`n${i}`] : []));
    if (members.length === 0) continue;
    const { fill, stroke } = FILL[status];
    lines.push(`  classDef ${status} fill:${fill},stroke:${stroke},color:#111111`);
    lines.push(`  class ${members.join(',')} ${status}`);
  }
  return lines.join('\n') + '\n';
}

/** A `digraph` for Graphviz. */
export function toDot(view: RunView): string {
  const lines = [
    'digraph goalgraph {',
    `  label="${dotText(clip(plain(view.objective).trim(), MAX_LABEL))}";`,
    '  node [shape=box, style="rounded,filled", fontname="sans-serif"];',
  ];
  view.nodes.forEach((node, i) => {
    const { fill, stroke } = FILL[node.status];
    lines.push(
      `  n${i} [label="${dotText(labelOf(node))}", class="${node.status}", fillcolor="${fill}", color="${stroke}"];`,
    );
  });
  for (const [from, to] of edgesOf(view.nodes)) lines.push(`  n${from} -> n${to};`);
  return [...lines, '}', ''].join('\n');
}

/** Begins with the glyph, so that no title is taken for a list or a heading. */
function labelOf(node: NodeView): string {
  const slug = plain(node.slug);
  const title = plain(node.title).trim();
  const text = title === '' || title === slug ? slug : `${slug}: ${title}`;
  return clip(`${glyphOf(node.status, { ascii: false })} ${text}`, MAX_LABEL);
}

/**
 * Mermaid looks for directives, comments and entities in the raw text, quotes or no quotes; so everything but letters,
 * digits and blanks goes in as a decimal entity. The four letters are those of which it makes its own entities.
 */
export function mermaidText(text: string): string {
  return text.replace(
    /[^A-Za-z0-9 \u0080-\u{10ffff}]|[\ufb02°¶ß]/gu,
    (sign) => `#${sign.codePointAt(0) ?? 0};`,
  );
}

/** Backslash and quote are DOT's, `&` begins an entity in its labels. */
export function dotText(text: string): string {
  return text.replaceAll('\\', '\\\\').replaceAll('"', '\\"').replaceAll('&', '&amp;');
}

/** Pairs of indexes, by the later node. */
function edgesOf(nodes: readonly NodeView[]): readonly (readonly [number, number])[] {
  const index = new Map(nodes.map((node, i) => [node.id, i]));
  const wanted = new Set(nodes.filter((node) => node.id !== FINAL_NODE).flatMap((node) => node.deps));
  return nodes.flatMap((node, to) => {
    const isFinal = node.id === FINAL_NODE;
    const deps = isFinal ? node.deps.filter((dep) => !wanted.has(dep)) : node.deps;
    return deps.map((dep) => [index.get(dep) ?? -1, to] as const).filter(([from]) => from >= 0);
  });
}
