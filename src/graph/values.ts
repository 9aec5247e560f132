/** Values that both plan formats write alike: read, or told apart by the fault they make. */

import { parseDuration, parseTokens } from '../contract/amount.ts';
import type { PlanFaultCode } from '../contract/fault.ts';
import type { OnCut } from '../contract/plan.ts';
import { MAX_RETRIES, MAX_TIMEOUT } from './draft.ts';
import { quote } from './notes.ts';

export type Read<T> =
  | { readonly ok: true; readonly value: T }
  | { readonly ok: false; readonly code: PlanFaultCode; readonly message: string };

export function readTimeout(text: string): Read<number> {
  const ms = parseDuration(text);
  if (ms === null || ms <= 0) {
    return bad('parse', `timeout ${quote(text)} is no duration: write it like 90s, 10m or 1h30m`);
  }
  if (ms > MAX_TIMEOUT) return bad('too_long', `timeout ${quote(text)} is over 24h: give at most 24h`);
  return { ok: true, value: ms };
}

export function readRetries(text: string): Read<number> {
  if (!/^\d+$/.test(text)) {
    return bad('parse', `retries ${quote(text)} is no whole number: give 0 to ${MAX_RETRIES}`);
  }
  const value = Number(text);
  if (value > MAX_RETRIES) return bad('too_many', `retries ${quote(text)} is over ${MAX_RETRIES}: give less`);
  return { ok: true, value };
}

export function readBudget(text: string): Read<number> {
  const value = parseTokens(text);
  if (value === null) {
    return bad('parse', `budget ${quote(text)} is no number of tokens: write it like 200k or 1.5m`);
  }
  return { ok: true, value };
}

export function readOnCut(text: string): Read<OnCut> {
  if (text === 'rerun' || text === 'block') return { ok: true, value: text };
  return bad('parse', `on-cut ${quote(text)} is unknown: write rerun (run it again) or block (stop and ask)`);
}

function bad(code: PlanFaultCode, message: string): { ok: false; code: PlanFaultCode; message: string } {
  return { ok: false, code, message };
}
