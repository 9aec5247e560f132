import { expect, it } from 'vitest';
import { PRESETS } from '../../src/model/presets.ts';
import { priceOf } from '../../src/model/prices.ts';

const NOW = Date.UTC(2026, 0, 15, 12);
const DOLLAR = 1_000_000;

it('knows a model of each provider, in millionths of a dollar per million tokens', () => {
  expect(priceOf('openai/gpt-4o', {}, NOW)).toEqual({
    input: 2.5 * DOLLAR,
    cached: 1.25 * DOLLAR,
    output: 10 * DOLLAR,
  });
  const named = [
    'moonshot/kimi-k2-thinking',
    'deepseek/deepseek-chat',
    'openrouter/anthropic/claude-sonnet-4',
    'groq/openai/gpt-oss-120b',
    'mistral/mistral-large-latest',
    'gemini/gemini-2.5-pro',
    'anthropic/claude-sonnet-4-5',
  ];
  for (const name of named) {
    const price = priceOf(name, {}, NOW);
    if (price === null) throw new Error(`no price for ${name}`);
    expect(Object.values(price).every((one) => Number.isSafeInteger(one) && one > 0)).toBe(true);
    expect(price.cached).toBeLessThanOrEqual(price.input);
  }
});

it('takes the price of long requests for a model whose window allows them', () => {
  expect(priceOf('gemini/models/gemini-2.5-pro', {}, NOW)?.input).toBe(2.5 * DOLLAR);
  expect(priceOf('anthropic/claude-sonnet-4-5', {}, NOW)?.input).toBe(3 * DOLLAR);
});

it('takes the highest price of the day, whatever the hour', () => {
  const hours = Array.from({ length: 24 }, (_, i) =>
    priceOf('deepseek/deepseek-chat', {}, NOW + i * 3_600_000),
  );
  expect(new Set(hours.map((price) => price?.input)).size).toBe(1);
});

it('knows that local servers and scripts cost nothing', () => {
  const free = { input: 0, cached: 0, output: 0 };
  for (const name of ['ollama/qwen3', 'llamacpp/any', 'vllm/any', 'scripted:/tmp/script.json']) {
    expect(priceOf(name, {}, NOW)).toEqual(free);
  }
});

it('says so when it knows none', () => {
  for (const name of ['openai/no-such-model', 'openai/', 'nobody/gpt-4o', 'gpt-4o', '']) {
    expect(priceOf(name, {}, NOW)).toBe(null);
  }
});

it("lets a person's own price go first, also for a server of one's own", () => {
  const mine = { input: 1, cached: 2, output: 3 };
  const overrides = { 'openai/gpt-4o': mine, 'ollama/qwen3': mine, 'house-model': mine };
  for (const name of Object.keys(overrides)) expect(priceOf(name, overrides, NOW)).toEqual(mine);
  expect(priceOf('toString', {}, NOW)).toBe(null);
});

it('has a provider of the table for every preset that wants a key', () => {
  const asked = PRESETS.filter(({ keyVariable }) => keyVariable !== null).map(({ name }) => name);
  const known = ['openai', 'moonshot', 'deepseek', 'openrouter', 'groq', 'mistral', 'gemini', 'anthropic'];
  expect(asked.sort()).toEqual(known.sort());
});
