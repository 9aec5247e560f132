/**
 * What the harness costs a turn: a worker of many turns against a model on loopback HTTP that thinks no time, beside the
 * same requests sent by the adapter alone. And what it adds to a node: system prompt, tools, packet.
 */

import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { RunEvent } from '../src/contract/event.ts';
import { lastOf, type ModelRequest } from '../src/contract/model.ts';
import { NO_LIMITS } from '../src/contract/limits.ts';
import { DEFAULT_CAPS } from '../src/contract/settings.ts';
import type { ModelSettings } from '../src/contract/settings.ts';
import { driveRun, nothingYet } from '../src/cli/drive-run.ts';
import { openWorld } from '../src/cli/model-world.ts';
import { withSession } from '../src/cli/session.ts';
import { realClock } from '../src/cli/real-clock.ts';
import { gate } from '../src/graph/gate.ts';
import { parsePlan } from '../src/graph/parse-plan.ts';
import { openAiModel } from '../src/model/openai.ts';
import { PLAIN } from '../src/model/quirks.ts';
import { whole } from '../test/support/wire-replies.ts';
import { startWireServer, type WireReply, type WireServer } from '../test/support/wire-server.ts';
import { inFreshDir } from './fresh-dir.ts';
import { median, spread, type Row } from './rows.ts';

/** Turns of the worker; one more is its report. */
const TURNS = 100;

/** Turns over which the share of repeated input is told. */
const SHORT = 20;

export async function modelTurns(rounds: number): Promise<readonly Row[]> {
  const runs: Measured[] = [];
  for (let round = 0; round <= rounds; round++) runs.push(await measure(TURNS));
  // The first is there to be compiled.
  runs.shift();
  const short = await measure(SHORT - 1);
  const over = runs.map(({ engine, floor }) => (engine - floor) / TURNS);
  return [
    {
      what: `a worker's turn (reply, one tool, both stored): engine beyond the adapter`,
      goal: '',
      met: null,
      measured: `${spread(over, 2)} ms a turn; engine / adapter ${spread(
        runs.map(({ engine, floor }) => engine / floor),
        2,
      )} (adapter alone ${spread(
        runs.map(({ floor }) => floor / TURNS),
        2,
      )} ms)`,
    },
    {
      what: `input bytes that the request before had too, node of ${SHORT} turns`,
      goal: '≥ 90 %',
      met: short.same >= 0.9,
      measured: `${(short.same * 100).toFixed(1)} %`,
    },
    {
      what: "added to a worker's first request: system, tools, packet without its spec",
      goal: '',
      met: null,
      measured: `${median(runs.map(({ added }) => added))} bytes, about ${Math.round(median(runs.map(({ added }) => added)) / 4)} tokens`,
    },
  ];
}

interface Measured {
  /** Milliseconds for the worker's session, and for the same requests by the adapter alone. */
  readonly engine: number;
  readonly floor: number;
  readonly same: number;
  readonly added: number;
}

const SPEC = 'Look at the files, one after the other.';

async function measure(turns: number): Promise<Measured> {
  return inFreshDir(async (dir) => {
    const server = await startWireServer();
    try {
      const workspace = join(dir, 'workspace');
      mkdirSync(workspace);
      writeFileSync(join(workspace, 'notes.txt'), 'Nothing to see.\n'.repeat(2 * TURNS));
      const events = await run(workspace, server, turns);
      return figures(events, { server, floor: await floorOf(server, turns) });
    } finally {
      await server.close();
    }
  });
}

async function run(workspace: string, server: WireServer, turns: number): Promise<readonly RunEvent[]> {
  server.answerWith(worker(turns));
  const settings: ModelSettings = {
    worker: 'bench',
    verifier: 'bench',
    baseUrl: server.baseUrl,
    prices: { worker: null, verifier: null },
    panel: { node: 0, final: 0 },
    caps: { ...DEFAULT_CAPS, turns: turns + 10 },
    sandbox: 'off',
    allowNet: false,
  };
  const text = JSON.stringify({
    objective: 'Look',
    nodes: [{ slug: 'look', title: 'Look', spec: SPEC, checks: [{ run: 'test -f notes.txt' }] }],
  });
  const gated = gate(parsePlan({ text, file: 'bench', source: 'file', format: 'json' }), {
    source: 'file',
    hasModel: true,
    hasPanel: true,
    budget: null,
  });
  if (!gated.ok) throw new Error('the plan is none');
  const { plan } = gated;
  const events: RunEvent[] = [];
  const done = await withSession({ workspace, create: true }, async (session) => {
    const standing = nothingYet();
    const objective = plan.objective;
    const opening = { session, run: 'bench', objective, settings, look: false, standing };
    const world = await openWorld(opening);
    if (!world.ok) return world;
    const owner = session.store.lease.take('bench');
    if (!owner.ok) return owner;
    const created = (at: number): RunEvent => ({
      type: 'run.created',
      at,
      run: 'bench',
      machine: 1,
      objective,
      plan,
      models: settings,
      flow: null,
      approve: false,
      workspace,
      concurrency: 1,
      limits: NO_LIMITS,
    });
    return driveRun({
      session,
      owner: owner.value,
      workspace,
      concurrency: 1,
      standing,
      world: world.value.world,
      first: [(_, at) => ({ ok: true, value: created(at) })],
      onStored: (stored) => events.push(...stored.map(({ event }) => event)),
      onPausing: () => undefined,
    });
  });
  if (!done.ok) throw new Error(done.fault.message);
  if (done.value.view.counts.achieved !== 2) throw new Error('the run did not end well');
  return events;
}

/** A tool call a turn, each another one; at the end the report. */
function worker(turns: number): (request: unknown, nth: number) => WireReply {
  return (_, nth) => {
    const call =
      nth > turns
        ? { name: 'report', arguments: JSON.stringify({ status: 'done', summary: 'Looked.' }) }
        : { name: 'read', arguments: JSON.stringify({ path: 'notes.txt', offset: nth, limit: 3 }) };
    const deltas = [{ index: 0, id: `call_${nth}`, function: call }];
    return whole([{ role: 'assistant', content: 'I look.' }, { tool_calls: deltas }], 'tool_calls');
  };
}

/** The bodies that the engine has sent, sent again by the adapter, one after the other. */
async function floorOf(server: WireServer, turns: number): Promise<number> {
  const bodies = server.requests.slice(0, turns + 1).map(({ body }) => body as WireBody);
  server.answerWith((_, nth) => worker(turns)(null, nth - bodies.length));
  const model = openAiModel({
    name: 'bench',
    model: 'bench',
    baseUrl: server.baseUrl,
    key: null,
    quirks: PLAIN,
    clock: realClock,
  });
  const requests = bodies.map(requestOf);
  const start = performance.now();
  for (const request of requests) {
    const end = await lastOf(model.turn(request, new AbortController().signal));
    if (end.type !== 'done') throw new Error(end.fault.message);
  }
  return performance.now() - start;
}

interface WireBody {
  readonly messages: readonly { readonly role: string; readonly content: string | null }[];
  readonly tools: readonly { readonly function: ModelRequest['tools'][number] }[];
}

/** As long as the original, without its calls: the adapter's work is in the bytes. */
function requestOf({ messages, tools }: WireBody): ModelRequest {
  const text = JSON.stringify(messages);
  return {
    key: { role: 'worker', node: '', round: 1, turn: 1, seat: 1 },
    messages: [{ role: 'user', text }],
    tools: tools.map(({ function: tool }) => tool),
    toolChoice: 'auto',
    maxOutput: 1_000,
  };
}

function figures(
  events: readonly RunEvent[],
  { server, floor }: { readonly server: WireServer; readonly floor: number },
): Measured {
  const begin = events.find(({ type }) => type === 'base.ended')?.at ?? 0;
  const end = events.find(({ type }) => type === 'round.ended')?.at ?? 0;
  let sent = 0;
  let same = 0;
  for (const event of events) {
    if (event.type !== 'turn.ended' || event.same === 0) continue;
    sent += event.sent;
    same += event.same;
  }
  const first = server.requests[0]?.body as WireBody;
  const added = Buffer.byteLength(JSON.stringify([first.messages, first.tools])) - SPEC.length;
  return { engine: end - begin, floor, same: same / sent, added };
}
