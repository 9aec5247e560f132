import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { fnv64, nodeId } from '../../src/contract/ids.ts';

/** As the definition says it, with whole numbers. */
function reference(text: string): string {
  let hash = 0xcbf29ce484222325n;
  for (const byte of new TextEncoder().encode(text)) {
    hash = ((hash ^ BigInt(byte)) * 0x100000001b3n) & 0xffffffffffffffffn;
  }
  return hash.toString(16).padStart(16, '0');
}

describe('an id', () => {
  it('is FNV-1a-64, as published', () => {
    expect(fnv64('')).toBe('cbf29ce484222325');
    expect(fnv64('a')).toBe('af63dc4c8601ec8c');
    expect(fnv64('foobar')).toBe('85944171f73967e8');
  });

  it('is that for every text', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 200 }), (text) => fnv64(text) === reference(text)),
    );
  });

  it('depends on the slug alone', () => {
    expect(nodeId('parse-csv')).toBe('gn-df89e2447f41c5fd');
  });
});
