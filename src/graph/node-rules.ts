/** The rules that one node must meet by itself, whatever the others are. */

import {
  MAX_CHECKS,
  MAX_COMMAND,
  MAX_SPEC,
  MAX_TITLE,
  type DraftCheck,
  type DraftNode,
  type Placed,
} from './draft.ts';
import { isOver, oneLine, tidy } from './text.ts';
import { fault, quote, warn, type Notes } from './notes.ts';
import { scopeEntry } from './scope.ts';
import { canFail } from './trivial-check.ts';

/** What there is to do and to judge the work. */
export interface Means {
  readonly hasModel: boolean;
  readonly hasPanel: boolean;
}

/** What a fault points at: a node, or the plan (entry and slug null). */
export interface Owner {
  readonly entry: number | null;
  readonly slug: string | null;
  readonly line: number | null;
  readonly name: string;
}

/** Null stands for the plan. Only asked for when there is something to say: plans have thousands of nodes. */
export function ownerOf(node: DraftNode | null): Owner {
  if (!node) return { entry: null, slug: null, line: null, name: 'the plan' };
  const { entry, slug, line } = node;
  return slug === ''
    ? { entry, slug: null, line, name: placeOf(node) }
    : { entry, slug, line, name: quote(slug) };
}

/** A node that cannot be told by its name. */
export function placeOf({ entry, line }: DraftNode): string {
  return line === null ? `nodes[${entry}]` : `the node at line ${line}`;
}

export function nodeRules(notes: Notes, node: DraftNode, means: Means): void {
  textRules(notes, node, means);
  for (const entry of node.scope) pathRule(notes, node, { field: 'scope', entry });
  for (const entry of node.frozen) pathRule(notes, node, { field: 'frozen', entry });
  checkRules(notes, node, node.checks);
  if (node.run) commandRule(notes, node, { name: 'run', command: node.run });
  workRules(notes, node, means);
}

/** True for a node that a model works on: then its spec is all it has. */
export function isModelNode(node: DraftNode, means: Means): boolean {
  return means.hasModel && node.run === null;
}

function textRules(notes: Notes, node: DraftNode, means: Means): void {
  const { slug, unread } = node;
  const title = oneLine(node.title);
  const spec = tidy(node.spec);
  if (title === '' && !unread.includes('title')) {
    const owner = ownerOf(node);
    const message = `${owner.name} has no title: give it one (\`## ${slug || 'slug'}: Title\`, in JSON "title")`;
    fault(notes, 'empty_field', { ...owner, witness: 'title', message });
  }
  if (isModelNode(node, means) && spec === '' && !unread.includes('spec')) {
    const owner = ownerOf(node);
    const message = `${owner.name} has no spec: say what must hold when it is done`;
    fault(notes, 'empty_field', { ...owner, witness: 'spec', message });
  }
  if (isOver(title, MAX_TITLE)) tooLong(notes, node, { field: 'title', cap: MAX_TITLE });
  if (isOver(spec, MAX_SPEC)) tooLong(notes, node, { field: 'spec', cap: MAX_SPEC });
}

function tooLong(notes: Notes, node: DraftNode, of: { field: string; cap: number }): void {
  const owner = ownerOf(node);
  const message = `the ${of.field} of ${owner.name} is over ${of.cap} characters: shorten it`;
  fault(notes, 'too_long', { ...owner, witness: of.field, message });
}

/** Of a node's checks, or, without a node, the plan's. */
export function checkRules(notes: Notes, node: DraftNode | null, checks: readonly DraftCheck[]): void {
  if (checks.length > MAX_CHECKS) {
    const owner = ownerOf(node);
    const message = `${owner.name} has ${checks.length} checks, at most ${MAX_CHECKS} are allowed: join some of them`;
    fault(notes, 'too_many', { ...owner, witness: String(checks.length), message });
  }
  for (const command of checks) commandRule(notes, node, { name: 'check', command });
}

function commandRule(notes: Notes, node: DraftNode | null, of: { name: string; command: Placed }): void {
  const { value, line } = of.command;
  if (value.trim() !== '' && !value.includes('\0') && value.length <= MAX_COMMAND) return;
  const about = { ...ownerOf(node), line };
  if (value.trim() === '') {
    const message = `${about.name} has a ${of.name} without a command: write one, or take it out`;
    fault(notes, 'empty_field', { ...about, witness: of.name, message });
  }
  if (value.includes('\0')) {
    const message = `a ${of.name} of ${about.name} holds a NUL character, which no command can: take it out`;
    fault(notes, 'parse', { ...about, witness: value, message });
  }
  if (isOver(value, MAX_COMMAND)) {
    const message = `a ${of.name} of ${about.name} is over ${MAX_COMMAND} characters: put it into a script`;
    fault(notes, 'too_long', { ...about, witness: of.name, message });
  }
}

function pathRule(notes: Notes, node: DraftNode, of: { field: 'scope' | 'frozen'; entry: Placed }): void {
  const { value, line } = of.entry;
  const read = scopeEntry(value);
  if (read.ok) return;
  const about = { ...ownerOf(node), line, witness: value };
  if (read.why === 'blank') {
    const message = `${about.name} has a blank ${of.field}: name a path, or take it out`;
    fault(notes, 'empty_field', { ...about, message });
    return;
  }
  const why = {
    absolute: 'is no path inside the workspace: write it relative to the workspace',
    parent: 'goes up with `..`: write a path inside the workspace, without `..`',
    nul: 'holds a NUL character: take it out',
  }[read.why];
  fault(notes, 'parse', { ...about, message: `the ${of.field} ${quote(value)} of ${about.name} ${why}` });
}

function workRules(notes: Notes, node: DraftNode, means: Means): void {
  const { unread } = node;
  if (
    node.run === null &&
    node.checks.length === 0 &&
    !means.hasModel &&
    !unread.includes('run') &&
    !unread.includes('checks')
  ) {
    const owner = ownerOf(node);
    const message = `nothing can do ${owner.name}: give it a run or a check (there is no model)`;
    fault(notes, 'no_worker', { ...owner, message });
  }
  if (unread.includes('checks') || node.checks.some(({ value }) => canFail(value))) return;
  const owner = ownerOf(node);
  const [poor] = node.checks;
  const found = poor ? `has only checks that cannot fail (${quote(poor.value)})` : 'has no check';
  if (means.hasPanel) {
    const message = `${owner.name} ${found}, so only the panel's opinion decides: add a check`;
    warn(notes, 'no_checks', { ...owner, message });
  } else {
    const message = `${owner.name} ${found}, so nothing could prove it: add a check whose exit code can be non-zero`;
    fault(notes, 'unverifiable', { ...owner, witness: poor?.value ?? null, message });
  }
}
