/**
 * What is loaded into the built command line before it starts, and into nothing that it starts: a record of where it
 * connects to, and a clock that runs faster, for time-outs and back-offs that nobody wants to sit through.
 */

import { existsSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Rig } from './rig.ts';

const RECORD = `
const net = require('node:net');
const fs = require('node:fs');
const connect = net.Socket.prototype.connect;
net.Socket.prototype.connect = function (...args) {
  const [first] = args;
  const options = Array.isArray(first) ? first[0] : first;
  const to = typeof options === 'object' ? (options.path ?? options.host + ':' + options.port) : String(options);
  fs.appendFileSync(FILE, to + '\\n');
  return connect.apply(this, args);
};
`;

const WARP = `
const begun = Date.now();
const RealDate = Date;
const now = () => Math.floor(begun + (RealDate.now() - begun) * FACTOR);
globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(now());
    else super(...args);
  }
  static now() {
    return now();
  }
};
const later = globalThis.setTimeout;
globalThis.setTimeout = (call, ms = 0, ...args) => later(call, Math.ceil(ms / FACTOR), ...args);
`;

const AHEAD = `
const RealDate = Date;
globalThis.Date = class extends RealDate {
  constructor(...args) {
    if (args.length === 0) super(RealDate.now() + LEAD);
    else super(...args);
  }
  static now() {
    return RealDate.now() + LEAD;
  }
};
`;

export interface Preload {
  readonly env: Readonly<Record<string, string>>;
  /** Addresses it has connected to, each once. */
  readonly connections: () => readonly string[];
}

export interface PreloadOptions {
  /** How many times as fast the clock runs. */
  readonly warp?: number | null;
  /** Milliseconds that the clock is ahead; not together with the other. */
  readonly ahead?: number | null;
}

export function preload(rig: Rig, { warp = null, ahead = null }: PreloadOptions = {}): Preload {
  const script = join(rig.root, 'preload.cjs');
  const log = join(rig.root, 'connections.log');
  const parts = [
    'delete process.env.NODE_OPTIONS;',
    RECORD.replace('FILE', JSON.stringify(log)),
    ...(ahead === null ? [] : [AHEAD.replaceAll('LEAD', String(ahead))]),
    ...(warp === null ? [] : [WARP.replace('FACTOR', String(warp)).replace('FACTOR', String(warp))]),
  ];
  writeFileSync(script, parts.join('\n'));
  return {
    env: { NODE_OPTIONS: `--require=${script}` },
    connections: () =>
      existsSync(log) ? [...new Set(readFileSync(log, 'utf8').trim().split('\n'))].sort() : [],
  };
}
