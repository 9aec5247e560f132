/**
 * Puppet commands: real processes that connect back to the test and do what it says. The test sees each start and
 * decides each end, so that order is asserted and never hoped for.
 */

import { chmodSync, writeFileSync } from 'node:fs';
import { createServer, type Socket } from 'node:net';
import { join } from 'node:path';
import { until } from './os.ts';

/** `stubborn`: ignores SIGTERM. `beating`: keeps adding its pid to the file `beats`, for as long as it lives. */
export type Trait = 'stubborn' | 'beating';

/** One start of a puppet. */
export interface Call {
  readonly pid: number;
  /** Place among all starts and ends that the test has seen, of all puppets. */
  readonly startedAt: number;
  readonly endedAt: () => number | null;
  readonly exit: (code: number) => void;
  /** Prints on stdout. */
  readonly print: (text: string) => void;
  /** Writes a file in the folder it runs in, and waits until it is written. */
  readonly write: (file: string, text: string) => Promise<void>;
  /** Starts a process that leaves the group, and waits until it is there. */
  readonly daemon: () => Promise<void>;
  /** Waits until the process is gone, whoever ended it. */
  readonly gone: () => Promise<void>;
}

export interface Puppet {
  readonly command: string;
  /** Waits for the next start that was not handed out yet. */
  readonly called: () => Promise<Call>;
  readonly calls: () => number;
}

export interface Theatre {
  readonly puppet: (name: string, ...traits: readonly Trait[]) => Puppet;
  readonly close: () => Promise<void>;
}

const SCRIPT = `
const net = require('node:net');
const fs = require('node:fs');
const { spawn } = require('node:child_process');
const [path, name, ...traits] = process.argv.slice(2);
if (traits.includes('stubborn')) process.on('SIGTERM', () => {});
if (traits.includes('beating')) setInterval(() => fs.appendFileSync('beats', process.pid + '\\n'), 5);
const socket = net.connect(path, () => say({ name, pid: process.pid }));
const say = (message) => socket.write(JSON.stringify(message) + '\\n');
let text = '';
socket.on('data', (chunk) => {
  text += chunk;
  for (let end = text.indexOf('\\n'); end >= 0; end = text.indexOf('\\n')) {
    const order = JSON.parse(text.slice(0, end));
    text = text.slice(end + 1);
    if (order.print !== undefined) fs.writeSync(1, order.print);
    if (order.write !== undefined) {
      fs.writeFileSync(order.write, order.text);
      say({ did: order.write });
    }
    if (order.daemon !== undefined) {
      const daemon = spawn('sleep', ['1000'], { detached: true, stdio: 'ignore' });
      daemon.once('spawn', () => say({ did: 'daemon' }));
    }
    if (order.exit !== undefined) process.exit(order.exit);
  }
});
// The test is gone: nobody is left to say when to end.
socket.on('close', () => process.exit(97));
socket.on('error', () => process.exit(98));
`;

export async function openTheatre(folder: string): Promise<Theatre> {
  const script = join(folder, 'puppet.cjs');
  const path = join(folder, 'puppets.sock');
  writeFileSync(script, SCRIPT);
  let clock = 0;
  const sockets = new Set<Socket>();
  const calls = new Map<string, Call[]>();

  const server = createServer((socket) => {
    sockets.add(socket);
    const done = new Set<string>();
    let ended: number | null = null;
    let text = '';
    socket.on('error', () => undefined);
    socket.on('close', () => {
      ended = ++clock;
      sockets.delete(socket);
    });
    socket.on('data', (chunk) => {
      text += chunk.toString();
      for (let end = text.indexOf('\n'); end >= 0; end = text.indexOf('\n')) {
        hear(JSON.parse(text.slice(0, end)) as Message);
        text = text.slice(end + 1);
      }
    });
    const tell = (order: Order) => void socket.write(`${JSON.stringify(order)}\n`);
    const hear = (message: Message) => {
      if ('did' in message) {
        done.add(message.did);
        return;
      }
      const { name, pid } = message;
      const call: Call = {
        pid,
        startedAt: ++clock,
        endedAt: () => ended,
        exit: (code) => tell({ exit: code }),
        print: (words) => tell({ print: words }),
        async write(file, words) {
          tell({ write: file, text: words });
          await until(`${name} has written ${file}`, () => done.delete(file));
        },
        async daemon() {
          tell({ daemon: true });
          await until(`${name} has a daemon`, () => done.delete('daemon'));
        },
        gone: () => until(`${name} (${pid}) is gone`, () => ended !== null),
      };
      calls.set(name, [...(calls.get(name) ?? []), call]);
    };
  });
  await new Promise<void>((resolve) => server.listen(path, resolve));
  // Commands may run as another user.
  chmodSync(path, 0o777);

  return {
    puppet(name, ...traits) {
      let taken = 0;
      return {
        command: ['exec', process.execPath, script, path, name, ...traits].join(' '),
        calls: () => calls.get(name)?.length ?? 0,
        async called() {
          const place = taken++;
          await until(
            `puppet ${name} is started (${place + 1})`,
            () => calls.get(name)?.[place] !== undefined,
          );
          const call = calls.get(name)?.[place];
          if (!call) throw new Error('it was there a moment ago');
          return call;
        },
      };
    },
    close: () =>
      new Promise((resolve) => {
        for (const socket of sockets) socket.destroy();
        server.close(() => resolve());
      }),
  };
}

type Message = { readonly name: string; readonly pid: number } | { readonly did: string };

interface Order {
  readonly exit?: number;
  readonly print?: string;
  readonly write?: string;
  readonly text?: string;
  readonly daemon?: true;
}
