/** A real workspace for the tests of the tools, and their answers. */

import { mkdirSync, realpathSync, symlinkSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { expect } from 'vitest';
import type { Tool, ToolFault, ToolReply } from '../../src/contract/tool.ts';
import { makePlace } from '../../src/tool/resolve.ts';
import type { Place } from '../../src/tool/resolve.ts';
import { tempFolder } from '../support/os.ts';

export interface Workspace {
  readonly place: Place;
  readonly root: string;
  /** A folder beside the root, which nothing may reach. */
  readonly outside: string;
}

export async function workspace(mayWrite: (path: string) => boolean = () => true): Promise<Workspace> {
  const folder = realpathSync(tempFolder());
  const root = join(folder, 'root');
  const outside = join(folder, 'outside');
  put(outside, { 'secret.txt': 'secret\n' });
  put(root, {
    'src/a.ts': 'one\ntwo\nthree\n',
    'out/here.txt': 'here\n',
    '.git/HEAD': 'ref: refs/heads/main\n',
    '.state/journal.db': 'journal\n',
    'sub/.git/HEAD': 'ref: refs/heads/main\n',
  });
  const links: readonly (readonly [string, string])[] = [
    ['link-file-out', join(outside, 'secret.txt')],
    ['link-folder-out', outside],
    ['link-relative-out', '../outside/secret.txt'],
    ['link-in', 'src/a.ts'],
    ['link-folder-in', 'src'],
    ['link-git', '.git'],
    ['link-state', '.state'],
    ['link-dangling', join(outside, 'not-there.txt')],
    ['link-dangling-in', 'src/not-there.ts'],
    ['link-loop', 'link-loop'],
    ['link-proc', '/proc/self'],
    ['link-null', '/dev/null'],
    ['out/link', '../src'],
    ['out/link-out', outside],
  ];
  for (const [name, to] of links) symlinkSync(to, join(root, name));
  return { place: await makePlace({ root, stateDir: join(root, '.state'), mayWrite }), root, outside };
}

export function put(root: string, files: Readonly<Record<string, string | Buffer>>): void {
  for (const [name, content] of Object.entries(files)) {
    mkdirSync(dirname(join(root, name)), { recursive: true });
    writeFileSync(join(root, name), content);
  }
}

const NEVER = new AbortController().signal;

export async function reply(tool: Tool, args: unknown): Promise<ToolReply> {
  const result = await tool.run(args, NEVER);
  if (!result.ok) throw new Error(`${result.fault.code}: ${result.fault.message}`);
  return result.value;
}

export async function fault(tool: Tool, args: unknown): Promise<ToolFault> {
  const result = await tool.run(args, NEVER);
  expect(result).toMatchObject({ ok: false });
  if (result.ok) throw new Error('no fault');
  return result.fault;
}
