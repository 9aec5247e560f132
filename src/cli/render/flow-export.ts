/** A flow for other tools: Mermaid and DOT. Whatever a label holds is text there. */

import type { FlowStepView, FlowView } from '../../contract/view.ts';
import { dotText, mermaidText } from './export.ts';
import { plain } from './text.ts';

/** Shapes are for the eye: the label alone says what is begin and end. */
const SHAPES: Readonly<Record<FlowStepView['kind'], readonly [string, string]>> = {
  begin: ['([', '])'],
  end: ['([', '])'],
  task: ['[', ']'],
  decision: ['{', '}'],
};

/** Read again it is the same flow, but for the ids. The step it is at is marked. */
export function flowMermaid({ steps, at }: FlowView): string {
  const index = new Map(steps.map(({ id }, i) => [id, i]));
  const lines = ['flowchart TD'];
  steps.forEach(({ label, kind }, i) => {
    const [open, close] = SHAPES[kind];
    lines.push(`  n${i}${open}"${mermaidText(label)}"${close}`);
  });
  steps.forEach(({ exits }, i) => {
    for (const { to, label } of exits) {
      const text = label === null ? '' : `|"${mermaidText(label)}"|`;
      lines.push(`  n${i} -->${text} n${index.get(to) ?? 0}`);
    }
  });
  const here = at === null ? undefined : index.get(at);
  if (here !== undefined)
    lines.push('  classDef here fill:#d6ecff,stroke:#0d6ebd,color:#111111', `  class n${here} here`);
  return `${lines.join('\n')}\n`;
}

export function flowDot({ name, steps, at }: FlowView): string {
  const index = new Map(steps.map(({ id }, i) => [id, i]));
  const lines = [
    'digraph flow {',
    `  label="${dotText(plain(name))}";`,
    '  node [shape=box, style="rounded,filled", fillcolor="#ffffff", fontname="sans-serif"];',
  ];
  steps.forEach(({ id, label, kind }, i) => {
    const shape = kind === 'decision' ? ', shape=diamond, style=filled' : '';
    const here = id === at ? ', fillcolor="#d6ecff"' : '';
    lines.push(`  n${i} [label="${dotText(plain(label))}"${shape}${here}];`);
  });
  steps.forEach(({ exits }, i) => {
    for (const { to, label } of exits) {
      const text = label === null ? '' : ` [label="${dotText(plain(label))}"]`;
      lines.push(`  n${i} -> n${index.get(to) ?? 0}${text};`);
    }
  });
  return [...lines, '}', ''].join('\n');
}
