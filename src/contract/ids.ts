/** Ids. A node's id depends on its slug alone, so the same plan has the same ids on every machine. */

/** `gn-` and 16 hex digits of FNV-1a-64 over the slug, or `gn-final`. */
export type NodeId = `gn-${string}`;

export const FINAL_NODE: NodeId = 'gn-final';

const PRIME_LOW = 0x1b3;

/** FNV-1a-64 over the UTF-8 bytes of `text`, as 16 hex digits. */
export function fnv64(text: string): string {
  // 0xcbf29ce484222325 in two halves; the prime is 2^40 + 0x1b3. BigInt is 30 times slower.
  let low = 0x84222325;
  let high = 0xcbf29ce4;
  for (const byte of utf8(text)) {
    low ^= byte;
    const a = (low & 0xffff) * PRIME_LOW;
    const b = (low >>> 16) * PRIME_LOW + (a >>> 16);
    high = (Math.imul(high, PRIME_LOW) + (b >>> 16) + (low << 8)) | 0;
    low = (b << 16) | (a & 0xffff);
  }
  return [high, low].map((half) => (half >>> 0).toString(16).padStart(8, '0')).join('');
}

export function nodeId(slug: string): NodeId {
  return `gn-${fnv64(slug)}`;
}

const encoder = new TextEncoder();
function utf8(text: string): Uint8Array {
  return encoder.encode(text);
}
