/** The main job, with a provider that is asked over HTTP. */

import { execa } from 'execa';
import { describe, expect } from 'vitest';
import { eventsIn } from '../support/rig-journal.ts';
import { reckon } from '../support/rig-model-ledger.ts';
import { preload } from '../support/rig-model-preload.ts';
import { SLUG_OBJECTIVE, tellSlug } from '../support/rig-model-slug.ts';
import { by, MODEL, startProvider, test } from '../support/rig-model.ts';

describe('an objective', () => {
  test('is planned, worked off and verified over HTTP, and every token adds up (F-26)', async ({
    rig,
    provider,
  }) => {
    tellSlug(rig, provider);
    const { env, connections } = preload(rig);
    // What other programs would heed.
    const elsewhere = await startProvider();
    const misleading = {
      HTTP_PROXY: elsewhere.baseUrl,
      http_proxy: elsewhere.baseUrl,
      ALL_PROXY: elsewhere.baseUrl,
      OPENAI_BASE_URL: elsewhere.baseUrl,
      OPENAI_API_KEY: 'sk-of-somebody-else',
      OPENAI_ORG_ID: 'org-of-somebody-else',
    };
    const { exit, stdout } = await rig.run(
      by(provider, 'graph', SLUG_OBJECTIVE, '--budget', '2m', '--json'),
      { env: { ...env, ...misleading } },
    );
    await elsewhere.close();
    expect({ exit, unknown: provider.unknown }).toEqual({ exit: 0, unknown: [] });

    const slug = (...words: readonly string[]) =>
      execa(process.execPath, ['bin/slug.mjs', ...words], { cwd: rig.workspace, reject: false });
    expect((await slug('  Crème', 'brûlée! ')).stdout).toBe('creme-brulee');
    expect((await slug()).exitCode).toBe(2);

    const events = eventsIn(stdout);
    const { charged, estimated, reserved, calls, worst } = reckon(events);
    expect({ charged, estimated, reserved }).toEqual({
      charged: provider.reported(),
      estimated: 0,
      reserved: 0,
    });
    expect(calls).toBe(provider.chats().length);
    expect(worst).toBeLessThanOrEqual(0);
    const { input, output } = charged;
    expect((await rig.status()).budget?.spent.tokens).toBe(input + output);

    // Asked for its list once, and besides that for replies only; and nobody else was asked for anything.
    const others = provider.requests.filter(({ path }) => path !== '/v1/chat/completions');
    expect(others.map(({ method, path }) => `${method} ${path}`)).toEqual(['GET /v1/models']);
    expect(elsewhere.requests).toEqual([]);
    expect(JSON.stringify(provider.requests)).not.toContain('somebody-else');
    expect(connections()).toEqual([new URL(provider.baseUrl).host]);
    expect(new Set(provider.chats().map(({ body }) => body.model))).toEqual(new Set([MODEL]));
  });
});
