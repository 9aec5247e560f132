import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig, userFile, type Config, type ConfigOptions } from '../../src/cli/config.ts';
import { workspaceHere, workspaceOfPlan } from '../../src/cli/workspace.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'goalgraph-config-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const write = (text: string) => writeFileSync(join(folder, 'goalgraph.json'), text);

/** A home without anything of whoever runs the tests. */
const env = () => ({ HOME: join(folder, 'home') });

function writeOwn(json: unknown): void {
  mkdirSync(dirname(userFile(env())), { recursive: true });
  writeFileSync(userFile(env()), JSON.stringify(json));
}

function read(options: ConfigOptions = {}): Config {
  const config = readConfig(folder, { ...options, env: { ...env(), ...options.env } });
  if (!config.ok) throw new Error(config.fault.message);
  return config.value;
}

function refusal(options: ConfigOptions = {}): string {
  const config = readConfig(folder, { ...options, env: { ...env(), ...options.env } });
  if (config.ok) throw new Error('it is taken');
  expect(config.fault.code).toBe('usage');
  return config.fault.message;
}

describe('goalgraph.json', () => {
  it('may be missing', () => {
    const { origins, ...settings } = read();
    expect(settings).toEqual({
      stateDir: join(folder, '.goalgraph'),
      concurrency: 3,
      caps: { rounds: 12, verifications: 10, turns: 60 },
      panel: { node: 1, final: 3 },
      model: null,
      verifierModel: null,
      baseUrl: null,
      keyVariable: null,
      sandbox: 'auto',
      allowNet: false,
      prices: {},
      windows: {},
      notify: null,
      skillDirs: [],
      questions: 200_000,
      limits: { day: { tokens: null, cost: null }, month: { tokens: null, cost: null } },
      files: [],
    });
    expect(new Set(origins.values())).toEqual(new Set(['default']));
  });

  it('says where the state lives and how much runs at once', () => {
    write('{ "stateDir": "var/state", "concurrency": 8 }');
    const { stateDir, concurrency, origins, files } = read();
    expect([stateDir, concurrency]).toEqual([join(folder, 'var/state'), 8]);
    expect([origins.get('stateDir'), origins.get('caps.turns')]).toEqual(['workspace', 'default']);
    expect(files).toEqual([join(folder, 'goalgraph.json')]);
  });

  it.each([
    ['{', 'JSON'],
    ['[]', 'expected object'],
    ['{ "concurency": 3 }', 'concurency'],
    ['{ "concurrency": 0 }', 'concurrency'],
    ['{ "concurrency": "3" }', 'concurrency'],
    ['{ "stateDir": "../elsewhere" }', 'inside the workspace'],
    ['{ "stateDir": "/tmp/elsewhere" }', 'inside the workspace'],
    ['{ "stateDir": "." }', 'inside the workspace'],
    ['{ "stateDir": "a/../.." }', 'inside the workspace'],
    ['{ "caps": { "rounds": 0 } }', 'caps.rounds'],
    ['{ "caps": { "round": 3 } }', 'round'],
    ['{ "panel": { "final": 6 } }', 'panel.final'],
    ['{ "model": "scripted:evil.json" }', 'a preset and a model'],
    ['{ "verifierModel": "scripted:evil.json" }', 'a preset and a model'],
    ['{ "model": "http://evil.example/v1" }', 'a preset and a model'],
    ['{ "model": "gpt-5" }', 'a preset and a model'],
    ['{ "model": "openai/" }', 'a preset and a model'],
  ])('is refused by name when it says %s', (text, words) => {
    write(text);
    const config = readConfig(folder, { env: env() });
    if (config.ok) throw new Error('it is taken');
    expect(config.fault.code).toBe('usage');
    expect(config.fault.message).toContain('goalgraph.json');
    expect(config.fault.message).toContain(words);
  });

  it('may name a folder that holds nothing but what runs have left there', () => {
    write('{ "stateDir": "state" }');
    for (const name of ['skills', 'shadow.git', 'copies', 'homes']) {
      mkdirSync(join(folder, 'state', name), { recursive: true });
    }
    // What another process that starts now is about to write.
    writeFileSync(join(folder, 'state', '..gitignore.0123456789ab.tmp'), '*');
    writeFileSync(join(folder, 'state', '.owner.0123456789ab.tmp'), '');
    writeFileSync(join(folder, 'state', 'owner'), '');
    expect(read().stateDir).toBe(join(folder, 'state'));
    mkdirSync(join(folder, 'state/photos'));
    expect(refusal()).toContain('holds other things');
  });

  it('that is a folder is refused, not looked into', () => {
    mkdirSync(join(folder, 'goalgraph.json'));
    expect(readConfig(folder, { env: env() }).ok).toBe(false);
  });
});

describe('what only a person may say', () => {
  it.each([
    ['baseUrl', 'http://evil.example/v1'],
    ['keyVariable', 'GITHUB_TOKEN'],
    ['sandbox', 'off'],
    ['allowNet', true],
    ['prices', {}],
    ['windows', {}],
    ['notify', 'sh evil.sh'],
    ['limits', { day: '2m' }],
  ])('%s is refused in a workspace, with the place where it belongs', (key, value) => {
    write(JSON.stringify({ [key]: value }));
    const message = refusal();
    expect(message).toContain(`goalgraph.json sets ${key}.`);
    expect(message).toContain(userFile(env()));
  });

  it('is taken from their own file', () => {
    writeOwn({
      model: 'house-model',
      baseUrl: 'http://127.0.0.1:9/v1',
      keyVariable: 'HOUSE_KEY',
      sandbox: 'required',
      allowNet: true,
      prices: { 'house-model': { input: 1.5, cached: 0.15, output: 6 }, 'openai/x': { input: 2, output: 3 } },
      caps: { turns: 5 },
    });
    expect(read()).toMatchObject({
      model: 'house-model',
      baseUrl: 'http://127.0.0.1:9/v1',
      keyVariable: 'HOUSE_KEY',
      sandbox: 'required',
      allowNet: true,
      caps: { rounds: 12, verifications: 10, turns: 5 },
      prices: {
        'house-model': { input: 1_500_000, cached: 150_000, output: 6_000_000 },
        'openai/x': { input: 2_000_000, cached: 2_000_000, output: 3_000_000 },
      },
      files: [userFile(env())],
    });
  });

  it.each([
    [{ stateDir: 'elsewhere' }, 'belongs in goalgraph.json of a workspace'],
    [{ baseUrl: 'file:///etc/passwd' }, 'no address'],
    [{ baseUrl: 'http://user:secret@box/v1' }, 'without a user, password or query'],
    [{ baseUrl: 'http://box/v1?key=secret' }, 'without a user, password or query'],
    [{ keyVariable: 'A=B' }, 'keyVariable'],
    [{ sandbox: 'maybe' }, 'sandbox'],
    [{ prices: { x: { input: -1, output: 1 } } }, 'prices.x.input'],
    [{ windows: { x: 100 } }, 'windows.x'],
    [{ limits: { day: '2x' } }, 'limits.day: no amount like 2m or 10usd'],
    [{ limits: { day: 2_000_000 } }, 'limits.day'],
    [{ limits: { day: { tokens: '10usd' } } }, 'limits.day'],
    [{ limits: { month: {} } }, 'limits.month: no amount like 2m'],
    [{ limits: { week: '2m' } }, 'week'],
    [{ modle: 'x' }, 'modle'],
  ])('is refused by name when it says %j', (json, words) => {
    writeOwn(json);
    const message = refusal();
    expect(message).toContain(userFile(env()));
    expect(message).toContain(words);
  });

  it('sets ceilings above all runs: tokens, money, or both', () => {
    writeOwn({ limits: { day: '2m', month: { tokens: '1.5m', cost: '$10' } } });
    const { limits, origins } = read();
    expect(limits).toEqual({
      day: { tokens: 2_000_000, cost: null },
      month: { tokens: 1_500_000, cost: 10_000_000 },
    });
    expect(origins.get('limits.day')).toBe('user');
    writeOwn({ limits: { month: '0.50usd' } });
    expect(read().limits).toEqual({
      day: { tokens: null, cost: null },
      month: { tokens: null, cost: 500_000 },
    });
  });

  it('lies where XDG_CONFIG_HOME says, unless that is relative and so the choice of a workspace', () => {
    expect(userFile({ HOME: '/h', XDG_CONFIG_HOME: '/x' })).toBe('/x/goalgraph/config.json');
    expect(userFile({ HOME: '/h', XDG_CONFIG_HOME: 'x' })).toBe('/h/.config/goalgraph/config.json');
    expect(userFile({ HOME: '/h' })).toBe('/h/.config/goalgraph/config.json');
  });
});

describe('the order', () => {
  const origin = (options: ConfigOptions) => {
    const { model, origins } = read(options);
    return [model, origins.get('model')];
  };

  it('is flags, environment, workspace, person, default', () => {
    expect(origin({})).toEqual([null, 'default']);
    writeOwn({ model: 'openai/own' });
    expect(origin({})).toEqual(['openai/own', 'user']);
    write('{ "model": "openai/workspace" }');
    expect(origin({})).toEqual(['openai/workspace', 'workspace']);
    const said = { GOALGRAPH_MODEL: 'openai/environment' };
    expect(origin({ env: said })).toEqual(['openai/environment', 'environment']);
    const flags = { model: 'openai/flag' };
    expect(origin({ env: said, flags })).toEqual(['openai/flag', 'flag']);
  });

  it('holds for each cap and each panel by itself', () => {
    writeOwn({ caps: { rounds: 2, turns: 3 }, panel: { final: 5 } });
    write('{ "caps": { "rounds": 4 }, "panel": { "node": 2 } }');
    const { caps, panel } = read({ flags: { caps: { verifications: 7 } } });
    expect(caps).toEqual({ rounds: 4, verifications: 7, turns: 3 });
    expect(panel).toEqual({ node: 2, final: 5 });
  });

  it('takes an empty variable for none, and names a wrong one', () => {
    expect(origin({ env: { GOALGRAPH_MODEL: '' } })).toEqual([null, 'default']);
    const env = { GOALGRAPH_VERIFIER_MODEL: 'groq/x', GOALGRAPH_BASE_URL: 'http://127.0.0.1:1/v1' };
    expect(read({ env })).toMatchObject({ verifierModel: 'groq/x', baseUrl: 'http://127.0.0.1:1/v1' });
    expect(refusal({ env: { GOALGRAPH_BASE_URL: '127.0.0.1' } })).toContain('GOALGRAPH_BASE_URL');
  });
});

describe('the workspace', () => {
  it('of a plan file is what the file says, else -C', () => {
    const sub = join(folder, 'sub');
    mkdirSync(sub);
    const file = join(sub, 'plan.md');
    expect(workspaceOfPlan({ file, workspace: '..', dir: '/' })).toEqual({ ok: true, value: folder });
    expect(workspaceOfPlan({ file, workspace: null, dir: folder })).toEqual({ ok: true, value: folder });
    const missing = workspaceOfPlan({ file, workspace: 'nowhere', dir: null });
    expect(missing.ok ? '' : missing.fault.message).toContain(join(sub, 'nowhere'));
  });

  it('of other commands is the nearest folder upwards with goalgraph in it', () => {
    const deep = join(folder, 'a/b/c');
    mkdirSync(deep, { recursive: true });
    write('{}');
    expect(workspaceHere(deep)).toEqual({ ok: true, value: folder });
    mkdirSync(join(folder, 'a/.goalgraph'));
    expect(workspaceHere(deep)).toEqual({ ok: true, value: join(folder, 'a') });
  });
});
