/** `goalgraph completion bash|zsh|fish`: what a shell needs to complete commands and options, made from the commands. */

import type { Command, Option } from 'commander';
import { never } from '../../contract/never.ts';
import type { Context } from '../context.ts';

export type ShellName = 'bash' | 'zsh' | 'fish';

export function completion({ output }: Context, program: Command, shell: ShellName): number {
  output.out(scriptFor(program, shell));
  return 0;
}

function scriptFor(program: Command, shell: ShellName): string {
  const commands = program.commands.map(wordsOf);
  switch (shell) {
    case 'bash':
      return bash(commands);
    case 'zsh':
      return zsh(commands);
    case 'fish':
      return fish(commands);
    default:
      return never(shell);
  }
}

interface Words {
  readonly name: string;
  readonly about: string;
  readonly options: readonly OptionWords[];
  /** Whether it takes a file. */
  readonly file: boolean;
  /** What its argument may be, where that is a short list. */
  readonly choices: readonly string[];
}

interface OptionWords {
  readonly flag: string;
  readonly about: string;
  /** Null for a switch; empty for a free value. */
  readonly values: readonly string[] | null;
}

function wordsOf(command: Command): Words {
  const [argument] = command.registeredArguments;
  return {
    name: command.name(),
    about: command.description(),
    options: command.options.map(optionWords),
    file: argument?.name() === 'file',
    choices: argument?.argChoices ?? [],
  };
}

function optionWords({ long, short, description, argChoices, required, optional }: Option): OptionWords {
  const values = required || optional ? (argChoices ?? []) : null;
  return { flag: long ?? short ?? '', about: description, values };
}

function bash(commands: readonly Words[]): string {
  const cases = commands.map(({ name, options, file, choices }) => {
    const words = [...options.map(({ flag }) => flag), ...choices].join(' ');
    return `    ${name}) words=${quoted(words)}; files=${file ? 'yes' : 'no'} ;;`;
  });
  const values = valuesByFlag(commands).map(
    ([flag, choices]) =>
      `    ${flag}) COMPREPLY=($(compgen -W ${quoted(choices.join(' '))} -- "$cur")); return ;;`,
  );
  return `# goalgraph, for bash: eval "$(goalgraph completion bash)"
_goalgraph() {
  local cur=\${COMP_WORDS[COMP_CWORD]} prev=\${COMP_WORDS[COMP_CWORD-1]} words=${quoted(commands.map(({ name }) => name).join(' '))} files=no word
  case $prev in
    -C) COMPREPLY=($(compgen -d -- "$cur")); return ;;
${values.join('\n')}
  esac
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case $word in
${cases.map((line) => `  ${line}`).join('\n')}
    esac
  done
  COMPREPLY=($(compgen -W "$words" -- "$cur"))
  if [ "$files" = yes ]; then COMPREPLY+=($(compgen -f -- "$cur")); fi
}
complete -o default -F _goalgraph goalgraph`;
}

function zsh(commands: readonly Words[]): string {
  const names = commands.map(({ name, about }) => `    ${quoted(`${name}:${about}`)}`);
  const cases = commands.map(({ name, options, file, choices }) => {
    const specs = options.map(({ flag, about, values }) => {
      const value = values === null ? '' : `:value:${values.length > 0 ? `(${values.join(' ')})` : ''}`;
      return quoted(`${flag}[${about.replaceAll(/[[\]]/g, '')}]${value}`);
    });
    const argument = file
      ? ["'*:file:_files'"]
      : choices.length > 0
        ? [quoted(`1:what:(${choices.join(' ')})`)]
        : [];
    return `    ${name}) _arguments ${[...specs, ...argument].join(' ')} ;;`;
  });
  return `#compdef goalgraph
# goalgraph, for zsh: put this into a file _goalgraph of a folder in $fpath, or: eval "$(goalgraph completion zsh)"
_goalgraph() {
  local -a commands=(
${names.join('\n')}
  )
  if (( CURRENT == 2 )); then _describe command commands; return; fi
  local command=$words[2]
  shift words; (( CURRENT-- ))
  case $command in
${cases.join('\n')}
  esac
}
compdef _goalgraph goalgraph`;
}

function fish(commands: readonly Words[]): string {
  const lines = commands.flatMap(({ name, about, options, file, choices }) => {
    const seen = `__fish_seen_subcommand_from ${name}`;
    const plain = options.map(({ flag, about: what, values }) => {
      const given = values === null ? '' : values.length > 0 ? ` -xa ${quoted(values.join(' '))}` : ' -r';
      const form = flag.startsWith('--') ? `-l ${flag.slice(2)}` : `-s ${flag.slice(1)}`;
      return `complete -c goalgraph -n ${quoted(seen)} ${form}${given} -d ${quoted(what)}`;
    });
    return [
      `complete -c goalgraph -n __fish_use_subcommand -a ${name} -d ${quoted(about)}`,
      ...plain,
      ...(file ? [`complete -c goalgraph -n ${quoted(seen)} -F`] : []),
      ...(choices.length > 0
        ? [`complete -c goalgraph -n ${quoted(seen)} -a ${quoted(choices.join(' '))}`]
        : []),
    ];
  });
  return [
    '# goalgraph, for fish: goalgraph completion fish | source',
    'complete -c goalgraph -f',
    ...lines,
  ].join('\n');
}

function valuesByFlag(commands: readonly Words[]): readonly (readonly [string, readonly string[]])[] {
  const flags = new Map<string, readonly string[]>();
  for (const { options } of commands) {
    for (const { flag, values } of options) if (values && values.length > 0) flags.set(flag, values);
  }
  return [...flags];
}

function quoted(text: string): string {
  return `'${text.replaceAll("'", `'\\''`)}'`;
}
