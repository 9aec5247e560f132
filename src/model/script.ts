/** What a script for the scripted model is: YAML, one step a turn. Read whole and checked before anything runs. */

import { parseDocument } from 'yaml';
import { z } from 'zod';
import { fail, ok } from '../contract/fault.ts';
import type { Result } from '../contract/fault.ts';
import type { TurnKey } from '../contract/model.ts';
import { readTextFile } from '../os/text-file.ts';

const MAX_BYTES = 4 * 1024 * 1024;

const count = z.number().int().min(0);

/** A failure by its code, as a provider would give it. */
const failure = z.discriminatedUnion('code', [
  z.strictObject({
    code: z.literal('quota'),
    resetAt: count.nullable().default(null),
    message: z.string().optional(),
  }),
  z.strictObject({
    code: z.enum(['rate', 'server']),
    retryAfter: count.nullable().default(null),
    message: z.string().optional(),
  }),
  z.strictObject({
    code: z.enum([
      'auth',
      'not_found',
      'context_length',
      'no_tools',
      'bad_request',
      'network',
      'cut',
      'idle',
      'aborted',
      'protocol',
      'refused',
    ]),
    message: z.string().optional(),
  }),
]);

const call = z.strictObject({
  name: z.string().min(1),
  /** An object; or a text, sent as it stands, to show what a bad call does. */
  args: z.union([z.record(z.string(), z.json()), z.string()]).default({}),
});

const usage = z.strictObject({
  input: count,
  cached: count.default(0),
  output: count,
  reasoning: count.default(0),
});

const step = z.strictObject({
  role: z.string().min(1),
  node: z.string().default(''),
  round: count.min(1).default(1),
  turn: count.min(1).default(1),
  seat: count.min(1).default(1),
  text: z.string().default(''),
  reasoning: z.string().nullable().default(null),
  calls: z.array(call).default([]),
  finish: z.enum(['stop', 'length', 'filter']).default('stop'),
  /** Without it tokens are counted from the bytes; null is a provider that does not report. */
  usage: usage.nullable().optional(),
  /** The first requests of this turn end like this, one each; the next one gets the reply. */
  fails: z.array(failure).default([]),
  /** Every request of this turn ends like this. */
  fail: failure.optional(),
});

const script = z.strictObject({ steps: z.array(step).min(1) });

export type Script = z.infer<typeof script>;
export type ScriptStep = Script['steps'][number];
export type ScriptFailure = z.infer<typeof failure>;

export async function readScript(path: string): Promise<Result<Script>> {
  const text = await readTextFile(path, MAX_BYTES);
  return text.ok ? parseScript(path, text.value) : text;
}

/** `name` is what messages call the file. */
export function parseScript(name: string, text: string): Result<Script> {
  // A script has no use for aliases, and without them it cannot blow up.
  const document = parseDocument(text, { uniqueKeys: true });
  const flaw = document.errors[0];
  if (flaw !== undefined) return bad(`${name} is not YAML: ${flaw.message.trimEnd()}`);
  const parsed = script.safeParse(toJson(document));
  if (!parsed.success) return bad(`${name}: ${explain(parsed.error)}`);
  const twice = repeated(parsed.data.steps);
  if (twice !== null) return bad(`${name} has two steps for ${showKey(twice)}. Remove one or number it.`);
  return ok(parsed.data);
}

export function keyText(key: TurnKey): string {
  return JSON.stringify([key.role, key.node, key.round, key.turn, key.seat]);
}

/** As a person reads it in a fault. */
export function showKey(key: TurnKey): string {
  const node = key.node === '' ? '' : `node: ${key.node}, `;
  return `{role: ${key.role}, ${node}round: ${key.round}, turn: ${key.turn}, seat: ${key.seat}}`;
}

function toJson(document: ReturnType<typeof parseDocument>): unknown {
  try {
    return document.toJS({ maxAliasCount: 0 });
  } catch (error) {
    return error instanceof Error ? error.message : null;
  }
}

function repeated(steps: readonly ScriptStep[]): ScriptStep | null {
  const seen = new Set<string>();
  for (const step of steps) {
    const key = keyText(step);
    if (seen.has(key)) return step;
    seen.add(key);
  }
  return null;
}

function explain(error: z.ZodError): string {
  const issue = error.issues[0];
  if (issue === undefined) return 'not a script.';
  const place = issue.path.map(String).join('.');
  return `${place === '' ? '' : `at ${place}: `}${issue.message}. Correct the script.`;
}

function bad(message: string): Result<never> {
  return fail({ code: 'usage', message });
}
