/** Single fields of a plan in JSON: each has the type it must have, or a fault that names it. */

import type { DraftCheck, DraftField, Placed } from './draft.ts';
import { nameOf, spoilt, type Spot } from './draft-parts.ts';
import { isObject, kindOf, type JsonObject } from './json-text.ts';
import { meantKey } from './markdown-keys.ts';
import { nearest } from './nearest.ts';
import { quote, warn } from './notes.ts';

export const PLAN_KEYS: readonly string[] = ['objective', 'checks', 'workspace', 'budget', 'nodes'];
export const NODE_KEYS: readonly string[] = [
  'slug',
  'id',
  'title',
  'spec',
  'deps',
  'scope',
  'checks',
  'run',
  'timeout',
  'retries',
  'onCut',
  'on-cut',
  'frozen',
  'budget',
];
const CHECK_KEYS: readonly string[] = ['run', 'once'];

/** A single value as text; null when it is not there, or has a fault now. */
export function scalar(
  spot: Spot,
  raw: JsonObject,
  wanted: { key: string; field: DraftField; kinds: 'text' | 'number' | 'both'; like: string },
): string | null {
  const value = raw[wanted.key] ?? null;
  if (value === null) return null;
  const { kinds } = wanted;
  if (typeof value === 'string' && kinds !== 'number') return value;
  if (typeof value === 'number' && kinds !== 'text') return String(value);
  const message = `"${wanted.key}" is ${kindOf(value)}: write it like ${wanted.like}, or leave it out`;
  spoilt(spot, wanted.field, { witness: kindOf(value), message });
  return null;
}

/** Null counts as absent: models write it for "nothing". None of our keys is one that every object inherits. */
export function has(raw: JsonObject, key: string): boolean {
  return (raw[key] ?? null) !== null;
}

/** A text, empty when it is not there or has a fault now. */
export function textField(spot: Spot, raw: JsonObject, key: DraftField | 'id'): string {
  return placedField(spot, raw, key)?.value ?? '';
}

export function placedField(spot: Spot, raw: JsonObject, key: DraftField | 'id'): Placed | null {
  const value = raw[key] ?? null;
  if (value === null) return null;
  if (typeof value === 'string') return { value, line: spot.line };
  const message = `"${key}" is ${kindOf(value)}: make it a text`;
  spoilt(spot, key === 'id' ? 'slug' : key, { witness: kindOf(value), message });
  return null;
}

function itemsField(spot: Spot, raw: JsonObject, field: DraftField): readonly unknown[] {
  const value = raw[field] ?? [];
  if (Array.isArray(value)) return value as readonly unknown[];
  const like = field === 'checks' ? '[{"run": "npm test"}]' : '["…"]';
  spoilt(spot, field, {
    witness: kindOf(value),
    message: `"${field}" is ${kindOf(value)}: make it a list, ${like}`,
  });
  return [];
}

/** Adds the texts of a list to `into`. */
export function readList(
  into: Placed[],
  spot: Spot,
  from: { readonly raw: JsonObject; readonly field: 'deps' | 'scope' | 'frozen' },
): void {
  const { raw, field } = from;
  itemsField(spot, raw, field).forEach((value, i) => {
    if (typeof value === 'string') into.push({ value, line: spot.line });
    else {
      const message = `${field}[${i}] is ${kindOf(value)}: make it a text, or take it out`;
      spoilt(spot, field, { witness: kindOf(value), message });
    }
  });
}

/** Adds the checks to `into`. */
export function readChecks(into: DraftCheck[], spot: Spot, raw: JsonObject): void {
  itemsField(spot, raw, 'checks').forEach((value, i) => {
    const name = `checks[${i}]`;
    if (!isObject(value)) {
      const message = `${name} is ${kindOf(value)}: write it as {"run": "npm test"}`;
      spoilt(spot, 'checks', { witness: kindOf(value), message });
      return;
    }
    const { run } = value;
    const once = value['once'] ?? false;
    if (typeof run !== 'string' || typeof once !== 'boolean') {
      const bad = typeof run === 'string' ? `"once" that is ${kindOf(once)}` : `"run" that is ${kindOf(run)}`;
      const message = `${name} has a ${bad}: write it as {"run": "npm test"} or {"run": "npm test", "once": true}`;
      spoilt(spot, 'checks', { witness: name, message });
      return;
    }
    warnOfKeys(spot, value, CHECK_KEYS);
    into.push({ value: run, line: spot.line, once });
  });
}

/** Keys that mean nothing here are ignored, but never in silence. */
export function warnOfKeys(spot: Spot, raw: JsonObject, known: readonly string[]): void {
  const { notes, entry, slug, line } = spot;
  for (const key of Object.keys(raw)) {
    if (known.includes(key)) continue;
    const meant = nearest(key, known) ?? inJson(meantKey(key), known);
    const found = `${nameOf(spot)}: ${quote(key)} is no key and is ignored`;
    const message = meant === null ? `${found}: take it out` : `${found}: if it is meant, write "${meant}"`;
    warn(notes, meant === null ? 'unknown_key' : 'near_miss_key', { entry, slug, line, message });
  }
}

function inJson(key: string | null, known: readonly string[]): string | null {
  if (key === null) return null;
  const name = key.startsWith('check') ? 'checks' : key;
  return known.includes(name) ? name : null;
}
