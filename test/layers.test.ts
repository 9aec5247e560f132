/** The shape of the source is a rule, so it is a test. */

import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative, resolve } from 'node:path';
import ts from 'typescript';
import { describe, expect, it } from 'vitest';

const SRC = resolve(import.meta.dirname, '../src');

/** A file imports its own folder and lower rows only: never a neighbour, types included. */
const ROWS: readonly (readonly string[])[] = [
  ['contract'],
  ['kernel', 'os'],
  ['graph', 'flow', 'store', 'model', 'tool'],
  ['engine'],
  ['fleet'],
  ['cli'],
];

/** Folders that touch nothing but their arguments. */
const PURE = ['contract', 'kernel', 'graph', 'flow'];

const MAX_LINES = 400;

interface SourceFile {
  readonly name: string;
  readonly folder: string;
  readonly text: string;
  readonly imports: readonly string[];
}

const files: readonly SourceFile[] = readdirSync(SRC, { recursive: true, encoding: 'utf8' })
  .filter((name) => name.endsWith('.ts'))
  .map((name) => {
    const text = readFileSync(join(SRC, name), 'utf8');
    const imports = ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName);
    return { name, folder: folderOf(name), text, imports };
  });

function folderOf(name: string): string {
  return name.split('/')[0] ?? '';
}

function rowOf(folder: string): number {
  return ROWS.findIndex((row) => row.includes(folder));
}

function violations(file: SourceFile): readonly string[] {
  return file.imports
    .filter((specifier) => specifier.startsWith('.'))
    .map((specifier) => folderOf(relative(SRC, resolve(dirname(join(SRC, file.name)), specifier))))
    .filter((folder) => folder !== file.folder && rowOf(folder) >= rowOf(file.folder))
    .map((folder) => `${file.name} imports ${folder}/`);
}

describe('the rows of the source', () => {
  it('hold every folder', () => {
    expect(files.length).toBeGreaterThan(50);
    expect(files.filter(({ folder }) => rowOf(folder) < 0).map(({ name }) => name)).toEqual([]);
  });

  it('are imported downwards only, types included', () => {
    expect(files.flatMap(violations)).toEqual([]);
  });

  it('would show an import of a type from a higher row or a neighbour', () => {
    const probe = (name: string, text: string): SourceFile => ({
      name,
      folder: folderOf(name),
      text,
      imports: ts.preProcessFile(text).importedFiles.map(({ fileName }) => fileName),
    });
    expect(violations(probe('graph/x.ts', "import type { A } from '../engine/drive.ts';"))).toHaveLength(1);
    expect(violations(probe('graph/x.ts', "export * from '../store/open.ts';"))).toHaveLength(1);
    expect(violations(probe('kernel/x.ts', "import { a } from '../os/hash.ts';"))).toHaveLength(1);
    expect(violations(probe('graph/x.ts', "import { a } from '../kernel/step.ts';"))).toEqual([]);
  });
});

describe('a source file', () => {
  it(`has at most ${MAX_LINES} lines`, () => {
    const long = files.filter(({ text }) => text.split('\n').length > MAX_LINES + 1);
    expect(long.map(({ name }) => name)).toEqual([]);
  });

  it('is never an index', () => {
    expect(files.filter(({ name }) => /(^|\/)index\.ts$/.test(name)).map(({ name }) => name)).toEqual([]);
  });

  it('uses nothing of Node in a pure folder', () => {
    const impure = files.filter(
      ({ folder, imports, text }) =>
        PURE.includes(folder) &&
        (imports.some((specifier) => specifier.startsWith('node:')) ||
          /\bDate\.now\(|\bMath\.random\(/.test(text)),
    );
    expect(impure.map(({ name }) => name)).toEqual([]);
  });

  it('reads the environment in the command line only', () => {
    const readers = files.filter(({ folder, text }) => folder !== 'cli' && text.includes('process.env'));
    expect(readers.map(({ name }) => name)).toEqual([]);
  });
});
