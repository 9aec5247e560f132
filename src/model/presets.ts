/**
 * The catalogue: providers by name, as data. Windows are what a vendor documents for a family of models; an unknown
 * model gets a small one, which costs a compaction more and never a refused request.
 */

import { PLAIN, REASONING_REQUIRED } from './quirks.ts';
import type { Quirks } from './quirks.ts';

export interface Preset {
  readonly name: string;
  readonly baseUrl: string;
  /** Environment variable of the key; null for local servers, which want none. */
  readonly keyVariable: string | null;
  readonly quirks: Quirks;
  /** Differences of single models, by name; the first that fits counts. */
  readonly models: readonly ModelFacts[];
}

export interface ModelFacts {
  readonly pattern: RegExp;
  /** Tokens of input and output together; null when the preset does not say. */
  readonly window: number | null;
  readonly quirks: Partial<Quirks>;
}

/** For models the catalogue does not know. */
const UNKNOWN_WINDOW = 32_768;

const THINKS: Partial<Quirks> = { forcedTools: false, replay: REASONING_REQUIRED };

export const PRESETS: readonly Preset[] = [
  {
    name: 'openai',
    baseUrl: 'https://api.openai.com/v1',
    keyVariable: 'OPENAI_API_KEY',
    quirks: { ...PLAIN, limitField: 'max_completion_tokens' },
    models: [
      window(/^gpt-4\.1/, 1_047_576),
      window(/^gpt-5/, 400_000),
      window(/^o[134]/, 200_000),
      window(/^gpt-4o/, 128_000),
    ],
  },
  {
    name: 'moonshot',
    baseUrl: 'https://api.moonshot.ai/v1',
    keyVariable: 'MOONSHOT_API_KEY',
    quirks: PLAIN,
    models: [
      {
        pattern: /^kimi-k2-thinking|^kimi-k[2-9]\.\d|^kimi-k[3-9]|thinking/,
        window: 262_144,
        quirks: THINKS,
      },
      window(/^kimi-k2/, 262_144),
      window(/128k/, 131_072),
      window(/8k/, 8_192),
    ],
  },
  {
    name: 'deepseek',
    baseUrl: 'https://api.deepseek.com',
    keyVariable: 'DEEPSEEK_API_KEY',
    quirks: PLAIN,
    models: [
      { pattern: /^deepseek-(v[4-9]|reasoner)/, window: 131_072, quirks: THINKS },
      window(/^deepseek/, 131_072),
    ],
  },
  {
    name: 'openrouter',
    baseUrl: 'https://openrouter.ai/api/v1',
    keyVariable: 'OPENROUTER_API_KEY',
    quirks: { ...PLAIN, replay: { field: 'reasoning', placeholder: null } },
    models: [
      window(/^anthropic\/claude/, 200_000),
      window(/^openai\/gpt-5/, 400_000),
      window(/^google\/gemini/, 1_048_576),
      window(/^moonshotai\/kimi-k2/, 262_144),
      window(/^deepseek\//, 131_072),
    ],
  },
  {
    name: 'groq',
    baseUrl: 'https://api.groq.com/openai/v1',
    keyVariable: 'GROQ_API_KEY',
    quirks: { ...PLAIN, limitField: 'max_completion_tokens' },
    models: [window(/gpt-oss|llama-3\.[13]|qwen3/, 131_072)],
  },
  {
    name: 'mistral',
    baseUrl: 'https://api.mistral.ai/v1',
    keyVariable: 'MISTRAL_API_KEY',
    // It refuses fields it does not know, and reports usage without being asked.
    quirks: { ...PLAIN, askUsage: false },
    models: [window(/^(mistral-(large|medium|small)|devstral|magistral|ministral)/, 128_000)],
  },
  {
    name: 'gemini',
    baseUrl: 'https://generativelanguage.googleapis.com/v1beta/openai',
    keyVariable: 'GEMINI_API_KEY',
    quirks: { ...PLAIN, callExtra: true },
    models: [window(/^(models\/)?gemini-/, 1_048_576)],
  },
  {
    name: 'anthropic',
    baseUrl: 'https://api.anthropic.com/v1',
    keyVariable: 'ANTHROPIC_API_KEY',
    quirks: PLAIN,
    models: [window(/^claude-/, 200_000)],
  },
  // Local servers: the window is what the server was started with, which no name tells.
  local('ollama', 'http://127.0.0.1:11434/v1'),
  local('llamacpp', 'http://127.0.0.1:8080/v1'),
  local('vllm', 'http://127.0.0.1:8000/v1'),
];

export function findPreset(name: string): Preset | null {
  return PRESETS.find((preset) => preset.name === name) ?? null;
}

export interface ModelTraits {
  /** Tokens of input and output together. */
  readonly window: number;
  readonly quirks: Quirks;
}

/** Null is a server that is no preset. */
export function traitsOf(preset: Preset | null, model: string): ModelTraits {
  const facts = preset?.models.find(({ pattern }) => pattern.test(model));
  return {
    window: facts?.window ?? UNKNOWN_WINDOW,
    quirks: { ...(preset?.quirks ?? PLAIN), ...facts?.quirks },
  };
}

function window(pattern: RegExp, tokens: number): ModelFacts {
  return { pattern, window: tokens, quirks: {} };
}

function local(name: string, baseUrl: string): Preset {
  return { name, baseUrl, keyVariable: null, quirks: PLAIN, models: [] };
}
