/** What cannot work is said in a sentence before it begins: no request for a reply, no event in the journal. */

import { describe, expect } from 'vitest';
import type { Rig } from '../support/rig.ts';
import { inLanes } from '../support/rig.ts';
import { plainStory } from '../support/rig-model-story.ts';
import { by, MODEL, test, type Provider } from '../support/rig-model.ts';
import { refuses, sends } from '../support/wire-replies.ts';

interface Row {
  readonly args: readonly string[];
  readonly exit?: number;
  readonly says: readonly string[];
  readonly env?: Readonly<Record<string, string>>;
}

async function refused(rig: Rig, provider: Provider, { args, exit = 2, says, env = {} }: Row): Promise<void> {
  const end = await rig.run(args, { env });
  const shown = args.map((arg) => arg.slice(0, 80)).join(' ');
  expect({ shown, exit: end.exit, stdout: end.stdout }).toEqual({ shown, exit, stdout: '' });
  for (const words of says) expect(end.stderr, shown).toContain(words);
  // Not a wall of text, and no list of everything there is.
  expect(end.stderr.length, shown).toBeLessThan(800);
  expect(provider.chats(), shown).toEqual([]);
  expect(rig.journal().events, shown).toEqual([]);
}

/** One alone at first, so that the others find the same folder. */
async function allRefused(rig: Rig, provider: Provider, rows: readonly Row[]): Promise<void> {
  const [first, ...rest] = rows;
  if (first !== undefined) await refused(rig, provider, first);
  await inLanes(3, rest, (row) => refused(rig, provider, row));
}

const ADD = 'Add a file';

describe('a model that is not there', () => {
  test('is told by what is missing and how it is set', async ({ rig, provider }) => {
    const { baseUrl } = provider;
    const bare = ['graph', ADD];
    const rows: readonly Row[] = [
      { args: bare, says: ['No model is set', '--model'] },
      { args: ['goal', ADD], says: ['No model is set', '--model'] },
      { args: [...bare, '--model', 'openai/gpt-5'], says: ['OPENAI_API_KEY'] },
      { args: [...bare, '--model', 'openai/gpt-5'], env: { OPENAI_API_KEY: '  ' }, says: ['OPENAI_API_KEY'] },
      { args: [...bare, '--model', 'gpt-5'], says: ['names no provider', '--base-url'] },
      { args: [...bare, '--model', 'nobody/gpt-5'], says: ['names no provider', 'openai'] },
      { args: [...bare, '--model', 'openai/'], says: ['names no model'] },
      { args: [...bare, '--model', ''], says: ['--model'] },
      { args: [...bare, '--model', MODEL, '--base-url', 'localhost:80'], says: ['--base-url', 'http://'] },
      { args: [...bare, '--model', MODEL, '--base-url', 'file:///etc'], says: ['--base-url', 'http://'] },
      {
        args: [...bare, '--model', MODEL, '--base-url', 'http://127.0.0.1:1/v1'],
        exit: 5,
        says: ['http://127.0.0.1:1/v1 cannot be reached', '--base-url'],
      },
      {
        args: [...bare, '--model', MODEL, '--base-url', baseUrl.replace('/v1', '')],
        says: ['base URL', '/v1'],
      },
      {
        args: [...bare, '--model', MODEL, '--base-url', `${baseUrl}/v2`],
        says: ['base URL', '/v1'],
      },
      {
        args: [...bare, '--model', 'locl-model', '--base-url', baseUrl],
        says: ['does not serve locl-model', MODEL],
      },
      { args: [...bare, '--model', 'scripted:missing.yaml'], says: ['missing.yaml'] },
      ...[`${baseUrl}?version=1`, `${baseUrl}#top`, baseUrl.replace('//', '//me:secret@')].map((url) => ({
        args: [...bare, '--model', MODEL, '--base-url', url],
        says: ['--base-url', 'password or query'],
      })),
    ];
    await allRefused(rig, provider, rows);
  });

  test('is told when the key is refused, and whose it was', async ({ rig, provider }) => {
    provider.key = 'the-right-key';
    const args = by(provider, 'graph', ADD);
    const wrong = { GOALGRAPH_API_KEY: 'sk-wrong-key-0123456789' };
    await refused(rig, provider, { args, env: wrong, says: ['refuses the key', 'GOALGRAPH_API_KEY'] });
    await refused(rig, provider, { args, says: ['refuses the key', 'GOALGRAPH_API_KEY'] });
    const { stderr } = await rig.run(args, { env: wrong });
    expect(stderr).not.toContain(wrong.GOALGRAPH_API_KEY);
  });

  test('is told when the key cannot be one', async ({ rig, provider }) => {
    for (const key of ['sk-two\nlines-0123', 'sk with blanks', 'sk-\u00e9\u00e0-0123', 'sk-\x07bell-0123']) {
      const env = { GOALGRAPH_API_KEY: key };
      const args = by(provider, 'graph', ADD);
      await refused(rig, provider, { args, env, says: ['The key in GOALGRAPH_API_KEY', 'Copy it again'] });
      expect((await rig.run(args, { env })).stderr).not.toContain(key);
    }
    expect(provider.requests).toEqual([]);
  });
});

describe('goalgraph models', () => {
  test('lists what is served, and says what keeps it from that', async ({ rig, provider }) => {
    const at = ['--base-url', provider.baseUrl];
    const { exit, stdout } = await rig.run(['models', ...at]);
    expect({ exit, stdout }).toEqual({ exit: 0, stdout: `${MODEL}\n` });
    const json = await rig.run(['models', ...at, '--json']);
    expect(JSON.parse(json.stdout)).toEqual({ baseUrl: provider.baseUrl, models: [MODEL] });
    const rows: readonly Row[] = [
      { args: ['models'], says: ['No endpoint is set', '--base-url'] },
      { args: ['models', 'nobody'], says: ['no preset', 'ollama'] },
      { args: ['models', '--base-url', 'http://127.0.0.1:1/v1'], exit: 5, says: ['cannot be reached'] },
      { args: ['models', ...at], env: { GOALGRAPH_API_KEY: 'two\nlines' }, says: ['Copy it again'] },
    ];
    await allRefused(rig, provider, rows);
    provider.key = 'the-right-key';
    await refused(rig, provider, { args: ['models', ...at], says: ['GOALGRAPH_API_KEY'] });
    provider.key = null;
    provider.models = null;
    await refused(rig, provider, { args: ['models', ...at], exit: 5, says: ['Check the base URL'] });
  });
});

describe('a model that cannot call tools', () => {
  test('ends the run at its first request, which costs nothing', async ({ rig, provider }) => {
    const message = 'registry.ollama.ai/library/local-model does not support tools';
    provider.misbehave(() => true, refuses(400, { message }), 9);
    const { exit, stdout } = await rig.run(by(provider, 'graph', ADD, '--budget', '500k'));
    expect(exit).toBe(5);
    expect(stdout).toContain('cannot call tools');
    expect(provider.chats()).toHaveLength(1);
    const status = await rig.status();
    expect(status).toMatchObject({ status: 'paused', why: 'provider' });
    expect(status.budget?.spent.tokens).toBe(0);
  });
});

describe.concurrent('a server without a list of models', () => {
  test('is refused with the way around it, and taken with --skip-look', async ({ rig, provider }) => {
    provider.models = null;
    provider.tell(plainStory('a'));
    const args = by(provider, 'graph', ADD);
    await refused(rig, provider, { args, says: ['--skip-look'] });
    // Said once for the run: whoever goes on with it need not say it again.
    expect((await rig.run([...args, '--skip-look', '--approve'])).exit).toBe(3);
    expect((await rig.run(['approve'])).exit).toBe(0);
  });

  test('is what a web page is, too', async ({ rig, provider }) => {
    provider.tell(plainStory('a'));
    provider.models = null;
    provider.page = sends(200, 'text/html', '<html>Welcome</html>');
    await refused(rig, provider, { args: by(provider, 'graph', ADD), says: ['base URL', '/v1'] });
  });
});

describe.concurrent('an objective', () => {
  test('that is none, or too much, is refused', async ({ rig, provider }) => {
    const rows: readonly Row[] = [
      { args: by(provider, 'graph', ''), says: ['The objective is empty'] },
      { args: by(provider, 'graph', ' \n\t '), says: ['The objective is empty'] },
      { args: by(provider, 'goal', ''), says: ['The objective is empty'] },
      { args: by(provider, 'graph', 'x'.repeat(100_000)), says: ['over 20000 characters', 'file'] },
      { args: by(provider, 'graph', '✓'.repeat(30_000)), says: ['over 20000 characters', 'file'] },
      { args: by(provider, 'graph'), says: ['objective'] },
      { args: by(provider, 'graph', 'Add', 'a', 'file'), says: ['too many arguments'] },
      { args: by(provider, 'graph', ADD, '--fast'), says: ['unknown option', '--fast'] },
      { args: by(provider, 'graph', '--foo'), says: ['unknown option', '--foo'] },
    ];
    await allRefused(rig, provider, rows);
  });

  for (const objective of ['resume', '--foo is an option', '-C']) {
    test(`is what the user wrote, also when that is ${objective}`, async ({ rig, provider }) => {
      provider.tell(plainStory('a'));
      const { exit } = await rig.run([...by(provider, 'graph', '--approve'), '--', objective]);
      expect(exit).toBe(3);
      expect((await rig.status()).objective).toBe(objective);
      expect(provider.chats('planner')[0]?.body.messages[1]?.content).toContain(`\n${objective}\n`);
    });
  }
});

describe('a limit', () => {
  test('that cannot be read or kept is refused', async ({ rig, provider }) => {
    const row = (flag: string, ...says: readonly string[]): Row => ({
      args: by(provider, 'graph', ADD, flag),
      says,
    });
    const rows: readonly Row[] = [
      row('--budget=50kk', '--budget', '500k'),
      row('--budget=', '--budget', '500k'),
      row('--budget=-1', '--budget', '500k'),
      row('--budget=lots', '--budget', '500k'),
      row('--budget=10', 'budget of 10 tokens is too small', '--budget'),
      row('--budget=0', '--budget'),
      row('--max-cost=5usd', '--max-cost', 'price', MODEL),
      row('--max-cost=5', '--max-cost', '5usd'),
    ];
    await allRefused(rig, provider, rows);
    await refused(rig, provider, {
      args: by(provider, 'goal', ADD, '--budget', '10'),
      says: ['budget of 10 tokens is too small'],
    });
  });
});
