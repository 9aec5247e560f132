/**
 * Which files a check stands on: whoever is to pass the check must not have changed them. The engine runs a check
 * whose files were changed once more, in a copy where they are as they were.
 */

import { globMatches } from './glob-match.ts';
import { cutsOf, scopeEntry } from './scope.ts';

export interface CheckGround {
  /** The command. */
  readonly check: string;
  /** All files when the node began, relative to the workspace. */
  readonly files: readonly string[];
  /** Globs of the plan: no scope lifts them. */
  readonly frozen: readonly string[];
  /** Where the node may write. */
  readonly scope: readonly string[];
  /**
   * The scripts of `package.json` as the node found it, when they are known: the ones the check runs count as part of
   * it, and a script that was not there yet is the node's own work, not something to protect.
   */
  readonly scripts?: Readonly<Record<string, string>> | null;
}

/**
 * Files the check names or runs, and frozen ones, in the order of `files`.
 *
 * A node may change what lies in its scope, the check's own files too: such edits are shown to the panel. A scope of
 * everything, or none, lifts nothing: a plan that forgot the scope must not be what lets a worker write `exit 0` at
 * the top of its test. But then a folder or a glob in the check (`mocha test`) protects only what looks like a test in it,
 * or the node's work itself would be put back.
 */
export function protectedPaths(ground: CheckGround): readonly string[] {
  const { check, files, frozen, scope } = ground;
  const cuts = cutsOf(scope);
  const anywhere = cuts.includes('');
  const known = new Set(files);
  const named = namedBy(commandsOf(check, ground.scripts ?? null), ground, known);
  const isOwn = (file: string) => !anywhere && cuts.some((cut) => `${file}/`.startsWith(cut));
  const isNamed = (file: string) => {
    if (named.files.has(file)) return true;
    if (anywhere && !isTest(file)) return false;
    return (
      foldersOf(file).some((folder) => named.folders.has(folder)) ||
      named.globs.some((glob) => globMatches(glob, file))
    );
  };
  return [...known].filter(
    (file) => frozen.some((glob) => globMatches(glob, file)) || (isNamed(file) && !isOwn(file)),
  );
}

interface Named {
  readonly files: ReadonlySet<string>;
  readonly folders: ReadonlySet<string>;
  readonly globs: readonly string[];
}

function namedBy(commands: readonly string[], ground: CheckGround, known: ReadonlySet<string>): Named {
  const folders = new Set([...known].flatMap(foldersOf));
  const named = { files: new Set<string>(), folders: new Set<string>(), globs: [] as string[] };
  for (const command of commands) {
    const words = wordsOf(command);
    const bases = ['', ...startFolders(words).filter((folder) => folders.has(folder))];
    for (const word of words) {
      if (word.enters) continue;
      for (const base of bases) {
        const path = base === '' ? word.text : `${base}/${word.text}`;
        if (known.has(path)) named.files.add(path);
        else if (folders.has(path)) named.folders.add(path);
        else if (/[*?[{]/.test(word.text) && word.text.includes('.')) named.globs.push(path);
      }
    }
    for (const file of configOf(words, ground)) {
      for (const base of bases) named.files.add(base === '' ? file : `${base}/${file}`);
    }
  }
  return named;
}

/** The check, and the package's scripts that it runs, and those that they run. */
function commandsOf(check: string, scripts: CheckGround['scripts']): readonly string[] {
  const commands = [check];
  if (!scripts) return commands;
  const seen = new Set<string>();
  for (const command of commands) {
    const words = wordsOf(command).map(({ text }) => text);
    if (!words.some((word) => RUNNERS.has(word))) continue;
    for (const word of words.flatMap((name) => [`pre${name}`, name === 't' ? 'test' : name, `post${name}`])) {
      const script = Object.hasOwn(scripts, word) ? scripts[word] : undefined;
      if (script === undefined || seen.has(word)) continue;
      seen.add(word);
      commands.push(script);
    }
  }
  return commands;
}

const RUNNERS: ReadonlySet<string> = new Set(['npm', 'npx', 'yarn', 'pnpm', 'bun']);

/** Files in which a runner looks up what to do. */
function configOf(words: readonly Word[], { scripts }: CheckGround): readonly string[] {
  const has = (name: string) => words.some(({ text }) => text === name);
  const files = has('make') ? ['Makefile', 'makefile', 'GNUmakefile'] : [];
  const runs = [...RUNNERS].some(has);
  const isNew = scripts && !words.some(({ text }) => Object.hasOwn(scripts, text === 't' ? 'test' : text));
  return runs && (!isNew || has('npx')) ? [...files, 'package.json'] : files;
}

interface Word {
  /** As a path: without `./`, doubled and trailing slashes. */
  readonly text: string;
  /** The command goes into this folder; what comes after is meant from there. */
  readonly enters: boolean;
}

/**
 * Whatever could be a word of the command, quoted or not, also behind `=` (`--config=x`) and before `::`
 * (`pytest a.py::test`). Reading too many words protects a file too many, reading too few lets one go.
 */
function wordsOf(command: string): readonly Word[] {
  const quoted = [...command.matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, a, b]) => a ?? b ?? '');
  const escaped = command.replace(/\\\n/g, ' ').match(/(?:\\.|[^\s\\])+/g) ?? [];
  const plain = escaped.flatMap((word) => [
    ...word.split(/[;&|<>()$`=,'"]+/),
    ...(word.includes('\\') ? [word.replace(/\\(.)/g, '$1')] : []),
    ...(/[{[]/.test(word) ? [word] : []),
  ]);
  const texts = [...plain, ...quoted].flatMap((text) =>
    text.includes('::') ? [text, text.split('::')[0] ?? ''] : [text],
  );
  let enters = false;
  return texts.flatMap((text) => {
    if (text === '') return [];
    const entered = enters;
    enters = ENTERS.has(text);
    const path = scopeEntry(text);
    return path.ok && path.scope !== '**' ? [{ text: path.scope, enters: entered }] : [];
  });
}

const ENTERS: ReadonlySet<string> = new Set([
  'cd',
  'pushd',
  '-C',
  '--prefix',
  '--cwd',
  '--dir',
  '--directory',
]);

function startFolders(words: readonly Word[]): readonly string[] {
  return words.filter(({ enters }) => enters).map(({ text }) => text);
}

/** `a/b` and `a` of `a/b/c`. */
function foldersOf(file: string): readonly string[] {
  const folders: string[] = [];
  for (let at = file.lastIndexOf('/'); at > 0; at = file.lastIndexOf('/', at - 1)) {
    folders.push(file.slice(0, at));
  }
  return folders;
}

/** By its name, or by that of a folder it lies in. */
function isTest(file: string): boolean {
  return /(?:^|[/._-])(?:__)?(?:tests?|specs?|fixtures?|golden|snapshots?|e2e|bench)(?:__)?(?:[/._-]|$)|_test\./i.test(
    file,
  );
}
