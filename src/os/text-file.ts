import { isUtf8 } from 'node:buffer';
import { constants } from 'node:fs';
import { open } from 'node:fs/promises';
import type { FileHandle } from 'node:fs/promises';
import { fail, ok } from '../contract/fault.ts';
import type { Result } from '../contract/fault.ts';

/** Reads a file a person wrote. A byte order mark and the line ends are left to the parser. */
export async function readTextFile(path: string, maxBytes: number): Promise<Result<string>> {
  const bytes = await readBytes(path, maxBytes);
  if (!bytes.ok) return bytes;
  const problem = whyNotText(bytes.value);
  return problem === null ? ok(bytes.value.toString('utf8')) : bad(`${path} ${problem}`);
}

async function readBytes(path: string, maxBytes: number): Promise<Result<Buffer>> {
  let file: FileHandle | null = null;
  try {
    // Without O_NONBLOCK a named pipe would keep us waiting for its writer.
    file = await open(path, constants.O_RDONLY | constants.O_NONBLOCK);
    const found = await file.stat();
    if (found.isDirectory()) return bad(`${path} is a folder. Name the file in it.`);
    if (!found.isFile())
      return bad(`${path} is a pipe or a device. Write its content to a file and name that.`);
    const bytes = await readUpTo(file, maxBytes + 1);
    if (bytes.length > maxBytes) return bad(`${path} is larger than ${maxBytes} bytes. Make it smaller.`);
    return ok(bytes);
  } catch (error) {
    return bad(whyUnreadable(path, error as NodeJS.ErrnoException));
  } finally {
    await file?.close();
  }
}

/** The size the system tells is not asked: the file may grow, and in /proc it is 0. */
async function readUpTo(file: FileHandle, limit: number): Promise<Buffer> {
  const chunks: Buffer[] = [];
  for (let left = limit; left > 0;) {
    const { bytesRead, buffer } = await file.read(Buffer.alloc(Math.min(left, 64 * 1024)));
    if (bytesRead === 0) break;
    chunks.push(buffer.subarray(0, bytesRead));
    left -= bytesRead;
  }
  return Buffer.concat(chunks);
}

function whyUnreadable(path: string, error: NodeJS.ErrnoException): string {
  switch (error.code) {
    case 'ENOENT':
      return `${path} does not exist. Check the name, and the folder it is looked for in.`;
    case 'ENOTDIR':
      return `${path} does not exist: a part of it is a file, not a folder. Check the path.`;
    case 'EACCES':
    case 'EPERM':
      return `${path} may not be read: permission denied. Change its permissions.`;
    case 'ELOOP':
      return `${path} is a symbolic link that leads back to itself. Name the file it should lead to.`;
    case 'ENXIO':
      return `${path} is a socket or a device. Write its content to a file and name that.`;
    case undefined:
    default:
      return `${path} cannot be read: ${error.message}. Check the disk.`;
  }
}

function whyNotText(bytes: Buffer): string | null {
  if (bytes.length >= 2 && ['fffe', 'feff'].includes(bytes.toString('hex', 0, 2))) {
    return 'is UTF-16 text. Save it as UTF-8.';
  }
  const nul = bytes.indexOf(0);
  if (nul >= 0)
    return `is not a text file: there is a NUL byte in line ${lineAt(bytes, nul)}. Name a text file.`;
  if (!isUtf8(bytes)) return `is not UTF-8: see line ${firstBadLine(bytes)}. Save it as UTF-8.`;
  if (bytes.toString('utf8').trim() === '') return 'is empty. Write something into it, or name another file.';
  return null;
}

const NEWLINE = 0x0a;

function lineAt(bytes: Buffer, offset: number): number {
  let line = 1;
  for (let at = bytes.indexOf(NEWLINE); at >= 0 && at < offset; at = bytes.indexOf(NEWLINE, at + 1)) line++;
  return line;
}

/** No longer UTF-8 sequence contains a line break, so each line can be looked at alone. */
function firstBadLine(bytes: Buffer): number {
  let line = 1;
  for (let from = 0; ; line++) {
    const to = bytes.indexOf(NEWLINE, from);
    if (to < 0 || !isUtf8(bytes.subarray(from, to))) return line;
    from = to + 1;
  }
}

function bad(message: string): Result<never> {
  return fail({ code: 'plan_file', message });
}
