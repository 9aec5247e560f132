import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { globMatches } from '../../src/graph/glob-match.ts';
import { protectedPaths, putBack, type ChangedGround, type CheckGround } from '../../src/graph/protected.ts';

const FILES = [
  'package.json',
  'Makefile',
  'test.sh',
  'src/a.ts',
  'src/main.js',
  'src/sub/b.ts',
  'test/a.test.js',
  'test/helper.js',
  'test/golden/a.txt',
  'with blank/run me.sh',
  'packages/one/package.json',
  'packages/one/check.sh',
  'packages/one/src/x.js',
  'vitest.config.ts',
];

function of(check: string, rest: Partial<CheckGround> = {}): readonly string[] {
  return protectedPaths({ check, files: FILES, frozen: [], scope: ['src/**'], ...rest });
}

describe('what a check stands on', () => {
  it.each<[string, readonly string[]]>([
    ['sh test.sh', ['test.sh']],
    ['sh ./test.sh --fast', ['test.sh']],
    ['bash "test.sh" && echo ok', ['test.sh']],
    ["sh -c 'cd . && ./test.sh; true'", ['test.sh']],
    ['sh <test.sh', ['test.sh']],
    ['out=$(./test.sh); test "$out" = ok', ['test.sh']],
    ["'with blank/run me.sh'", ['with blank/run me.sh']],
    ['with\\ blank/run\\ me.sh', ['with blank/run me.sh']],
    ['pytest test/a.test.js::case', ['test/a.test.js']],
    ['runner --config=vitest.config.ts', ['vitest.config.ts']],
    ['mocha test', ['test/a.test.js', 'test/helper.js', 'test/golden/a.txt']],
    ['mocha test/', ['test/a.test.js', 'test/helper.js', 'test/golden/a.txt']],
    ['node --test test/*.js', ['test/a.test.js', 'test/helper.js']],
    ['npm test', ['package.json']],
    ['npx tool', ['package.json']],
    ['make check', ['Makefile']],
    ['cd packages/one && sh check.sh', ['packages/one/check.sh']],
    ['npm --prefix packages/one test', ['package.json', 'packages/one/package.json']],
    ['node src/main.js', []],
    ['cargo test', []],
    ['grep -q "no such file" new.txt', []],
    ['go test ./...', []],
  ])('%s: %j', (check, files) => {
    expect(of(check)).toEqual(files);
  });

  it('is what the scripts of the package run, as they were', () => {
    const scripts = { test: 'npm run unit', unit: 'sh test.sh', pretest: 'node test/helper.js', lint: 'x' };
    expect(of('npm test', { scripts })).toEqual(['package.json', 'test.sh', 'test/helper.js']);
    expect(of('npm t', { scripts })).toEqual(of('npm test', { scripts }));
  });

  it('is not a script that the node itself has to write', () => {
    expect(of('npm run new', { scripts: {} })).toEqual([]);
    expect(of('npm run new', { scripts: { test: 'x' } })).toEqual([]);
  });

  it('ends with scripts that call each other', () => {
    expect(of('npm run a', { scripts: { a: 'npm run b', b: 'npm run a test.sh' } })).toEqual([
      'package.json',
      'test.sh',
    ]);
  });

  it('may be changed inside the scope of the node', () => {
    expect(of('sh test.sh', { scope: ['test.sh'] })).toEqual([]);
    expect(of('mocha test', { scope: ['test/golden/**'] })).toEqual(['test/a.test.js', 'test/helper.js']);
    expect(of('npm test', { scope: ['package.json'] })).toEqual([]);
  });

  it.each([[[]], [['**']], [['./']]])('stays protected when the scope is everything (F-61): %j', (scope) => {
    const cut = scope.map((entry: string) => (entry === './' ? '**' : entry));
    expect(of('sh test.sh', { scope: cut })).toEqual(['test.sh']);
    expect(of('npm test', { scope: cut })).toEqual(['package.json']);
  });

  it('is in a folder only what looks like a test, when the node may write anywhere', () => {
    expect(of('eslint src test packages', { scope: [] })).toEqual([
      'test/a.test.js',
      'test/helper.js',
      'test/golden/a.txt',
    ]);
    expect(of("eslint 'src/**/*.ts'", { scope: [] })).toEqual([]);
  });

  it('is not the product that it runs, when the node may write anywhere', () => {
    expect(of('node src/main.js --version', { scope: [] })).toEqual([]);
    expect(of('node src/main.js --version', { scope: ['doc/**'] })).toEqual(['src/main.js']);
    expect(of('sh test.sh src/main.js', { scope: [] })).toEqual(['test.sh']);
  });

  it('holds frozen files, in every scope', () => {
    for (const scope of [[], ['test/**'], ['src/**']]) {
      expect(of('cargo test', { scope, frozen: ['test/golden/**'] })).toEqual(['test/golden/a.txt']);
      expect(of('cargo test', { scope, frozen: ['*.sh'] })).toEqual([
        'test.sh',
        'with blank/run me.sh',
        'packages/one/check.sh',
      ]);
    }
  });

  it('is made of files that were there, each once, in their order', () => {
    fc.assert(
      fc.property(fc.string(), fc.array(fc.string()), fc.array(fc.string()), (check, frozen, scope) => {
        const files = of(`${check} test.sh`, { frozen, scope });
        expect(files).toEqual(FILES.filter((file) => files.includes(file)));
      }),
    );
  });
});

describe('a glob', () => {
  it.each<[string, string, boolean]>([
    ['a/b.ts', 'a/b.ts', true],
    ['a', 'a/b.ts', true],
    ['a/', 'a/b.ts', true],
    ['./a/b.ts', 'a/b.ts', true],
    ['a', 'ab/c', false],
    ['a/**', 'a/b/c', true],
    ['**/c', 'a/b/c', true],
    ['**/c', 'c', true],
    ['a/**/c', 'a/c', true],
    ['a/**/c', 'a/x/y/c', true],
    ['a/**/c', 'b/c', false],
    ['*.snap', 'a/b/x.snap', true],
    ['*/x.snap', 'a/b/x.snap', false],
    ['a/*.ts', 'a/b.ts', true],
    ['a/*.ts', 'a/b/c.ts', false],
    ['a/?.ts', 'a/b.ts', true],
    ['a/?.ts', 'a/bb.ts', false],
    ['**', '.hidden/x', true],
    ['*.{js,ts}', 'a.ts', true],
    ['{a,b/{c,d}}/x', 'b/d/x', true],
    ['{a,b}/x', 'c/x', false],
    ['[a-c]x', 'bx', true],
    ['[!a-c]x', 'bx', false],
    ['[!a-c]x', 'dx', true],
    ['[', '[', true],
    ['a\\*b', 'a*b', true],
    ['a\\*b', 'axb', false],
    ['', 'a', false],
  ])('%s on %s: %s', (glob, path, matches) => {
    expect(globMatches(glob, path)).toBe(matches);
  });

  it('is never slow', () => {
    const name = 'a'.repeat(250);
    expect(globMatches(`${'*a'.repeat(100)}b`, name)).toBe(false);
    expect(globMatches(`${'**/'.repeat(200)}b`, `${'a/'.repeat(200)}c`)).toBe(false);
    expect(globMatches('{a,b}'.repeat(40), name)).toBe(false);
    expect(globMatches('{'.repeat(50_000), name)).toBe(false);
    expect(globMatches('['.repeat(2_000), name)).toBe(false);
  });
});

describe('what is put back before a check is run again', () => {
  const back = (changed: readonly string[], rest: Partial<ChangedGround> = {}) =>
    putBack({ check: 'node --test', files: FILES, frozen: [], scopes: [['src/**']], changed, ...rest });

  it('is all that was there outside of the scope, whatever the check names', () => {
    expect(back(['src/a.ts', 'test/helper.js', 'Makefile'])).toEqual(['test/helper.js', 'Makefile']);
  });

  it('is what is new outside of it only if it is a test or steers programs', () => {
    const fresh = ['notes.txt', 'GNUmakefile', '.npmrc', 'tests/conftest.py', 'test/new.js', 'dist/out.js'];
    expect(back(fresh)).toEqual(['GNUmakefile', '.npmrc', 'tests/conftest.py', 'test/new.js']);
  });

  it('is what is frozen, in the scope or not, new or not', () => {
    expect(back(['src/a.ts', 'src/new.ts'], { frozen: ['src/**'] })).toEqual(['src/a.ts', 'src/new.ts']);
  });

  it('is nothing that another node was to write', () => {
    const scopes = [['src/**'], ['test/**']];
    expect(back(['test/helper.js', 'test.sh'], { scopes })).toEqual(['test.sh']);
  });

  it('is what the check names, where somebody may write anywhere', () => {
    const scopes = [['src/**'], []];
    const changed = ['test.sh', 'test/helper.js', 'packages/one/src/x.js'];
    expect(back(changed, { check: 'sh test.sh', scopes })).toEqual(['test.sh']);
  });
});
