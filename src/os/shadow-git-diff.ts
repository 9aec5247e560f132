/** What changed between two snapshots: a list with counts, and a patch to read or to apply. */

import { ok } from '../contract/fault.ts';
import type { GitRunner, SnapshotResult } from './shadow-git-run.ts';

export interface ChangedFile {
  readonly path: string;
  /** Where it was, when it has moved. */
  readonly from: string | null;
  readonly change: 'added' | 'deleted' | 'changed' | 'moved' | 'type';
  /** Lines; null for binary files. */
  readonly added: number | null;
  readonly removed: number | null;
}

export interface SnapshotDiff {
  /** Every one of them, whatever the patch leaves out. */
  readonly files: readonly ChangedFile[];
  /** Whole files of the patch as far as they fit, and a notice that names the rest. */
  readonly patch: string;
  readonly cut: boolean;
}

export interface DiffSpec {
  readonly git: GitRunner;
  readonly gitDir: string;
  readonly a: string;
  readonly b: string;
}

const PATCH = [
  '-p',
  '-M',
  '--full-index',
  '--no-ext-diff',
  '--no-textconv',
  '--no-color',
  '--src-prefix=a/',
  '--dst-prefix=b/',
];

export async function diffTrees(spec: DiffSpec, maxBytes: number): Promise<SnapshotResult<SnapshotDiff>> {
  const files = await changedFiles(spec);
  if (!files.ok) return files;
  const output = await diffTree(spec, PATCH, maxBytes);
  if (!output.ok) return output;
  const { bytes, cut } = output.value;
  if (!cut) return ok({ files: files.value, patch: bytes.toString('utf8'), cut });
  return ok({ files: files.value, patch: cutPatch(bytes.toString('utf8'), files.value), cut });
}

/** Byte for byte what `git apply` needs, binary files included. */
export async function patchOf(spec: DiffSpec): Promise<SnapshotResult<Buffer>> {
  const output = await diffTree(spec, [...PATCH, '--binary']);
  return output.ok ? ok(output.value.bytes) : output;
}

function diffTree(
  { git, gitDir, a, b }: DiffSpec,
  options: readonly string[],
  maxBytes?: number,
): ReturnType<GitRunner['run']> {
  const args = [`--git-dir=${gitDir}`, 'diff-tree', '-r', ...options, a, b];
  return git.run({ args, cwd: gitDir, ...(maxBytes === undefined ? {} : { maxBytes }) });
}

async function changedFiles(spec: DiffSpec): Promise<SnapshotResult<readonly ChangedFile[]>> {
  const kinds = await diffTree(spec, ['-M', '-z', '--name-status']);
  if (!kinds.ok) return kinds;
  const counts = await diffTree(spec, ['-M', '-z', '--numstat']);
  if (!counts.ok) return counts;
  const lines = parseCounts(counts.value.bytes.toString('utf8'));
  const fields = kinds.value.bytes.toString('utf8').split('\0');
  const files: ChangedFile[] = [];
  for (let i = 0; i + 1 < fields.length;) {
    const letter = fields[i++]?.[0] ?? '';
    const from = letter === 'R' ? (fields[i++] ?? null) : null;
    const path = fields[i++] ?? '';
    files.push({
      path,
      from,
      change: changeOf(letter),
      ...(lines.get(path) ?? { added: null, removed: null }),
    });
  }
  return ok(files);
}

function changeOf(letter: string): ChangedFile['change'] {
  switch (letter) {
    case 'A':
      return 'added';
    case 'D':
      return 'deleted';
    case 'R':
      return 'moved';
    case 'T':
      return 'type';
    default:
      return 'changed';
  }
}

type Counts = Pick<ChangedFile, 'added' | 'removed'>;

/** `added TAB removed TAB path NUL`; of a moved file the path is empty, and both paths follow. */
function parseCounts(text: string): ReadonlyMap<string, Counts> {
  const counts = new Map<string, Counts>();
  const fields = text.split('\0');
  for (let i = 0; i < fields.length; i++) {
    const match = /^(\d+|-)\t(\d+|-)\t([^]*)$/.exec(fields[i] ?? '');
    if (match === null) continue;
    const number = (digits: string | undefined): number | null =>
      digits === undefined || digits === '-' ? null : Number(digits);
    const path = match[3] === '' ? (fields[(i += 2)] ?? '') : (match[3] ?? '');
    counts.set(path, { added: number(match[1]), removed: number(match[2]) });
  }
  return counts;
}

const START = '\ndiff --git ';

/** Half a file would look like a whole one, so the cut goes back to the end of the last whole one. */
function cutPatch(text: string, files: readonly ChangedFile[]): string {
  const end = text.lastIndexOf(START);
  const whole = end < 0 ? '' : text.slice(0, end + 1);
  const shown = whole === '' ? 0 : `\n${whole}`.split(START).length - 1;
  // A patch and the list of its files are in the same order.
  const rest = files.slice(shown);
  const names = rest
    .slice(0, 20)
    .map(({ path }) => JSON.stringify(path))
    .join(', ');
  const more = rest.length > 20 ? ` and ${rest.length - 20} more` : '';
  return `${whole}[the patch is cut here; it leaves out ${names}${more}]\n`;
}
