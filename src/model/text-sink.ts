/** Collects a text that comes in small pieces: a million of them take no more room than the text itself. */

export interface TextSink {
  add(piece: string): void;
  /** Characters so far. */
  length(): number;
  text(): string;
}

/** Pieces joined at once: concatenation alone would keep every piece alive in a chain. */
const AT_ONCE = 1024;

export function textSink(): TextSink {
  let blocks: string[] = [];
  let pieces: string[] = [];
  let length = 0;
  function flush() {
    if (pieces.length > 0) blocks.push(pieces.join(''));
    pieces = [];
  }
  return {
    add(piece) {
      if (piece === '') return;
      length += piece.length;
      if (pieces.push(piece) >= AT_ONCE) flush();
    },
    length: () => length,
    text() {
      flush();
      if (blocks.length > 1) blocks = [blocks.join('')];
      return blocks[0] ?? '';
    },
  };
}
