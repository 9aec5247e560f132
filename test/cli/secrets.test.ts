import { describe, expect, it } from 'vitest';
import { secretsOf } from '../../src/cli/secrets.ts';

describe('the secrets of an environment', () => {
  it('are the values of variables whose names say so, longest first', () => {
    const env = {
      OPENAI_API_KEY: 'one-key',
      GITHUB_TOKEN: 'a-longer-token',
      DB_PASSWORD: 'pw',
      AWS_SECRET_ACCESS_KEY: 'the-longest-of-them-all',
      EMPTY_TOKEN: '',
      UNSET_TOKEN: undefined,
      PATH: '/usr/bin',
      TOKENIZERS_PARALLELISM: 'true',
      KEYBOARD: 'de',
    };
    expect(secretsOf(env)).toEqual(['the-longest-of-them-all', 'a-longer-token', 'one-key', 'pw']);
  });

  it('are the keys of models, too, whatever their variables are called', () => {
    expect(secretsOf({ HOUSE_LLM: 'a-house-key', PATH: '/usr/bin' }, ['HOUSE_LLM'])).toEqual(['a-house-key']);
  });
});
