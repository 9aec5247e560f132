/**
 * What configuration files may say: one schema, and two origins. A workspace's file is repository content, which anybody
 * may have written: it may not say where requests and keys go, nor what holds for commands. A person's own file may.
 */

import { z } from 'zod';
import { parseCost, parseTokens } from '../contract/amount.ts';
import type { Price } from '../contract/budget.ts';
import type { Ceiling } from '../contract/ceiling.ts';
import { findPreset } from '../model/presets.ts';
import { ADDRESS_FORM, isAddress } from './address.ts';

const MOST_SKEPTICS = 5;
const AMOUNT = 'no amount like 2m or 10usd, nor { "tokens": "2m", "cost": "10usd" }';
/** Dollars per million tokens. */
const dollars = z.number().min(0).max(2_500);

const price = z
  .strictObject({ input: dollars, cached: dollars.optional(), output: dollars })
  .transform(({ input, cached = input, output }): Price => {
    const millionths = (amount: number): number => Math.ceil(Number((amount * 1_000_000).toFixed(3)));
    return { input: millionths(input), cached: millionths(cached), output: millionths(output) };
  });

const tokens = parsed(parseTokens, 'no number of tokens like 2m');
const money = parsed(parseCost, 'no amount of money like 10usd');
/** Of all runs together: one amount, or both. */
const ceiling = z
  .union(
    [
      parsed((text): Partial<Ceiling> | null => {
        const [asTokens, asCost] = [parseTokens(text), parseCost(text)];
        return asTokens !== null ? { tokens: asTokens } : asCost !== null ? { cost: asCost } : null;
      }, AMOUNT),
      z
        .strictObject({ tokens: tokens.optional(), cost: money.optional() })
        .refine((both) => Object.values(both).some((amount) => amount !== undefined), AMOUNT),
    ],
    AMOUNT,
  )
  .transform(({ tokens = null, cost = null }): Ceiling => ({ tokens, cost }))
  .optional();

function parsed<T>(parse: (text: string) => T | null, flaw: string) {
  return z.string().transform((text, context): T => {
    const value = parse(text);
    if (value !== null) return value;
    context.addIssue({ code: 'custom', message: flaw });
    return z.NEVER;
  });
}

const skeptics = z.int().min(1).max(MOST_SKEPTICS).optional();
const count = (most: number) => z.int().min(1).max(most).optional();
const model = z.string().min(1).optional();

const all = z.strictObject({
  /** Where the journal and all else of the runs live, inside the workspace. */
  stateDir: z.string().min(1).optional(),
  /** Nodes in flight at once. */
  concurrency: count(64),
  caps: z.strictObject({ rounds: count(100), verifications: count(100), turns: count(1_000) }).optional(),
  panel: z.strictObject({ node: skeptics, final: skeptics }).optional(),
  model,
  verifierModel: model,
  baseUrl: z.string().refine(isAddress, `no address like ${ADDRESS_FORM}`).optional(),
  /** The environment variable of the key; never the key. */
  keyVariable: z
    .string()
    .regex(/^[A-Za-z_]\w*$/, 'no name of a variable')
    .optional(),
  sandbox: z.enum(['auto', 'off', 'required']).optional(),
  allowNet: z.boolean().optional(),
  /** By `preset/model`. */
  prices: z.record(z.string().min(1), price).optional(),
  /** Tokens of input and output together, by `preset/model`: what a local server was started with. */
  windows: z.record(z.string().min(1), z.int().min(4_096).max(10_000_000)).optional(),
  /** A shell command that is told what happens to runs. */
  notify: z.string().min(1).optional(),
  /** Folders of skills: absolute, from the home folder (`~/…`), or from the root of the project. */
  skillDirs: z.array(z.string().min(1)).max(50).optional(),
  /** Tokens that the questions asked in one shell may cost together. */
  questions: tokens.optional(),
  /** Ceilings of all runs together. */
  limits: z.strictObject({ day: ceiling, month: ceiling }).optional(),
});

export type Values = z.infer<typeof all>;

/** `preset/model` of a preset: its address and the variable of its key are ours, and no file of the workspace is run. */
const presetModel = z
  .string()
  .refine(isPresetModel, 'a workspace may name a preset and a model only, like openai/gpt-5')
  .optional();

const workspace = all
  .pick({ stateDir: true, concurrency: true, caps: true, panel: true })
  .extend({ model: presetModel, verifierModel: presetModel });

const person = all.omit({ stateDir: true });

export type ConfigSource = 'workspace' | 'user';

/** Keys that the other origin has to itself. */
export function misplacedKeys(json: unknown, source: ConfigSource): readonly string[] {
  const mine = source === 'workspace' ? workspace : person;
  const isMisplaced = (key: string): boolean => key in all.shape && !(key in mine.shape);
  return typeof json === 'object' && json !== null ? Object.keys(json).filter(isMisplaced) : [];
}

export type Parsed =
  { readonly ok: true; readonly value: Values } | { readonly ok: false; readonly why: string };

export function parseValues(json: unknown, source: ConfigSource): Parsed {
  const result = (source === 'workspace' ? workspace : person).safeParse(json);
  if (result.success) return { ok: true, value: result.data };
  const words = result.error.issues.map(({ path, message }) => `${path.join('.') || 'file'}: ${message}`);
  return { ok: false, why: words.join('; ') };
}

function isPresetModel(name: string): boolean {
  const slash = name.indexOf('/');
  return slash > 0 && slash < name.length - 1 && findPreset(name.slice(0, slash)) !== null;
}
