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
 * and a file it names (`node src/main.js --version`) only if it does not look like the product: or the node's work itself
 * would be put back.
 */
export function protectedPaths(ground: CheckGround): readonly string[] {
  const { check, files, frozen, scope } = ground;
  const cuts = cutsOf(scope);
  const anywhere = cuts.includes('');
  const known = new Set(files);
  const named = namedBy(commandsOf(check, ground.scripts ?? null), ground, known);
  const isOwn = (file: string) => !anywhere && cuts.some((cut) => `${file}/`.startsWith(cut));
  const isNamed = (file: string) => {
    if (named.files.has(file)) return !anywhere || isTest(file) || !isProduct(file);
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

export interface ChangedGround extends Omit<CheckGround, 'scope'> {
  /** Where each node whose work it was may write; an empty one is everywhere. */
  readonly scopes: readonly (readonly string[])[];
  /** Paths that are not as they were at the base; new ones among them. */
  readonly changed: readonly string[];
}

/**
 * Of what was changed: what must be as it was when the check is run again. Where every scope is declared, all that lies
 * outside of them: files that were there, and new ones that look like tests or that programs take their orders from.
 */
export function putBack(ground: ChangedGround): readonly string[] {
  const { changed, files, frozen, scopes } = ground;
  const cuts = scopes.map(cutsOf);
  const declared = cuts.filter((own) => !own.includes('')).flat();
  const anywhere = cuts.some((own) => own.includes(''));
  const isOwn = (path: string) => declared.some((cut) => `${path}/`.startsWith(cut));
  const known = new Set(files);
  const named = new Set(anywhere ? protectedPaths({ ...ground, scope: [] }) : []);
  return changed.filter((path) => {
    if (frozen.some((glob) => globMatches(glob, path))) return true;
    if (isOwn(path)) return false;
    return anywhere ? named.has(path) : known.has(path) || isTest(path) || STEERS.test(path);
  });
}

/** Files in which runners and interpreters look up what to do, wherever they find them. */
const STEERS =
  /(?:^|\/)(?:GNUmakefile|[Mm]akefile|\.npmrc|\.yarnrc[\w.]*|\.pnp\.\w+|package\.json|(?:site|user)customize\.py|conftest\.py|pytest\.ini|tox\.ini|setup\.cfg|pyproject\.toml|\.env[\w.]*|\.?(?:jest|vitest|vite|mocha|ava|babel|nyc|c8|karma|cypress|playwright)(?:rc|\.config)?[\w.]*|tsconfig[\w.]*\.json|\.cargo\/config[\w.]*|build\.rs)$/;

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
      if (word.kind === 'enters') continue;
      for (const base of bases) {
        const path = base === '' ? word.text : `${base}/${word.text}`;
        if (known.has(path)) named.files.add(path);
        else if (word.kind === 'command') continue;
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
    for (const word of words.flatMap(withHooks)) {
      const script = Object.hasOwn(scripts, word) ? scripts[word] : undefined;
      if (script === undefined || seen.has(word)) continue;
      seen.add(word);
      commands.push(script);
    }
  }
  return commands;
}

function withHooks(word: string): readonly string[] {
  const name = word === 't' ? 'test' : word;
  return [`pre${name}`, name, `post${name}`];
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
  /**
   * `command`: what is run, or a runner is told to run: a file perhaps, but no folder. `enters`: the folder the command
   * goes into; what comes after is meant from there.
   */
  readonly kind: 'command' | 'enters' | 'plain';
}

/**
 * Whatever could be a word of the command, quoted or not, also behind `=` (`--config=x`) and before `::`
 * (`pytest a.py::test`), and the words of commands in quotes (`sh -c '…'`). Reading too many words protects a file
 * too many, reading too few lets one go.
 */
function wordsOf(command: string, depth = 0): readonly Word[] {
  const quoted = [...command.matchAll(/"([^"]*)"|'([^']*)'/g)].map(([, a, b]) => a ?? b ?? '');
  const nested = depth < 2 ? quoted.flatMap((text) => (/\s/.test(text) ? wordsOf(text, depth + 1) : [])) : [];
  const escaped = command
    .replaceAll('\\ ', '\0')
    .split(/\s+/)
    .filter((word) => word.includes('\0'));
  const whole = [...quoted, ...escaped.map((word) => word.replaceAll('\0', ' ').replace(/\\(.)/g, '$1'))];
  const simple = command.split(/[;&|()`\n]|(?<!\\)\$\(/).flatMap(wordsOfOne);
  return [...simple, ...whole.flatMap((text) => wordFrom(text, 'plain')), ...nested];
}

/** Of one command, without others beside it or in it. */
function wordsOfOne(command: string): readonly Word[] {
  const words = (command.match(/[^\s<>"']+/g) ?? []).filter((word) => word !== '$');
  let due: Word['kind'] = 'command';
  let enters = false;
  return words.flatMap((word) => {
    if (due === 'command' && /^\w+=/.test(word)) return wordFrom(word.slice(word.indexOf('=') + 1), 'plain');
    const [name = '', ...values] = word.split('=');
    if (ENTERS.has(name)) {
      if (values.length > 0) return wordFrom(values.join('='), 'enters');
      enters = true;
      due = name.startsWith('-') ? due : 'plain';
      return [];
    }
    if (word.startsWith('-'))
      return values.flatMap((value) => value.split(',').flatMap((one) => wordFrom(one, 'plain')));
    if (enters) {
      enters = false;
      return wordFrom(word, 'enters');
    }
    const kind = due;
    due = kind === 'command' && RUN_WHAT_FOLLOWS.has(word) ? 'command' : 'plain';
    return wordFrom(word, kind);
  });
}

function wordFrom(text: string, kind: Word['kind']): readonly Word[] {
  const texts = text.includes('::') ? [text, text.slice(0, text.indexOf('::'))] : [text];
  return texts.flatMap((one) => {
    const path = scopeEntry(one);
    return path.ok && path.scope !== '**' ? [{ text: path.scope, kind }] : [];
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

/** Their next word is the name of something to do. */
const RUN_WHAT_FOLLOWS: ReadonlySet<string> = new Set([
  ...RUNNERS,
  ...[
    'run',
    'run-script',
    'exec',
    'make',
    'just',
    'cargo',
    'go',
    'deno',
    'mix',
    'dotnet',
    'gradle',
    'gradlew',
  ],
  ...['env', 'time', 'timeout', 'sudo', 'nice', 'if', 'then', 'else', 'do', 'while', 'until', '!', '{'],
]);

function startFolders(words: readonly Word[]): readonly string[] {
  return words.filter(({ kind }) => kind === 'enters').map(({ text }) => text);
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
/** What a check may run in order to look at it. */
function isProduct(file: string): boolean {
  return /^(?:src|lib|bin|app|cmd|pkg|internal|dist|build|out)\/|^(?:index|main|app|server|cli)\.\w+$/i.test(
    file,
  );
}

function isTest(file: string): boolean {
  return /(?:^|[/._-])(?:__)?(?:tests?|specs?|fixtures?|golden|snapshots?|e2e|bench)(?:__)?(?:[/._-]|$)|_test\./i.test(
    file,
  );
}
