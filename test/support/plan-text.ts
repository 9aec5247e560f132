/** Plans as plain content, random ones too, and the two ways to write each down. */

import fc from 'fast-check';
import type { PlanFault, PlanWarning } from '../../src/contract/fault.ts';
import type { Plan } from '../../src/contract/plan.ts';
import { gate, type Gated, type GateOptions } from '../../src/graph/gate.ts';
import { parsePlan, type PlanText } from '../../src/graph/parse-plan.ts';

export interface CheckContent {
  readonly run: string;
  readonly once: boolean;
}

export interface NodeContent {
  readonly slug: string;
  readonly title: string;
  readonly spec: string;
  readonly deps: readonly string[];
  readonly scope: readonly string[];
  readonly checks: readonly CheckContent[];
  readonly run: string | null;
  readonly timeout: string | null;
  readonly retries: number;
  readonly onCut: 'rerun' | 'block';
  readonly frozen: readonly string[];
  readonly budget: string | null;
}

export interface PlanContent {
  readonly objective: string;
  readonly checks: readonly CheckContent[];
  readonly workspace: string | null;
  readonly nodes: readonly NodeContent[];
}

/** No model, no panel, no limit: what a plan file meets. */
export const FILE: GateOptions = { source: 'file', hasModel: false, hasPanel: false, budget: null };
export const PLANNER: GateOptions = { source: 'planner', hasModel: true, hasPanel: true, budget: null };

export function gated(text: string, format: PlanText['format'], options: Partial<GateOptions> = {}): Gated {
  const all = { ...FILE, ...options };
  return gate(parsePlan({ text, file: 'plan', source: all.source, format }), all);
}

export function planOf(result: Gated): Plan {
  if (result.ok) return result.plan;
  throw new Error(result.faults.map(({ code, message }) => `${code}: ${message}`).join('\n'));
}

export function faultsOf(result: Gated): readonly PlanFault[] {
  return result.ok ? [] : result.faults;
}

/** Code and slug of each, as one text. */
export function codes(notes: readonly (PlanFault | PlanWarning)[]): readonly string[] {
  return notes.map(({ code, slug }) => (slug === null ? code : `${code} ${slug}`));
}

/** A node that passes, with what a test wants to be different. */
export function node(slug: string, change: Partial<NodeContent> = {}): NodeContent {
  return {
    slug,
    title: `Title of ${slug}`,
    spec: '',
    deps: [],
    scope: [`dir-${slug}`],
    checks: [{ run: `test -e ${slug}`, once: false }],
    run: null,
    timeout: null,
    retries: 0,
    onCut: 'rerun',
    frozen: [],
    budget: null,
    ...change,
  };
}

export function plan(nodes: readonly NodeContent[], change: Partial<PlanContent> = {}): PlanContent {
  return { objective: 'Build it', checks: [], workspace: null, nodes, ...change };
}

export function asJson(content: PlanContent): string {
  return JSON.stringify(content, null, 2);
}

export function asMarkdown(content: PlanContent): string {
  const [heading = '', ...rest] = content.objective.split('\n\n');
  const lines = [`# ${heading}`, ...content.checks.map(checkLine)];
  if (content.workspace !== null) lines.push(`workspace: ${content.workspace}`);
  lines.push('', rest.join('\n\n'), '');
  return [...lines, ...content.nodes.flatMap(nodeLines)].join('\n');
}

function nodeLines(content: NodeContent): readonly string[] {
  const { slug, title, deps, scope, checks, run, timeout, retries, onCut, frozen, budget, spec } = content;
  return [
    `## ${slug}: ${title}`,
    ...(deps.length > 0 ? [`deps: ${deps.join(', ')}`] : []),
    ...(scope.length > 0 ? [`scope: ${scope.join(', ')}`] : []),
    ...checks.map(checkLine),
    ...(run === null ? [] : [`run: ${codeSpanOf(run)}`]),
    ...(timeout === null ? [] : [`timeout: ${timeout}`]),
    ...(retries === 0 ? [] : [`retries: ${retries}`]),
    ...(onCut === 'rerun' ? [] : [`on-cut: ${onCut}`]),
    ...frozen.map((glob) => `frozen: ${glob}`),
    ...(budget === null ? [] : [`budget: ${budget}`]),
    '',
    spec,
    '',
  ];
}

function checkLine({ run, once }: CheckContent): string {
  return `${once ? 'check(once)' : 'check'}: ${codeSpanOf(run)}`;
}

/** As a person writes it: more backticks around than inside, and blanks where it would not work without. */
function codeSpanOf(text: string): string {
  const longest = Math.max(0, ...(text.match(/`+/g) ?? []).map((run) => run.length));
  const ticks = '`'.repeat(longest + 1);
  const pad = text.startsWith('`') || text.endsWith('`') ? ' ' : '';
  return `${ticks}${pad}${text}${pad}${ticks}`;
}

const slugs = fc
  .tuple(
    fc.constantFrom('a', 'B', '7', 'constructor', 'final', 'toString'),
    fc.stringMatching(/^[A-Za-z0-9_-]{0,6}$/),
  )
  .map(([first, rest]) => first + rest);

const words = fc.stringMatching(/^[a-zäß𝄞"'`*_<>&|;:,.#()[\]{}=+!?\\/-]{1,8}$/u);
const phrase = fc.array(words, { minLength: 1, maxLength: 4 }).map((parts) => parts.join(' '));
const title = phrase.filter((text) => !/(?:^| )#+$/.test(text));
const command = phrase.map((text) => `make ${text}`);
const path = fc.stringMatching(/^[a-z]{1,3}(?:\/[a-z]{1,3}){0,2}(?:\/\*\*|\.\*|)$/);
const checks = fc.array(fc.record({ run: command, once: fc.boolean() }), { maxLength: 3 });

const SPECS = [
  '',
  'Plain words.',
  'Two\nlines.',
  'A paragraph.\n\n### Deeper\n\n- a list\n- more',
  '```sh\n## not a node\n# nor a heading\n```',
  '~~~~\n```\n## x: y\n~~~~\nafter',
  '    ## indented code',
  'Setext\n======\n\nMore\n---',
  'parallel-safe with node-b, depends on a',
  '####### seven\n#hash',
  '<!--\n## hidden: Node\n-->\nseen',
];

/** Valid plans of up to eight nodes whose deps point back, in any order of the list. */
export const contents: fc.Arbitrary<PlanContent> = fc
  .uniqueArray(slugs, { minLength: 1, maxLength: 8, selector: (slug) => slug.toLowerCase() })
  .chain((names) =>
    fc.record({
      objective: fc
        .tuple(title, fc.constantFrom('', '\n\nMore about it.\n\n### With a part'))
        .map(([heading, rest]) => heading + rest),
      checks,
      workspace: fc.option(fc.constantFrom('.', '../other', 'sub/dir')),
      nodes: fc
        .tuple(...names.map((slug, i) => randomNode(slug, names.slice(0, i))))
        .chain((nodes) => fc.shuffledSubarray(nodes, { minLength: nodes.length })),
    }),
  );

function randomNode(slug: string, earlier: readonly string[]): fc.Arbitrary<NodeContent> {
  return fc.record({
    slug: fc.constant(slug),
    title,
    spec: fc.constantFrom(...SPECS),
    deps: fc.subarray([...earlier], { maxLength: Math.min(4, earlier.length) }),
    scope: fc.array(path, { maxLength: 2 }),
    checks: checks.map((list) => [{ run: 'test -e x', once: false }, ...list]),
    run: fc.option(command),
    timeout: fc.constantFrom(null, '90s', '10m', '1h30m'),
    retries: fc.nat(10),
    onCut: fc.constantFrom('rerun', 'block'),
    frozen: fc.array(path, { maxLength: 2 }),
    budget: fc.constantFrom(null, '200k', '1.5m'),
  });
}
