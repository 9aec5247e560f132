/** Whether there is a sandbox depends on the machine; what is said of it is in the tests of the policy. */

import { chmodSync, existsSync, mkdirSync, readdirSync, realpathSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { dirname, join } from 'node:path';
import picocolors from 'picocolors';
import { expect, it, onTestFinished } from 'vitest';
import { NO_CEILINGS } from '../../src/contract/ceiling.ts';
import { spendFile } from '../../src/cli/ceilings.ts';
import { doctor } from '../../src/cli/commands/doctor.ts';
import { openSpend } from '../../src/store/spend.ts';
import { openStore } from '../../src/store/store.ts';
import { tempFolder } from '../support/os.ts';

const KEY = 'sk-not-a-real-key-0123456789';

interface Told {
  readonly code: number;
  readonly text: string;
  readonly finding: (name: string) => string;
}

interface Asked {
  readonly files?: Record<string, string>;
  readonly env?: Record<string, string>;
  readonly own?: unknown;
  readonly online?: boolean;
  readonly folder?: string;
  readonly json?: boolean;
}

async function ask(asked: Asked = {}): Promise<Told> {
  const { folder = workspace(asked.files), env, own, online = false, json = false } = asked;
  const home = tempFolder();
  if (own !== undefined) put(home, { '.config/goalgraph/config.json': JSON.stringify(own) });
  const lines: string[] = [];
  const output = {
    out: (line: string) => void lines.push(line),
    err: (line: string) => void lines.push(line),
    write: (line: string | Uint8Array) => void lines.push(String(line)),
    palette: picocolors.createColors(false),
    columns: () => 80,
    rows: () => 24,
    ascii: false,
    isTerminal: false,
    reflows: true,
  };
  const seen = { PATH: process.env['PATH'], HOME: home, ...env };
  const code = await doctor({ output, dir: folder, run: null, json }, { online, env: seen });
  const finding = (name: string): string => lines.find((line) => line.slice(5).startsWith(`${name}:`)) ?? '';
  return { code, text: lines.join('\n'), finding };
}

function workspace(files: Record<string, string> = {}): string {
  const folder = realpathSync(tempFolder());
  put(folder, { 'goalgraph.json': '{}', ...files });
  return folder;
}

function put(root: string, files: Record<string, string>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
}

it('finds a fresh workspace fit, and makes nothing in it', async () => {
  const folder = workspace();
  const { code, finding } = await ask({ folder });
  expect(code).toBe(0);
  expect(finding('node')).toBe(`ok   node: ${process.versions.node}`);
  expect(finding('git')).toMatch(/^ok {3}git: git version /);
  expect(finding('state directory')).toContain('is made by the first run');
  expect(finding('model')).toMatch(/^note model: none is set/);
  expect(readdirSync(folder)).toEqual(['goalgraph.json']);
});

it('says where each value comes from', async () => {
  const { text } = await ask({
    files: { 'goalgraph.json': '{ "concurrency": 5 }' },
    own: { sandbox: 'off', caps: { turns: 9 } },
    env: { GOALGRAPH_MODEL: 'ollama/qwen3' },
  });
  expect(text).toContain('concurrency = 5 (workspace)');
  expect(text).toContain('sandbox = off (user)');
  expect(text).toContain('caps.turns = 9 (user)');
  expect(text).toContain('model = ollama/qwen3 (environment)');
  expect(text).toContain('panel.final = 3 (default)');
  expect(text).toContain('note sandbox: The sandbox is switched off.');
});

it('opens the journal that is there, and says when it cannot', async () => {
  const folder = workspace();
  const stateDir = join(folder, '.goalgraph');
  const store = openStore(stateDir);
  if (!store.ok) throw new Error(store.fault.message);
  store.value.close();
  const sound = await ask({ folder });
  expect([sound.code, sound.finding('journal')]).toEqual([0, 'ok   journal: opens']);
  expect(readdirSync(stateDir).filter((name) => !name.startsWith('journal.db'))).toEqual([]);
  writeFileSync(join(stateDir, 'journal.db'), 'not a journal\n');
  const broken = await ask({ folder });
  expect([broken.code, broken.finding('journal').slice(0, 12)]).toEqual([5, 'bad  journal']);
});

it('tells the ceilings of the person, what counts against them, and when that cannot be told', async () => {
  const state = join(tempFolder(), 'state');
  const env = { XDG_STATE_HOME: state };
  const own = { limits: { day: { tokens: '2m', cost: '10usd' } } };
  expect((await ask({ env })).text).not.toContain('ceiling');
  const fresh = await ask({ env, own });
  expect([fresh.code, fresh.finding('ceiling of the day')]).toEqual([
    0,
    'ok   ceiling of the day: 2m tokens, $10.00: 0 tokens and $0.00 spent today',
  ]);
  expect(fresh.text).toContain('limits.day = 2m tokens, $10.00 (user)');
  expect(existsSync(state)).toBe(false);
  const file = spendFile(env);
  const spend = openSpend(file);
  if (!spend.ok) throw new Error(spend.fault.message);
  const wanted = { at: Date.now(), run: 'r', tokens: 2_000_000, cost: 5_000_000, ceilings: NO_CEILINGS };
  expect(spend.value.reserve(wanted).ok).toBe(true);
  spend.value.close();
  expect((await ask({ env, own })).finding('ceiling of the day')).toBe(
    'note ceiling of the day: 2m tokens, $10.00: 0 tokens and $0.00 spent today, 2m tokens and $5.00 reserved',
  );
  writeFileSync(file, 'not a database\n');
  const broken = await ask({ env, own });
  expect([broken.code, broken.finding('ceilings').slice(0, 4)]).toEqual([5, 'bad ']);
});

it('says whether the key is set, and never what it is', async () => {
  const env = { GOALGRAPH_MODEL: 'openai/gpt-5' };
  const without = await ask({ env });
  expect([without.code, without.finding('key')]).toEqual([
    5,
    'bad  key: OPENAI_API_KEY is not set; set it to the key',
  ]);
  const set = {
    ...env,
    OPENAI_API_KEY: KEY,
    GOALGRAPH_BASE_URL: 'http://127.0.0.1:1/v1',
  };
  const withKey = await ask({ env: set });
  expect([withKey.code, withKey.finding('key')]).toEqual([0, 'ok   key: OPENAI_API_KEY is set']);
  expect(withKey.finding('model')).toBe('ok   model: openai/gpt-5 at http://127.0.0.1:1/v1');
  expect(withKey.text).not.toContain(KEY);
  const inAddress = { ...env, GOALGRAPH_BASE_URL: `http://user:${KEY}@127.0.0.1:1/v1` };
  const refused = await ask({ env: inAddress });
  expect([refused.code, refused.finding('configuration')]).toEqual([
    5,
    expect.stringMatching(/^bad .*GOALGRAPH_BASE_URL is wrong .*without a user, password or query/),
  ]);
  expect(refused.text).not.toContain(KEY);
});

it('takes the key of the person for the address of the person only, whatever preset a workspace chooses', async () => {
  const files = { 'goalgraph.json': '{ "model": "groq/x" }' };
  const env = { HOUSE_KEY: KEY };
  const own = { model: 'openai/gpt-5', keyVariable: 'HOUSE_KEY' };
  const preset = await ask({ files, env, own });
  expect(preset.finding('key')).toBe('bad  key: GROQ_API_KEY is not set; set it to the key');
  const address = await ask({ files, env, own: { ...own, baseUrl: 'http://127.0.0.1:1/v1' } });
  expect(address.finding('key')).toBe('ok   key: HOUSE_KEY is set');
});

it('examines the model of the skeptics where it is another one', async () => {
  const env = { GOALGRAPH_MODEL: 'ollama/qwen3', GOALGRAPH_VERIFIER_MODEL: 'nobody/else' };
  const { code, finding } = await ask({ env });
  expect(code).toBe(5);
  expect(finding('model')).toMatch(/^ok/);
  expect(finding('verifier model')).toMatch(/^bad .*names no provider/);
});

it('asks the endpoint when it is told to, and only then', async () => {
  let asked = 0;
  const server = createServer((_, response) => {
    asked++;
    response.setHeader('content-type', 'application/json');
    response.end('{ "data": [{ "id": "qwen3" }] }');
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  onTestFinished(() => void server.close());
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1`;
  const env = { GOALGRAPH_MODEL: 'ollama/qwen3', GOALGRAPH_BASE_URL: address };
  expect((await ask({ env })).finding('endpoint')).toBe('');
  expect(asked).toBe(0);
  const there = await ask({ env, online: true });
  expect(there.finding('endpoint')).toBe(`ok   endpoint: ${address} answers and has qwen3`);
  expect([there.code, asked]).toEqual([0, 1]);
  const other = await ask({ env: { ...env, GOALGRAPH_MODEL: 'ollama/other' }, online: true });
  expect(other.finding('endpoint')).toMatch(/^note .*does not list other/);
  const nowhere = { ...env, GOALGRAPH_BASE_URL: 'http://127.0.0.1:1/v1' };
  const gone = await ask({ env: nowhere, online: true });
  expect([gone.code, gone.finding('endpoint').slice(0, 4)]).toEqual([5, 'bad ']);
});

it('goes on where it can when the configuration is wrong', async () => {
  const { code, finding } = await ask({ files: { 'goalgraph.json': '{ "sandbox": "off" }' } });
  expect(code).toBe(5);
  expect(finding('node')).toMatch(/^ok/);
  expect(finding('configuration')).toMatch(/^bad .*sets sandbox/);
});

it('minds a missing git where a model is to work, and only there', async () => {
  const bin = tempFolder();
  const command = await ask({ env: { PATH: bin } });
  expect([command.code, command.finding('git')]).toEqual([0, expect.stringMatching(/^note .*Install git/)]);
  const model = await ask({ env: { PATH: bin, GOALGRAPH_MODEL: 'ollama/qwen3' } });
  expect([model.code, model.finding('git')]).toEqual([5, expect.stringMatching(/^bad .*Install git/)]);
  writeFileSync(join(bin, 'git'), '#!/bin/sh\necho git version 2.20.1\n');
  chmodSync(join(bin, 'git'), 0o755);
  expect((await ask({ env: { PATH: bin } })).finding('git')).toMatch(/2\.20\.1; install git 2\.38/);
});

it('is stopped by a sandbox that is required and does not work', async () => {
  const { code, finding } = await ask({ env: { PATH: tempFolder() }, own: { sandbox: 'required' } });
  expect(code).toBe(5);
  expect(finding('sandbox')).toMatch(/^bad .*A sandbox is required/);
});

it('tells the same as JSON', async () => {
  const { code, text } = await ask({ json: true });
  const told = JSON.parse(text) as {
    ok: boolean;
    findings: { name: string }[];
    settings: { name: string }[];
  };
  expect([code, told.ok]).toEqual([0, true]);
  expect(told.findings.map(({ name }) => name)).toEqual(
    expect.arrayContaining(['node', 'git', 'state directory', 'sandbox', 'model']),
  );
  expect(told.settings.map(({ name }) => name)).toContain('caps.rounds');
});
