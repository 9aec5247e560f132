import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/cli/config.ts';
import { workspaceHere, workspaceOfPlan } from '../../src/cli/workspace.ts';

let folder = '';

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'goalgraph-config-'));
});

afterEach(() => {
  rmSync(folder, { recursive: true });
});

const write = (text: string) => writeFileSync(join(folder, 'goalgraph.json'), text);

describe('goalgraph.json', () => {
  it('may be missing', () => {
    expect(readConfig(folder)).toEqual({
      ok: true,
      value: { stateDir: join(folder, '.goalgraph'), concurrency: 3 },
    });
  });

  it('says where the state lives and how much runs at once', () => {
    write('{ "stateDir": "var/state", "concurrency": 8 }');
    expect(readConfig(folder)).toEqual({
      ok: true,
      value: { stateDir: join(folder, 'var/state'), concurrency: 8 },
    });
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
  ])('is refused by name when it says %s', (text, words) => {
    write(text);
    const config = readConfig(folder);
    if (config.ok) throw new Error('it is taken');
    expect(config.fault.code).toBe('usage');
    expect(config.fault.message).toContain('goalgraph.json');
    expect(config.fault.message).toContain(words);
  });

  it('that is a folder is refused, not looked into', () => {
    mkdirSync(join(folder, 'goalgraph.json'));
    expect(readConfig(folder).ok).toBe(false);
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
