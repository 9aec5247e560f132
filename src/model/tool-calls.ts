/**
 * Puts tool calls together from their deltas. By the book each has an index, and only the first of an index has an
 * id. In the wild the index is missing, the same for all, or repeated with a new id; ids are repeated in every delta,
 * empty, or missing. What is told apart here must never be glued together, and nothing may be dropped.
 */

import type { JsonObject, ToolCall } from '../contract/model.ts';
import { finishCall, isObject } from './tool-args.ts';
import { textSink } from './text-sink.ts';
import type { TextSink } from './text-sink.ts';
import type { CallDelta } from './wire-chunk.ts';

export interface CallAssembler {
  /** Names of the calls that this delta has begun. */
  add(delta: CallDelta): readonly string[];
  /** Room taken so far, in characters; a call takes some of its own, so that endless empty ones are noticed. */
  size(): number;
  /** In the order in which they began. `cut`: the reply hit a limit. */
  finish(cut: boolean): readonly ToolCall[];
}

interface OpenCall {
  readonly id: string;
  readonly index: number | null;
  name: string;
  announced: boolean;
  readonly args: TextSink;
  extra: JsonObject | null;
}

const CALL_ROOM = 8 * 1024;

export function assembleCalls(): CallAssembler {
  const calls: OpenCall[] = [];
  let size = 0;

  function open(delta: CallDelta): OpenCall {
    const call: OpenCall = {
      id: delta.id ?? '',
      index: delta.index ?? null,
      name: '',
      announced: false,
      args: textSink(),
      extra: null,
    };
    calls.push(call);
    size += CALL_ROOM;
    return call;
  }

  return {
    add(delta) {
      const call = findCall(calls, delta) ?? open(delta);
      const name = delta.function?.name ?? '';
      // Some send the whole name again with each delta.
      if (name !== call.name && call.args.length() === 0) call.name += name;
      const args = delta.function?.arguments ?? '';
      size += name.length + args.length;
      call.args.add(args);
      call.extra = delta.extra_content ?? call.extra;
      if (call.announced || call.name === '') return [];
      call.announced = true;
      return [call.name];
    },
    size: () => size,
    finish(cut) {
      const taken = new Set<string>();
      return calls.map(({ id, name, args, extra }, at) => {
        const own = id === '' || taken.has(id) ? freeId(at, taken) : id;
        taken.add(own);
        return { id: own, name, ...finishCall(args.text(), cut), extra };
      });
    },
  };
}

/** The call that a delta goes on with; null when it begins one. */
function findCall(calls: readonly OpenCall[], delta: CallDelta): OpenCall | null {
  const index = delta.index ?? null;
  const latest = (index === null ? calls : calls.filter((call) => call.index === index)).at(-1) ?? null;
  if (delta.id !== undefined && delta.id !== null && delta.id !== '') {
    // Same index, another id: another call (F-161). No index: the id alone decides (F-163).
    if (latest?.id === delta.id) return latest;
    return index === null ? (calls.findLast(({ id }) => id === delta.id) ?? null) : null;
  }
  if (latest === null) return index === null || beginsCall(delta) ? null : orphan(calls);
  return beginsCall(delta) && isWhole(latest) ? null : latest;
}

function beginsCall(delta: CallDelta): boolean {
  return (delta.function?.name ?? '') !== '';
}

/** Nothing can follow the last brace of its arguments. */
function isWhole(call: OpenCall): boolean {
  return call.args.length() > 0 && isObject(call.args.text());
}

/** Arguments for an index nobody has begun belong to a call that came without one; else they begin a nameless one. */
function orphan(calls: readonly OpenCall[]): OpenCall | null {
  const last = calls.at(-1);
  return last?.index === null ? last : null;
}

/** Nine letters and digits: the strictest vendor's form. */
function freeId(at: number, taken: ReadonlySet<string>): string {
  for (let n = at; ; n++) {
    const id = `call${String(n).padStart(5, '0')}`;
    if (!taken.has(id)) return id;
  }
}
