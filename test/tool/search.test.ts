import { symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ok } from '../../src/contract/fault.ts';
import type { Result } from '../../src/contract/fault.ts';
import type { Report, Tool } from '../../src/contract/tool.ts';
import { openShadowGit } from '../../src/os/shadow-git.ts';
import { globTool } from '../../src/tool/glob.ts';
import { grepTool } from '../../src/tool/grep.ts';
import { reportTool } from '../../src/tool/report.ts';
import { fault, put, reply, workspace } from './workspace.ts';

async function tools(
  files: Record<string, string | Buffer>,
): Promise<{ grep: Tool; glob: Tool; root: string }> {
  const { place, root } = await workspace();
  put(root, files);
  const opened = await openShadowGit({ root, stateDir: place.stateDir, env: { PATH: process.env['PATH'] } });
  if (!opened.ok) throw new Error(opened.fault.message);
  const shadow = opened.value;
  const listing = { place, files: () => shadow.files() };
  return { grep: grepTool(listing), glob: globTool(listing), root };
}

const FILES = {
  '.gitignore': '*.log\n/build\n',
  'a.log': 'needle\n',
  'build/x.ts': 'needle\n',
  'lib/.gitignore': 'local.ts\n',
  'lib/local.ts': 'needle\n',
  'lib/deep/b.ts': 'x\n  Needle (1)\r\nneedle (2)\n',
  'lib/c.js': 'needle\n',
  '.hidden/d.ts': 'x\n',
  '.state/e.ts': 'needle\n',
  'bin.ts': Buffer.from('needle\0'),
};

describe('glob', () => {
  it.each([
    ['*.ts', undefined, ['.hidden/d.ts', 'bin.ts', 'lib/deep/b.ts', 'src/a.ts']],
    ['lib/**', undefined, ['lib/.gitignore', 'lib/c.js', 'lib/deep/b.ts']],
    ['./lib/*.{js,ts}', undefined, ['lib/c.js']],
    ['**/b.??', undefined, ['lib/deep/b.ts']],
    ['*.ts', 'lib', ['lib/deep/b.ts']],
    ['deep/*', 'lib', ['lib/deep/b.ts']],
    ['../**', undefined, ['No file matches.']],
    ['.git/**', undefined, ['No file matches.']],
    ['.state/**', undefined, ['No file matches.']],
    ['*.log', undefined, ['No file matches.']],
  ])('finds %s in %s', async (pattern, path, names) => {
    const { glob } = await tools(FILES);
    expect((await reply(glob, { pattern, ...(path && { path }) })).forModel.split('\n')).toEqual(names);
  });

  it('says how many more there are', async () => {
    const many = Object.fromEntries(Array.from({ length: 600 }, (_, i) => [`many/${i}`, '']));
    const { glob } = await tools(many);
    const { forModel } = await reply(glob, { pattern: 'many/*' });
    expect(forModel).toMatch(/\[100 more files: give a narrower pattern or a path\]$/);
  });

  it('refuses a folder outside, and one that is not there', async () => {
    const { glob } = await tools(FILES);
    expect(await fault(glob, { pattern: '*', path: '..' })).toMatchObject({ code: 'parent' });
    expect(await fault(glob, { pattern: '*', path: 'link-folder-out' })).toMatchObject({ code: 'outside' });
    expect(await fault(glob, { pattern: '*', path: 'nope' })).toMatchObject({ code: 'not_found' });
  });
});

describe('grep', () => {
  it('shows file, line and text, and what it could not search', async () => {
    const { grep } = await tools(FILES);
    const { forModel } = await reply(grep, { pattern: '^\\s*needle', ignore_case: true });
    expect(forModel.split('\n')).toEqual([
      'lib/c.js:1:needle',
      'lib/deep/b.ts:2:  Needle (1)',
      'lib/deep/b.ts:3:needle (2)',
      '[1 file not searched: binary, too large or not readable]',
    ]);
  });

  it('searches a folder, a file, or names', async () => {
    const { grep } = await tools(FILES);
    const hits = async (args: object): Promise<string> =>
      (await reply(grep, { pattern: 'needle', ...args })).forModel;
    expect(await hits({ path: 'lib/deep' })).toBe('lib/deep/b.ts:3:needle (2)');
    expect(await hits({ path: 'lib/c.js' })).toBe('lib/c.js:1:needle');
    expect(await hits({ glob: '*.js' })).toBe('lib/c.js:1:needle');
    expect(await hits({ glob: '*.md' })).toBe('No line matches in 0 files.');
  });

  it('does not go through links out of the root', async () => {
    const { grep, root } = await tools({});
    symlinkSync('/etc/passwd', join(root, 'passwd'));
    expect((await reply(grep, { pattern: 'root:|secret' })).forModel).toMatch(/^No line matches/);
  });

  it('does not go through a folder that has become a link since it was listed', async () => {
    const { place, root } = await workspace();
    put(root, { 'z.txt': 'secret of ours\n' });
    const files = (): Promise<Result<readonly string[], never>> =>
      Promise.resolve(
        ok(['link-folder-out/secret.txt', 'link-state/journal.db', 'link-proc/environ', 'z.txt']),
      );
    const { forModel } = await reply(grepTool({ place, files }), { pattern: 'secret|journal|PATH' });
    expect(forModel).toBe('z.txt:1:secret of ours');
  });

  it('bounds what it shows', async () => {
    const { grep } = await tools({ long: `needle${'x'.repeat(10_000)}\n`, many: 'needle\n'.repeat(5_000) });
    const { forModel } = await reply(grep, { pattern: 'needle' });
    expect(forModel.length).toBeLessThan(5_000);
    expect(forModel).toMatch(/\[there are more: give a narrower pattern, a path or a glob\]$/);
  });

  it('ends a pattern that would take for ever', async () => {
    const { grep, glob } = await tools({ ['a'.repeat(200)]: `${'a'.repeat(60)}\n` });
    const start = performance.now();
    expect(await fault(grep, { pattern: '(a+)+b' })).toMatchObject({ code: 'too_slow' });
    const stars = `${'*a'.repeat(30)}b`;
    const result = await glob.run({ pattern: stars }, new AbortController().signal);
    expect(result.ok ? result.value.forModel : result.fault.code).toMatch(/^(?:No file matches\.|too_slow)$/);
    expect(performance.now() - start).toBeLessThan(15_000);
  });

  it('refuses what is no pattern, and cannot be made to run code', async () => {
    const { grep } = await tools({});
    expect(await fault(grep, { pattern: '(' })).toMatchObject({ code: 'bad_pattern' });
    for (const pattern of ['/); process.exit(1); (/', '${process.exit(1)}', '"+process.exit(1)+"']) {
      await grep.run({ pattern }, new AbortController().signal);
    }
    expect(await fault(grep, { pattern: 'a', flags: 'g' })).toMatchObject({ code: 'arguments' });
  });

  it('stops when told', async () => {
    const { grep } = await tools(FILES);
    const control = new AbortController();
    const searching = grep.run({ pattern: 'needle' }, control.signal);
    control.abort();
    expect(await searching).toMatchObject({ fault: { code: 'aborted' } });
  });
});

describe('report', () => {
  async function report(args: unknown, processes = true): Promise<Report | string> {
    const taken: Report[] = [];
    const result = await reportTool((r) => void taken.push(r), { processes }).run(
      args,
      new AbortController().signal,
    );
    return result.ok ? (taken[0] ?? 'nothing taken') : result.fault.code;
  }

  it('is taken as it is given', async () => {
    expect(await report({ status: 'done', summary: ' all ', evidence: ['npm test: 3 passed'] })).toEqual({
      status: 'done',
      summary: 'all',
      evidence: ['npm test: 3 passed'],
      discovered: [],
      wait: null,
    });
    expect(await report({ status: 'wait', summary: 'x', wait_minutes: 1.5 })).toMatchObject({
      wait: { kind: 'time', ms: 90_000 },
    });
    expect(await report({ status: 'wait', summary: 'x', wait_process: 42 })).toMatchObject({
      wait: { kind: 'process', pid: 42 },
    });
  });

  it('knows nothing of processes where their numbers mean nothing', async () => {
    expect(await report({ status: 'wait', summary: 'x', wait_process: 42 }, false)).toBe('arguments');
    expect(await report({ status: 'wait', summary: 'x', wait_minutes: 1 }, false)).toMatchObject({
      wait: { kind: 'time', ms: 60_000 },
    });
  });

  it.each([
    {},
    { status: 'Done', summary: 'x' },
    { status: 'achieved', summary: 'x' },
    { status: 'done', summary: '  ' },
    { status: 'done', summary: 'x', wait_minutes: 1 },
    { status: 'wait', summary: 'x' },
    { status: 'wait', summary: 'x', wait_minutes: 1, wait_process: 2 },
    { status: 'wait', summary: 'x', wait_minutes: 1_441 },
    { status: 'wait', summary: 'x', wait_minutes: -1 },
    { status: 'wait', summary: 'x', wait_process: 1 },
    { status: 'done', summary: 'x', evidence: 'all of it' },
    { status: 'done', summary: 'x', verdict: 'achieved' },
  ])('is refused: %j', async (args) => {
    expect(await report(args)).toBe('arguments');
  });
});
