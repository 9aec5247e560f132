/** A plan as JSON: a plan file, or the answer of a model. */

import type { Draft, DraftCheck, DraftNode, PlanSource } from './draft.ts';
import {
  newNode,
  planSpot,
  spoilt,
  taken,
  tooManyNodes,
  unreadable,
  type NodeInMaking,
  type Spot,
} from './draft-parts.ts';
import {
  readChecks,
  has,
  readList,
  NODE_KEYS,
  PLAN_KEYS,
  placedField,
  scalar,
  textField,
  warnOfKeys,
} from './json-fields.ts';
import { entryLines, isObject, kindOf, readJson, type JsonObject } from './json-text.ts';
import { fault, newNotes, quote, warn, type Notes } from './notes.ts';
import { readBudget, readOnCut, readRetries, readTimeout } from './values.ts';

export function parseJson(text: string, file: string, source: PlanSource): Draft {
  const notes = newNotes(file);
  const plain = text.replace(/^\uFEFF/, '');
  const json = readJson(plain, source);
  if (!json.ok) {
    const { line, witness, message } = json;
    fault(notes, 'parse', { line: source === 'file' ? line : null, witness, message });
    return unreadable(notes);
  }
  const { object } = json;
  const spot = planSpot(notes);
  const entries = object['nodes'] ?? [];
  if (!Array.isArray(entries)) {
    const message = `"nodes" is ${kindOf(entries)}: make it a list, [ {"slug": …}, … ]`;
    fault(notes, 'parse', { witness: kindOf(entries), message });
    return unreadable(notes);
  }
  if (tooManyNodes(notes, entries.length, source)) return unreadable(notes);
  warnOfKeys(spot, object, PLAN_KEYS);
  if (has(object, 'budget')) {
    const message = 'the budget of a run is no part of its plan and is ignored here: give it with --budget';
    warn(notes, 'ignored_key', { message });
  }
  const checks: DraftCheck[] = [];
  readChecks(checks, spot, object);
  const lines = source === 'file' ? entryLines(plain) : [];
  return {
    file,
    objective: textField(spot, object, 'objective'),
    checks,
    workspace: placedField(spot, object, 'workspace'),
    nodes: entries.flatMap((raw: unknown, entry) => {
      return readEntry(notes, raw, newNode(entry, lines[entry] ?? null)) ?? [];
    }),
    unread: spot.unread,
    unreadable: false,
    faults: notes.faults,
    warnings: notes.warnings,
  };
}

function readEntry(notes: Notes, raw: unknown, node: NodeInMaking): DraftNode | null {
  const { entry, line, unread } = node;
  const spot: Spot = { notes, entry, slug: null, line, label: `nodes[${entry}]`, unread };
  if (!isObject(raw)) {
    spoilt(spot, 'slug', {
      witness: kindOf(raw),
      message: `it is ${kindOf(raw)}: make it an object, {"slug": …, "title": …, "spec": …}, or take it out`,
    });
    return null;
  }
  node.slug = slugOf(spot, raw);
  if (node.slug !== '') spot.slug = node.slug;
  warnOfKeys(spot, raw, NODE_KEYS);
  node.title = textField(spot, raw, 'title');
  node.spec = textField(spot, raw, 'spec');
  for (const field of ['deps', 'scope', 'frozen'] as const) readList(node[field], spot, { raw, field });
  readChecks(node.checks, spot, raw);
  node.run = placedField(spot, raw, 'run');
  readAmounts(node, spot, raw);
  return node;
}

/** `id` is another name for `slug`. */
function slugOf(at: Spot, raw: JsonObject): string {
  if (!has(raw, 'slug')) return textField(at, raw, 'id');
  const slug = textField(at, raw, 'slug');
  if (has(raw, 'id') && raw['id'] !== raw['slug']) {
    const message = `"slug" is ${quote(slug)} but "id", which means the same, is not: leave one of them`;
    spoilt(at, 'slug', { witness: 'id', message });
  }
  return slug;
}

function readAmounts(node: NodeInMaking, spot: Spot, raw: JsonObject): void {
  const timeout = scalar(spot, raw, { key: 'timeout', field: 'timeout', kinds: 'text', like: '"10m"' });
  if (timeout !== null) {
    const read = readTimeout(timeout);
    node.timeout = taken<number | null>(spot, 'timeout', { text: timeout, read, otherwise: null });
  }
  const retries = scalar(spot, raw, { key: 'retries', field: 'retries', kinds: 'number', like: '2' });
  if (retries !== null) {
    node.retries = taken(spot, 'retries', { text: retries, read: readRetries(retries), otherwise: 0 });
  }
  const budget = scalar(spot, raw, {
    key: 'budget',
    field: 'budget',
    kinds: 'both',
    like: '200000 or "200k"',
  });
  if (budget !== null) {
    const read = readBudget(budget);
    node.budget = taken<number | null>(spot, 'budget', { text: budget, read, otherwise: null });
  }
  const key = has(raw, 'on-cut') ? 'on-cut' : 'onCut';
  const onCut = scalar(spot, raw, { key, field: 'onCut', kinds: 'text', like: '"rerun" or "block"' });
  if (onCut !== null) {
    node.onCut = taken(spot, 'onCut', { text: onCut, read: readOnCut(onCut), otherwise: 'block' });
  }
}
