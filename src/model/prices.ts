/**
 * What a model costs, by the name that the user gives it: a person's own prices first, then the table of a package,
 * which is data and asks no network. The table takes a while to load: import this file when a price is needed.
 *
 * A price is an upper bound: of prices that change with the hour or the length of a request, the highest that can come.
 */

import { calcPrice } from '@pydantic/genai-prices';
import type { ModelPrice } from '@pydantic/genai-prices';
import type { Price } from '../contract/budget.ts';
import { findPreset, traitsOf } from './presets.ts';

/** Names of the table for our presets. A preset that is not here has no price of its own. */
const PROVIDERS: Readonly<Record<string, string>> = {
  openai: 'openai',
  moonshot: 'moonshotai',
  deepseek: 'deepseek',
  openrouter: 'openrouter',
  groq: 'groq',
  mistral: 'mistral',
  gemini: 'google',
  anthropic: 'anthropic',
};

const FREE: Price = { input: 0, cached: 0, output: 0 };
const HIGHEST = 2_500_000_000;
const HOUR = 3_600_000;

/** Null when nobody knows. `overrides`: by the same names. `now`: milliseconds since the epoch, for prices that begin some day. */
export function priceOf(
  name: string,
  overrides: Readonly<Record<string, Price>>,
  now: number = Date.now(),
): Price | null {
  const own = Object.hasOwn(overrides, name) ? overrides[name] : undefined;
  if (own !== undefined) return own;
  if (name.startsWith('scripted:')) return FREE;
  const slash = name.indexOf('/');
  const preset = slash < 0 ? null : findPreset(name.slice(0, slash));
  if (preset === null) return null;
  if (preset.keyVariable === null) return FREE;
  const provider = PROVIDERS[preset.name];
  const model = name.slice(slash + 1).replace(/^models\//, '');
  if (provider === undefined || model === '') return null;
  const { window } = traitsOf(preset, model);
  const prices = hoursFrom(now).map((time) => priceAt({ provider, model, window, time }));
  return prices.reduce(higher);
}

/** Some are cheaper at night. */
function hoursFrom(now: number): readonly number[] {
  return Array.from({ length: 24 }, (_, i) => now + i * HOUR);
}

interface Asked {
  readonly provider: string;
  readonly model: string;
  /** Tokens; no request is longer. */
  readonly window: number;
  readonly time: number;
}

function priceAt({ provider, model, window, time }: Asked): Price | null {
  const found = calcPrice({ input_tokens: 0 }, model, { providerId: provider, timestamp: new Date(time) });
  if (found === null) return null;
  const { input_mtok, cache_read_mtok, output_mtok, requests_kcount } = found.model_price;
  const input = millionths(input_mtok, window);
  const output = millionths(output_mtok, window);
  // What is paid by the request is no price of tokens.
  if (input === null || output === null || requests_kcount !== undefined) return null;
  const cached = millionths(cache_read_mtok, window) ?? input;
  return Math.max(input, cached, output) > HIGHEST ? null : { input, cached, output };
}

/** From dollars; the highest of the prices for long requests that a window allows. */
function millionths(price: ModelPrice[string], window: number): number | null {
  if (price === undefined) return null;
  const tiers = typeof price === 'number' ? [] : price.tiers.filter(({ start }) => start < window);
  const base = typeof price === 'number' ? price : price.base;
  const dollars = Math.max(base, ...tiers.map((tier) => tier.price));
  // Half a millionth more than it is costs nobody anything; less would be no bound.
  return Math.ceil(Number((dollars * 1_000_000).toFixed(3)));
}

function higher(a: Price | null, b: Price | null): Price | null {
  if (a === null || b === null) return null;
  return {
    input: Math.max(a.input, b.input),
    cached: Math.max(a.cached, b.cached),
    output: Math.max(a.output, b.output),
  };
}
