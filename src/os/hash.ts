import { createHash } from 'node:crypto';

/** 64 hex digits; a string is hashed as UTF-8. */
export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex');
}
