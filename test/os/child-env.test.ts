import { expect, it } from 'vitest';
import { childEnv } from '../../src/os/child-env.ts';

const KEY = 'sk-0123456789';

it('takes the variables of keys out, and leaves the others', () => {
  const env = {
    PATH: '/bin',
    OPENAI_API_KEY: KEY,
    GROQ_API_KEY: '',
    GOALGRAPH_API_KEY: 'another-key',
    HOME: '/h',
  };
  expect(childEnv(env, ['OPENAI_API_KEY', 'GROQ_API_KEY'])).toEqual({ PATH: '/bin', HOME: '/h' });
});

it('takes out every variable that holds a key, whatever its name', () => {
  const env = {
    OPENAI_API_KEY: `${KEY}\n`,
    COPY: KEY,
    HEADER: `Authorization: Bearer ${KEY}`,
    OTHER: 'sk-01',
  };
  expect(childEnv(env, ['OPENAI_API_KEY'])).toEqual({ OTHER: 'sk-01' });
});

it('takes no placeholder of a key for one', () => {
  const env = { OPENAI_API_KEY: 'none', LOG: 'none', LEVEL: 'none at all', EMPTY: '', UNSET: undefined };
  const left = { LOG: 'none', LEVEL: 'none at all', EMPTY: '', UNSET: undefined };
  expect(childEnv(env, ['OPENAI_API_KEY'])).toEqual(left);
});
