import { readFileSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import ts from 'typescript';
import { expect, it } from 'vitest';

/** Packages that a file pulls in when it is run, by itself or through the files it imports. */
function packagesOf(file: string, seen = new Set<string>()): ReadonlySet<string> {
  const packages = new Set<string>();
  if (seen.has(file)) return packages;
  seen.add(file);
  // What is imported as a type is gone by then.
  const text = readFileSync(file, 'utf8').replace(/^(?:import|export) type [^;]*;/gm, '');
  for (const { fileName } of ts.preProcessFile(text).importedFiles) {
    if (!fileName.startsWith('.')) packages.add(fileName);
    else for (const name of packagesOf(resolve(dirname(file), fileName), seen)) packages.add(name);
  }
  return packages;
}

it('checking a plan loads no schema, no database and no machine: it is done often, and has to be quick', () => {
  const packages = packagesOf(resolve(import.meta.dirname, '../../src/cli/commands/check.ts'));
  expect([...packages].filter((name) => ['zod', 'better-sqlite3', 'xstate'].includes(name))).toEqual([]);
  expect(packages).toContain('node:path');
});
