/** Ids. A node's id depends on its slug alone, so the same plan has the same ids on every machine. */

/** `gn-` and 16 hex digits of FNV-1a-64 over the slug, or `gn-final`. */
export type NodeId = `gn-${string}`;

export const FINAL_NODE: NodeId = 'gn-final';

const PRIME_LOW = 0x1b3;

/** FNV-1a-64 over the UTF-8 bytes of `text`, as 16 hex digits. */
export function fnv64(text: string): string {
  // 0xcbf29ce484222325 in four 16-bit limbs, lowest first; the prime is 2^40 + 0x1b3. BigInt is 30 times slower.
  let a = 0x2325;
  let b = 0x8422;
  let c = 0x9ce4;
  let d = 0xcbf2;
  for (const byte of utf8(text)) {
    a ^= byte;
    const low = a * PRIME_LOW;
    const mid = b * PRIME_LOW + (low >>> 16);
    const high = c * PRIME_LOW + (a << 8) + (mid >>> 16);
    const top = d * PRIME_LOW + (b << 8) + (high >>> 16);
    a = low & 0xffff;
    b = mid & 0xffff;
    c = high & 0xffff;
    d = top & 0xffff;
  }
  return [d, c, b, a].map((limb) => limb.toString(16).padStart(4, '0')).join('');
}

export function nodeId(slug: string): NodeId {
  return `gn-${fnv64(slug)}`;
}

const encoder = new TextEncoder();
function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}
