import { describe, expect, it } from 'vitest';
import { chooseModel } from '../../src/model/choose.ts';

describe('the choice of a model', () => {
  it.each<[string, string | null, object]>([
    ['scripted:a/b.yaml', null, { kind: 'scripted', file: 'a/b.yaml' }],
    [
      'openai/gpt-5.1',
      null,
      {
        model: 'gpt-5.1',
        baseUrl: 'https://api.openai.com/v1',
        keyVariable: 'OPENAI_API_KEY',
        window: 400_000,
      },
    ],
    [
      'openrouter/moonshotai/kimi-k2.6',
      null,
      { model: 'moonshotai/kimi-k2.6', baseUrl: 'https://openrouter.ai/api/v1', window: 262_144 },
    ],
    ['ollama/qwen3:8b', null, { model: 'qwen3:8b', baseUrl: 'http://127.0.0.1:11434/v1', keyVariable: null }],
    ['ollama/x', 'http://box:11434/v1', { model: 'x', baseUrl: 'http://box:11434/v1', keyVariable: null }],
    ['own', 'http://box/v1', { model: 'own', baseUrl: 'http://box/v1', keyVariable: 'GOALGRAPH_API_KEY' }],
    ['org/own', 'http://box/v1', { model: 'org/own', baseUrl: 'http://box/v1', window: 32_768 }],
  ])('%s with the base URL %s', (name, baseUrl, choice) => {
    expect(chooseModel(name, baseUrl)).toMatchObject({ ok: true, value: choice });
  });

  it.each<[string, string | null, string]>([
    ['gpt-5', null, 'names no provider. Give it as PRESET/MODEL (openai, moonshot,'],
    ['nobody/x', null, 'names no provider'],
    ['openai/', null, 'names no model'],
    ['', null, 'names no model'],
    ['scripted:', null, 'needs a file'],
    ['openai/x', 'localhost:80', 'is no address'],
    ['openai/x', 'file:///etc/passwd', 'is no address'],
  ])('%j with the base URL %s is refused', (name, baseUrl, said) => {
    const chosen = chooseModel(name, baseUrl);
    expect(chosen.ok ? null : chosen.fault).toMatchObject({ code: 'usage' });
    expect(chosen.ok ? '' : chosen.fault.message).toContain(said);
  });
});
