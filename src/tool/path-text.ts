/** What can be said of a path before the file system is asked. */

import type { ToolFault } from '../contract/tool.ts';

const LONGEST = 4_096;

/** The flaw of a relative path, or null. `path` has lost the root in front of it, if it had one. */
export function pathFlaw(path: string): ToolFault | null {
  if (path === '') return { code: 'bad_path', message: 'The path is empty. Use "." for the root folder.' };
  if (path.length > LONGEST) return { code: 'bad_path', message: 'The path is too long to be one.' };
  if (CONTROL.test(path)) {
    return { code: 'bad_path', message: 'The path holds a control character. Write it without.' };
  }
  if (/^(?:\\\\|\/\/)/.test(path)) return flaw('unc', path, 'is a network path');
  if (/^(?:[/\\]\?\?|[/\\]{1,2}[?.])[/\\]/.test(path)) return flaw('special', path, 'is a device path');
  if (/^[A-Za-z]:/.test(path)) return flaw('drive', path, 'starts with a drive letter');
  if (path.includes('\\')) return flaw('backslash', path, 'holds a backslash');
  if (/^(?:\/|~(?:[^/]*\/|$)|[a-z][a-z0-9+.-]*:\/\/)/i.test(path)) {
    return flaw('absolute', path, 'lies outside the root folder');
  }
  const segments = path.split('/');
  if (segments.includes('..')) return flaw('parent', path, 'holds ".."');
  if (segments.some(isGitName)) return gitFault(path);
  return null;
}

const CONTROL = /[\0-\x1f\x7f]/;

/**
 * `.git` in any way in which some file system takes it for that name: another case, dots and blanks after it, a stream
 * of it, its short name, and characters that are not seen.
 */
export function isGitName(segment: string): boolean {
  const name = segment.replaceAll(UNSEEN, '').toLowerCase().split(':')[0] ?? '';
  return /^(?:\.git|git~\d+)[. ]*$/.test(name);
}

const UNSEEN = /[\u200c-\u200f\u202a-\u202e\u206a-\u206f\ufeff]/g;

export function gitFault(path: string): ToolFault {
  return {
    code: 'git',
    message: `${shown(path)} belongs to git. Leave it alone; what git knows, its commands tell.`,
  };
}

function flaw(code: ToolFault['code'], path: string, what: string): ToolFault {
  return {
    code,
    message: `${shown(path)} ${what}. Give a path relative to the root folder, like src/main.ts.`,
  };
}

/** A path in a message: quoted, so that blanks and quotes in it are seen, and never long. */
export function shown(path: string): string {
  return JSON.stringify(path.length > 200 ? `${path.slice(0, 200)}…` : path);
}
