import type { ChildProcess } from 'node:child_process';
import { Socket } from 'node:net';
import type { OnReadOpts, SocketConstructorOpts } from 'node:net';
import type { Pipe } from './pipes.ts';

export interface OutputReader {
  /** Resolves when every process that could write has closed its end, or after `close`. */
  readonly ended: Promise<void>;
  close(): void;
}

const BUFFER_SIZE = 64 * 1024;

/** Reads what the child writes, as fast as it comes, through one buffer: the bytes are valid during the call only. */
export function readOutput(
  child: ChildProcess,
  pipe: Pipe | null,
  onBytes: (bytes: Uint8Array) => void,
): OutputReader {
  const socket = pipe === null ? socketOf(child, onBytes) : openPipe(pipe, onBytes);
  // An end that breaks is an end.
  socket.on('error', () => undefined);
  const ended = new Promise<void>((resolve) => socket.once('close', () => resolve()));
  socket.resume();
  return { ended, close: () => void socket.destroy() };
}

function openPipe(pipe: Pipe, onBytes: (bytes: Uint8Array) => void): Socket {
  const buffer = Buffer.allocUnsafe(BUFFER_SIZE);
  const callback = (length: number): boolean => {
    onBytes(buffer.subarray(0, length));
    return true;
  };
  const options: SocketConstructorOpts & { readonly onread: OnReadOpts } = {
    fd: pipe.read,
    readable: true,
    writable: false,
    onread: { buffer, callback },
  };
  return new Socket(options);
}

function socketOf(child: ChildProcess, onBytes: (bytes: Uint8Array) => void): Socket {
  const socket = child.stdout as Socket;
  socket.on('data', onBytes);
  return socket;
}
