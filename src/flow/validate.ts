/** From a chart to a flow, or why nobody could follow it. */

import { fail, ok, type Result } from '../contract/fault.ts';
import { oneLineLabel } from '../contract/flow.ts';
import type { Flow, FlowExit, FlowInvalid, FlowNode, FlowNodeKind } from '../contract/flow.ts';
import type { Chart } from './chart.ts';

export function validate(chart: Chart): Result<Flow, FlowInvalid> {
  const placed = (flaw: Flaw) => fail(invalid(chart, flaw));
  const nodes = [...chart.nodes.values()].map(({ id, label }) => {
    const exits = chart.exits.get(id) ?? [];
    return { id, label: label ?? id, kind: kindOf(label ?? id, exits), exits };
  });
  const begin = theOnly('begin', nodes);
  if (!begin.ok) return placed(begin.fault);
  const end = theOnly('end', nodes);
  if (!end.ok) return placed(end.fault);
  const flow: Flow = { nodes, begin: begin.value, end: end.value };
  const found = flawOf(flow);
  return found === null ? ok(flow) : placed(found);
}

/** The label alone makes a begin or an end; shapes are ornament. */
function kindOf(label: string, exits: readonly FlowExit[]): FlowNodeKind {
  const word = label.trim().toLowerCase();
  if (word === 'begin' || word === 'end') return word;
  return exits.length > 1 ? 'decision' : 'task';
}

function theOnly(kind: 'begin' | 'end', nodes: readonly FlowNode[]): Result<string, Flaw> {
  const found = nodes.filter((node) => node.kind === kind);
  const [only] = found;
  if (only !== undefined && found.length === 1) return ok(only.id);
  const name = kind.toUpperCase();
  const message =
    only === undefined
      ? `There is no ${name} node: one node must have ${name} as its label.`
      : `There are ${found.length} ${name} nodes (${found.map(({ id }) => id).join(', ')}): keep one of them.`;
  return fail({ node: found[1]?.id ?? null, message });
}

function flawOf(flow: Flow): Flaw | null {
  const byId = new Map(flow.nodes.map((node) => [node.id, node]));
  const reached = reach(flow.begin, (id) =>
    id === flow.end ? [] : (byId.get(id)?.exits ?? []).map(({ to }) => to),
  );
  const walked = flow.nodes.filter(({ id }) => reached.has(id));
  for (const node of walked) {
    const found = node.id === flow.end ? null : flawOfExits(node);
    if (found !== null) return found;
  }
  if (!reached.has(flow.end))
    return flaw(flow.begin, 'No way leads from BEGIN to END. Draw the missing arrows.');
  const sources = new Map<string, string[]>();
  for (const { id, exits } of walked) {
    if (id === flow.end) continue;
    for (const { to } of exits) {
      const known = sources.get(to);
      if (known) known.push(id);
      else sources.set(to, [id]);
    }
  }
  const ending = reach(flow.end, (id) => sources.get(id) ?? []);
  const stuck = walked.find(({ id }) => !ending.has(id));
  if (stuck === undefined) return null;
  const why = stuck.exits.length === 0 ? 'has no exit' : 'has no way that leads to END';
  return flaw(stuck.id, `The node "${stuck.id}" ${why}. Draw an arrow onwards, or take the node out.`);
}

/** BEGIN takes its only exit by itself; where there is a choice, every exit needs a name of its own. */
function flawOfExits({ id, kind, exits }: FlowNode): Flaw | null {
  if (kind === 'begin' && exits.length > 1) {
    return flaw(
      id,
      'BEGIN has more than one exit, and nobody chooses there. Let it lead to a node that decides.',
    );
  }
  if (exits.length < 2) return null;
  if (exits.some(({ label }) => label !== null && isUnsayable(label))) {
    const message = `The node "${id}" decides, and the label of an exit is longer than ${MOST_LABEL} characters, or holds a choice tag. Shorten it.`;
    return flaw(id, message);
  }
  if (exits.some(({ label }) => label === null)) {
    return flaw(
      id,
      `The node "${id}" decides, and one of its exits has no label. Write a label on every one.`,
    );
  }
  const seen = new Set<string>();
  for (const { label } of exits) {
    if (label === null) continue;
    // What is only broken into lines in another way cannot be told apart when it is chosen.
    const name = oneLineLabel(label);
    if (seen.has(name))
      return flaw(id, `The node "${id}" has two exits labelled ${JSON.stringify(label)}. Tell them apart.`);
    seen.add(name);
  }
  return null;
}

/** An agent says the label of the exit that it takes, between tags. */
const MOST_LABEL = 500;

function isUnsayable(label: string): boolean {
  return label.length > MOST_LABEL || label.includes('<choice>') || label.includes('</choice>');
}

/** Everything that can be come to from `start`, itself included. */
function reach(start: string, next: (id: string) => readonly string[]): ReadonlySet<string> {
  const seen = new Set([start]);
  for (const id of seen) {
    for (const to of next(id)) seen.add(to);
  }
  return seen;
}

type Flaw = Pick<FlowInvalid, 'node' | 'message'>;

function flaw(node: string, message: string): Flaw {
  return { node, message };
}

function invalid(chart: Chart, { node, message }: Flaw): FlowInvalid {
  const at = node === null ? undefined : chart.nodes.get(node)?.at;
  return { code: 'flow_invalid', node, line: at?.line ?? null, column: at?.column ?? null, message };
}
