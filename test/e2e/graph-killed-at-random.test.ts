/**
 * SIGKILL at random points of a run that models plan, work off and verify: after a while, or right after an event was
 * stored. GOALGRAPH_E2E_MODEL_KILLS makes the campaign longer, GOALGRAPH_E2E_SEED begins it elsewhere.
 */

import { setTimeout as delay } from 'node:timers/promises';
import { expect, test } from 'vitest';
import { seeded } from '../sim/random.ts';
import { treeOf, verdicts } from '../support/rig-journal.ts';
import type { Running } from '../support/rig-cli.ts';
import type { Chat } from '../support/rig-model-chat.ts';
import { reckon } from '../support/rig-model-ledger.ts';
import { SLUG_OBJECTIVE, tellSlug } from '../support/rig-model-slug.ts';
import { by, startProvider, type Provider } from '../support/rig-model.ts';
import { inLanes, withRig, type Rig } from '../support/rig.ts';

const KILLS = Number(process.env['GOALGRAPH_E2E_MODEL_KILLS'] ?? 16);
const SEED = Number(process.env['GOALGRAPH_E2E_SEED'] ?? 1);
/** Kills in one run, at most. */
const A_RUN = 4;
const BEGIN = ['graph', SLUG_OBJECTIVE, '--budget', '2m'] as const;

test(
  `a run of models that is killed again and again ends as if nothing had happened, over ${KILLS} kills`,
  async () => {
    const ideal = await withProvider(async (rig, provider) => {
      const begun = performance.now();
      expect((await rig.run(by(provider, ...BEGIN))).exit).toBe(0);
      return { ms: performance.now() - begun, asked: provider.chats().length, end: await endOf(rig) };
    });
    let kills = 0;
    let asked = 0;
    let runs = 0;
    const seeds = Array.from({ length: KILLS }, (_, i) => SEED + i);
    await inLanes(2, seeds, async (seed) => {
      if (kills >= KILLS) return;
      const killed = await withProvider((rig, provider) => killedRun({ rig, provider, seed, ms: ideal.ms }));
      const { story, end, ...sums } = killed;
      const tell = `seed ${seed}: ${story.join(', ')}`;
      expect(end, tell).toEqual(ideal.end);
      // Whatever was lost was a reply that was paid for; nothing is paid for twice, and nothing is free.
      const { charged, estimated, spent, reserved, worst } = sums.ledger;
      const { input, output } = sums.reported;
      expect(reserved, tell).toBe(0);
      expect(worst, tell).toBeLessThanOrEqual(0);
      expect(charged.input, tell).toBeLessThanOrEqual(input);
      expect(charged.output, tell).toBeLessThanOrEqual(output);
      expect(spent, tell).toBeGreaterThanOrEqual(input + output);
      if (input === charged.input && sums.asked === sums.ledger.calls && sums.cut === 0) {
        expect(estimated, tell).toBe(0);
      }
      kills += story.length;
      asked += sums.asked;
      runs += 1;
    });
    process.stderr.write(
      `${kills} kills in ${runs} runs; ${asked} requests, undisturbed ${ideal.asked} a run\n`,
    );
    expect(kills).toBeGreaterThanOrEqual(KILLS);
  },
  60_000 + KILLS * 5_000,
);

async function withProvider<T>(use: (rig: Rig, provider: Provider) => Promise<T>): Promise<T> {
  const provider = await startProvider();
  try {
    return await withRig(async (rig) => {
      tellSlug(rig, provider);
      return use(rig, provider);
    });
  } finally {
    await provider.close();
  }
}

async function endOf(rig: Rig) {
  return { tree: treeOf(rig.workspace), verdicts: verdicts(await rig.status()) };
}

interface Killing {
  readonly rig: Rig;
  readonly provider: Provider;
  readonly seed: number;
  /** How long an undisturbed run takes. */
  readonly ms: number;
}

async function killedRun({ rig, provider, seed, ms }: Killing) {
  const random = seeded(seed);
  const story: string[] = [];
  let cut = 0;
  for (;;) {
    const { events } = rig.journal();
    if (events.at(-1)?.type === 'run.completed') break;
    const args = events.length === 0 ? by(provider, ...BEGIN) : ['resume'];
    const owner = rig.start([...args, '--json']);
    const isLast = story.length >= A_RUN;
    const point = isLast
      ? null
      : await cutAt(owner, { events: random.int(4, 22), ms, wait: random.int(0, 1) });
    const { exit, signal } = await owner.ended;
    if (signal === 'SIGKILL') {
      story.push(point ?? '');
      cut += reckon(rig.journal().events).reserved > 0 ? 1 : 0;
    } else {
      expect({ story, exit, unknown: provider.unknown }).toEqual({
        story,
        exit: 0,
        unknown: [],
      });
    }
  }
  expect(rig.alive()).toEqual([]);
  for (const node of ['slug', 'command'])
    mustGoOn(provider.chats('worker').filter(({ key }) => key.node === node));
  const ledger = reckon(rig.journal().events);
  return {
    story,
    cut,
    ledger,
    reported: provider.reported(),
    asked: provider.chats().length,
    end: await endOf(rig),
  };
}

/** Kills it when it has stored so many events, or some time after its first one. */
async function cutAt(
  owner: Running,
  at: { readonly events: number; readonly wait: number; readonly ms: number },
): Promise<string> {
  let lines = 0;
  if (at.wait === 0) {
    owner.onLine(() => {
      lines += 1;
      if (lines === at.events) owner.kill('SIGKILL');
    });
    await owner.ended;
    return `after ${at.events} events`;
  }
  const time = Math.round((at.ms * at.events) / 30);
  await Promise.race([delay(time), owner.ended]);
  owner.kill('SIGKILL');
  return `after ${time} ms`;
}

/** Each request of a conversation begins with all that the one before it had. */
function mustGoOn(chats: readonly Chat[]): void {
  chats.slice(1).forEach((chat, i) => {
    const before = chats[i]?.body.messages ?? [];
    expect(chat.body.messages.slice(0, before.length)).toEqual(before);
  });
}
