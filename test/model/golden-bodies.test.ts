/** Bodies of requests, as they arrive at a server: one golden file a quirk, written anew by `vitest -u`. */

import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { lastOf } from '../../src/contract/model.ts';
import type { ModelRequest } from '../../src/contract/model.ts';
import { findPreset, PRESETS, traitsOf } from '../../src/model/presets.ts';
import { PLAIN, REASONING_REQUIRED } from '../../src/model/quirks.ts';
import type { Quirks } from '../../src/model/quirks.ts';
import { says } from '../support/wire-replies.ts';
import { startWireServer } from '../support/wire-server.ts';
import type { WireServer } from '../support/wire-server.ts';
import { LIVE, request } from './model-cases.ts';
import { wireModel } from './wire-rig.ts';

let server: WireServer;
beforeAll(async () => {
  server = await startWireServer();
});
afterAll(() => server.close());

/** Two rounds of tools with the ids used twice, one call that was cut, one made without a thought. */
const LOOP: ModelRequest = request({
  messages: [
    { role: 'system', text: 'You test.' },
    { role: 'user', text: 'Go.' },
    {
      role: 'assistant',
      text: '',
      reasoning: 'First a.',
      calls: [
        {
          id: 'f:0',
          name: 'read',
          args: '{"path":"a"}',
          flaw: null,
          extra: { google: { thought_signature: 's' } },
        },
      ],
    },
    { role: 'tool', call: 'f:0', text: 'A' },
    {
      role: 'assistant',
      text: 'Now b.',
      reasoning: '',
      calls: [{ id: 'f:0', name: 'read', args: '{"path":"b', flaw: 'truncated', extra: null }],
    },
    { role: 'tool', call: 'f:0', text: 'This call was cut off. Make it again.' },
    { role: 'assistant', text: 'Done.', reasoning: null, calls: [] },
    { role: 'user', text: 'Sure?' },
  ],
});

async function bodyOf(asked: ModelRequest, quirks: Quirks): Promise<unknown> {
  server.queue(says('x'));
  await lastOf(wireModel(server, { quirks }).turn(asked, LIVE));
  return server.requests.at(-1)?.body;
}

describe('the body of a request', () => {
  it.each<[string, ModelRequest, Quirks]>([
    ['plain', request(), PLAIN],
    ['no-tools', request({ tools: [] }), PLAIN],
    ['usage-not-asked', request(), { ...PLAIN, askUsage: false }],
    ['max-completion-tokens', request(), { ...PLAIN, limitField: 'max_completion_tokens' }],
    ['forced', request({ toolChoice: 'required' }), PLAIN],
    ['forced-by-name', request({ toolChoice: { name: 'read' } }), PLAIN],
    ['forced-downgraded', request({ toolChoice: { name: 'read' } }), { ...PLAIN, forcedTools: false }],
    [
      'two-of-the-user',
      request({
        messages: [
          { role: 'user', text: 'Go.' },
          { role: 'user', text: 'Go on.' },
        ],
      }),
      PLAIN,
    ],
    ['tool-loop', LOOP, PLAIN],
    ['tool-loop-reasoning-required', LOOP, { ...PLAIN, replay: REASONING_REQUIRED }],
    ['tool-loop-reasoning', LOOP, { ...PLAIN, replay: { field: 'reasoning', placeholder: null } }],
    ['tool-loop-call-extra', LOOP, { ...PLAIN, callExtra: true }],
  ])('%s', async (name, asked, quirks) => {
    const body = await bodyOf(asked, quirks);
    const file = fileURLToPath(new URL(`../golden/wire/${name}.json`, import.meta.url));
    await expect(`${JSON.stringify(body, null, 2)}\n`).toMatchFileSnapshot(file);
  });

  it('is the same bytes up to what is new, so that providers can cache it', async () => {
    const text = (body: unknown) => JSON.stringify(body);
    const first = text(await bodyOf(request(), PLAIN));
    const done = { role: 'assistant' as const, text: 'Done.', reasoning: null, calls: [] };
    const more = [...request().messages, done, { role: 'user' as const, text: 'More.' }];
    const second = text(await bodyOf(request({ messages: more }), PLAIN));
    const shared = first.indexOf(']', first.indexOf('"Go."'));
    expect(second.slice(0, shared)).toBe(first.slice(0, shared));
  });
});

describe('the catalogue', () => {
  it('names each preset once, with a base URL and the variable of its key', () => {
    const table = PRESETS.map(({ name, baseUrl, keyVariable }) => `${name} ${baseUrl} ${keyVariable ?? '-'}`);
    expect(table.join('\n')).toMatchInlineSnapshot(`
      "openai https://api.openai.com/v1 OPENAI_API_KEY
      moonshot https://api.moonshot.ai/v1 MOONSHOT_API_KEY
      deepseek https://api.deepseek.com DEEPSEEK_API_KEY
      openrouter https://openrouter.ai/api/v1 OPENROUTER_API_KEY
      groq https://api.groq.com/openai/v1 GROQ_API_KEY
      mistral https://api.mistral.ai/v1 MISTRAL_API_KEY
      gemini https://generativelanguage.googleapis.com/v1beta/openai GEMINI_API_KEY
      anthropic https://api.anthropic.com/v1 ANTHROPIC_API_KEY
      ollama http://127.0.0.1:11434/v1 -
      llamacpp http://127.0.0.1:8080/v1 -
      vllm http://127.0.0.1:8000/v1 -"
    `);
  });

  it.each([
    ['openai', 'gpt-5.1', 400_000],
    ['openai', 'gpt-4.1-mini', 1_047_576],
    ['moonshot', 'kimi-k2-0905-preview', 262_144],
    ['gemini', 'gemini-3-pro', 1_048_576],
    ['ollama', 'qwen3:8b', 32_768],
  ])('%s/%s has a window of %i', (preset, model, window) => {
    expect(traitsOf(findPreset(preset), model).window).toBe(window);
  });

  it('knows which models think, and what follows', () => {
    const thinking = { forcedTools: false, replay: { field: 'reasoning_content', placeholder: ' ' } };
    expect(traitsOf(findPreset('moonshot'), 'kimi-k2.5').quirks).toMatchObject(thinking);
    expect(traitsOf(findPreset('deepseek'), 'deepseek-v4-pro').quirks).toMatchObject(thinking);
    expect(traitsOf(findPreset('deepseek'), 'deepseek-chat').quirks).toEqual(PLAIN);
    expect(traitsOf(null, 'anything')).toEqual({ window: 32_768, quirks: PLAIN });
  });
});
