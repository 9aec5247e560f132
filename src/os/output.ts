/** Keeps the beginning and the end of what a command writes, in constant memory, and counts all of it. */

export interface OutputCap {
  /** Bytes kept of the beginning, and of the end. */
  readonly head: number;
  readonly tail: number;
}

export interface OutputCollector {
  /** Copies what it keeps. */
  add(bytes: Uint8Array): void;
  /** Bytes so far, kept or not. */
  count(): number;
  /** What was kept, with one line in the place of what was not. */
  kept(): Buffer;
}

export function collectOutput(cap: OutputCap): OutputCollector {
  const head = growingBuffer(cap.head);
  const tail = ringBuffer(cap.tail);
  let count = 0;
  return {
    add(bytes) {
      count += bytes.length;
      const taken = head.add(bytes);
      if (taken < bytes.length) tail.add(bytes.subarray(taken));
    },
    count: () => count,
    kept() {
      const first = head.bytes();
      const last = tail.bytes();
      if (first.length + last.length === count) return Buffer.concat([first, last]);
      const before = first.subarray(0, cutBackwards(first));
      const after = last.subarray(cutForwards(last));
      const left = count - before.length - after.length;
      const lineBreak = before.length === 0 || before.at(-1) === NEWLINE ? '' : '\n';
      return Buffer.concat([before, Buffer.from(`${lineBreak}[${left} bytes left out here]\n`), after]);
    },
  };
}

const NEWLINE = 0x0a;

/** How far from a cut a better place for it is looked for. */
const REACH = 8 * 1024;

/**
 * Where to end the head. Half a key is still a secret, and no pattern knows it for one, so the cut goes back to the
 * last line break, else to the last character that no key contains.
 */
function cutBackwards(bytes: Buffer): number {
  const from = Math.max(0, bytes.length - REACH);
  for (const isPlace of [isNewline, isOutsideKeys]) {
    for (let i = bytes.length; i > from; i--) if (isPlace(bytes[i - 1])) return i;
  }
  return bytes.length;
}

/** Where to begin the tail, likewise. */
function cutForwards(bytes: Buffer): number {
  const to = Math.min(bytes.length, REACH);
  for (const isPlace of [isNewline, isOutsideKeys]) {
    for (let i = 0; i < to; i++) if (isPlace(bytes[i])) return i + 1;
  }
  return 0;
}

function isNewline(byte: number | undefined): boolean {
  return byte === NEWLINE;
}

/** Space, control characters, quotes, brackets and the like; no part of a longer UTF-8 sequence. */
function isOutsideKeys(byte: number | undefined): boolean {
  return byte !== undefined && byte < 0x80 && !/[\w\-.+/=~]/.test(String.fromCharCode(byte));
}

interface ByteBuffer {
  bytes(): Buffer;
}

/** Takes bytes until it is full; says how many it took. Most outputs are small, so it starts small. */
function growingBuffer(cap: number): ByteBuffer & { add(bytes: Uint8Array): number } {
  let buffer = Buffer.alloc(0);
  let length = 0;
  return {
    add(bytes) {
      const take = Math.min(bytes.length, cap - length);
      if (take === 0) return 0;
      if (length + take > buffer.length) {
        const grown = Buffer.allocUnsafe(Math.min(cap, Math.max(1024, 2 * (length + take))));
        buffer.copy(grown, 0, 0, length);
        buffer = grown;
      }
      buffer.set(bytes.subarray(0, take), length);
      length += take;
      return take;
    },
    bytes: () => buffer.subarray(0, length),
  };
}

/** Keeps the last `size` bytes. */
function ringBuffer(size: number): ByteBuffer & { add(bytes: Uint8Array): void } {
  let ring: Buffer | null = null;
  let next = 0;
  let full = false;
  return {
    add(bytes) {
      if (size === 0) return;
      ring ??= Buffer.allocUnsafe(size);
      const last = bytes.subarray(Math.max(0, bytes.length - size));
      const before = last.subarray(0, size - next);
      ring.set(before, next);
      ring.set(last.subarray(before.length), 0);
      full ||= next + last.length >= size;
      next = (next + last.length) % size;
    },
    bytes() {
      if (ring === null) return Buffer.alloc(0);
      return full ? Buffer.concat([ring.subarray(next), ring.subarray(0, next)]) : ring.subarray(0, next);
    },
  };
}
