import { spawnSync } from 'node:child_process';
import { closeSync, openSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';
import { tempFolder } from '../support/os.ts';

/** What a program that is started by one with an open folder and an open file says of them. */
function started(args: readonly string[]): string {
  const folder = tempFolder();
  writeFileSync(join(folder, 'a.txt'), 'a\n');
  const [place, file] = [openSync(folder, 'r'), openSync(join(folder, 'a.txt'), 'r')];
  try {
    // The last ones are far from the others, where Node itself does not look.
    const stdio = ['ignore', 'pipe', 'pipe', place, file, ...Array<'ignore'>(20).fill('ignore'), place];
    const ran = spawnSync(process.execPath, args, { stdio: stdio as never, encoding: 'utf8' });
    return ran.stdout + ran.stderr;
  } finally {
    closeSync(place);
    closeSync(file);
  }
}

const LOOK = `
  const { fstatSync, readdirSync } = await import('node:fs');
  const { spawnSync } = await import('node:child_process');
  const kinds = [3, 4, 25].map((fd) => {
    try { return fstatSync(fd).isDirectory() ? 'folder' : 'file'; } catch { return 'closed'; }
  });
  const inner = spawnSync('/bin/sh', ['-c', 'ls /proc/self/fd/25/']);
  console.log(kinds.join(), inner.stdout.toString().trim());
`;

/** As plain JavaScript: a loader for TypeScript has folders of its own open now and then. */
function compiled(): string {
  const source = readFileSync(new URL('../../src/os/inherited.ts', import.meta.url), 'utf8');
  const { outputText } = ts.transpileModule(source, { compilerOptions: { module: ts.ModuleKind.ESNext } });
  const file = join(tempFolder(), 'inherited.mjs');
  writeFileSync(file, outputText);
  return file;
}

it('a folder that was left open is closed, and no command gets it', () => {
  const call = `
    const { closeInheritedFolders } = await import('${compiled()}');
    closeInheritedFolders();
  `;
  const run = (script: string): string => started(['--input-type=module', '-e', script]);
  expect(run(LOOK)).toBe('folder,file,folder a.txt\n');
  expect(run(call + LOOK)).toBe('closed,file,closed \n');
});
