/** The arguments of a tool call, once the reply has ended. */

import type { JsonObject, ToolCall } from '../contract/model.ts';

/** `cut`: the reply hit a limit. Only arguments that are one whole JSON object may run. */
export function finishCall(text: string, cut: boolean): Pick<ToolCall, 'args' | 'flaw'> {
  if (isObject(text)) return { args: text, flaw: null };
  if (cut) return { args: text, flaw: 'truncated' };
  // Tools without parameters are called with nothing at all by some vendors.
  if (text.trim() === '' || text.trim() === 'null') return { args: '{}', flaw: null };
  return { args: text, flaw: 'not_json' };
}

export function isObject(text: string): boolean {
  return parseObject(text) !== null;
}

export function parseObject(text: string): JsonObject | null {
  // Almost every delta of a long argument is refused here, without a parse.
  if (!text.trimEnd().endsWith('}')) return null;
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as JsonObject)
      : null;
  } catch {
    return null;
  }
}
