import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { overlaps, scopeCut, scopeEntry } from '../../src/graph/scope.ts';

describe('scopeEntry', () => {
  it.each([
    ['src/csv/**', 'src/csv/**'],
    ['./src//csv/./a.ts', 'src/csv/a.ts'],
    ['src/', 'src'],
    ['  src  ', 'src'],
    ['.', '**'],
    ['./', '**'],
    ['.github/x', '.github/x'],
    ['a..b/..c', 'a..b/..c'],
    ['a:b', 'a:b'],
    ['~notes', '~notes'],
    ['docs/my file.md', 'docs/my file.md'],
  ])('keeps %j as %j', (text, scope) => {
    expect(scopeEntry(text)).toEqual({ ok: true, scope });
  });

  it.each([
    ['', 'blank'],
    ['  ', 'blank'],
    ['/etc/passwd', 'absolute'],
    ['~/x', 'absolute'],
    ['~', 'absolute'],
    ['./~/x', 'absolute'],
    ['C:\\x', 'absolute'],
    ['c:/x', 'absolute'],
    ['\\\\host\\share', 'absolute'],
    ['..', 'parent'],
    ['../x', 'parent'],
    ['src/../../x', 'parent'],
    ['src/..', 'parent'],
    ['src\\..\\x', 'parent'],
    ['a\0b', 'nul'],
  ])('refuses %j as %s', (text, why) => {
    expect(scopeEntry(text)).toEqual({ ok: false, why });
  });

  it('changes nothing the second time', () => {
    const path = fc.string({ unit: fc.constantFrom('a', ':', '~', '.', '/', '*', ' ', '\\') });
    fc.assert(
      fc.property(path, (text) => {
        const first = scopeEntry(text);
        if (first.ok) expect(scopeEntry(first.scope)).toEqual(first);
      }),
    );
  });
});

describe('scopeCut', () => {
  it.each([
    ['src/csv', 'src/csv/'],
    ['src/csv/**', 'src/csv/'],
    ['src/*.ts', 'src/'],
    ['src/a*', 'src/a'],
    ['src/{a,b}/x', 'src/'],
    ['src/[ab].ts', 'src/'],
    ['src/a?.ts', 'src/a'],
    ['src/+(a|b)', 'src/'],
    ['!src', ''],
    ['**', ''],
    ['*.md', ''],
    ['./src/./a//**', 'src/a/'],
    ['.github', '.github/'],
    ['.', ''],
  ])('of %j is %j', (entry, cut) => {
    expect(scopeCut(entry)).toBe(cut);
  });
});

describe('overlaps', () => {
  it.each([
    [['src/a'], ['src/a'], true],
    [['src/a'], ['src/ab'], false],
    [['src/a/**'], ['src/ab/**'], false],
    [['src/a*'], ['src/ab/**'], true],
    [['src/a*'], ['src/a'], true],
    [['src/a*'], ['src/b'], false],
    [['src/ab*'], ['src/a'], false],
    [['src'], ['src/a/b/c.ts'], true],
    [['src/**'], ['./src/a'], true],
    [['src/a', 'test'], ['docs', 'test/a'], true],
    [['src/a', 'test'], ['docs', 'src/b'], false],
    [[], ['src'], true],
    [[], [], true],
    [['**'], ['x'], true],
    [['.'], ['x'], true],
  ])('between %j and %j is %s, both ways', (a, b, expected) => {
    expect(overlaps(a, b)).toBe(expected);
    expect(overlaps(b, a)).toBe(expected);
  });

  it('holds for plain paths exactly when one is the other or a folder of it', () => {
    const path = fc.array(fc.constantFrom('a', 'b', 'ab'), { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(path, path, (a, b) => {
        const shared = Math.min(a.length, b.length);
        const inside = a.slice(0, shared).join('/') === b.slice(0, shared).join('/');
        expect(overlaps([a.join('/')], [b.join('/')])).toBe(inside);
      }),
    );
  });
});
