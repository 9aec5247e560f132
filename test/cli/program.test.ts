import { describe, expect, it } from 'vitest';
import type { Command } from 'commander';
import picocolors from 'picocolors';
import { buildProgram } from '../../src/cli/program.ts';
import type { Output } from '../../src/cli/output.ts';
import { expectGolden } from '../support/golden-text.ts';

function recorder() {
  const out: string[] = [];
  const err: string[] = [];
  const output: Output = {
    out: (text) => out.push(text),
    err: (text) => err.push(text),
    write: (text) => out.push(String(text)),
    palette: picocolors.createColors(false),
    columns: () => 80,
    rows: () => 24,
    ascii: false,
    isTerminal: false,
    reflows: true,
  };
  return { output, out: () => out.join(''), err: () => err.join('\n') };
}

/** All of it, with what stands after the options. */
function helpOf(command: Command): string {
  let text = '';
  command.configureOutput({ writeOut: (part) => (text += part) });
  command.outputHelp();
  return text;
}

describe('the command line', () => {
  it('says what each command is for', async () => {
    const { command } = buildProgram(recorder().output);
    command.configureHelp({ helpWidth: 100 });
    await expectGolden('help/goalgraph.txt', helpOf(command));
    for (const sub of command.commands) {
      sub.configureHelp({ helpWidth: 100 });
      await expectGolden(`help/${sub.name()}.txt`, helpOf(sub));
    }
  });

  it('ends well when asked for help or its version', async () => {
    for (const args of [['--help'], ['--version'], ['run', '--help'], ['help', 'run']]) {
      expect(await buildProgram(recorder().output).run(args)).toBe(0);
    }
  });

  it.each([
    [['dance'], "unknown command 'dance'"],
    [['run'], "missing required argument 'file'"],
    [['run', 'a.md', 'b.md'], 'too many arguments'],
    [['run', 'a.md', '--fast'], "unknown option '--fast'"],
    [['run', 'a.md', '--max-time', '10'], '90s, 20m or 2h30m'],
    [['run', 'a.md', '--max-time=-5m'], '90s, 20m or 2h30m'],
    [['run', 'a.md', '--budget', '50kk'], '500k, 2m or 120000'],
    [['run', 'a.md', '--budget='], '500k, 2m or 120000'],
    [['run', 'a.md', '--max-cost', 'five'], '5usd or 0.50usd'],
    [['run', 'a.md', '--until', '25:00'], '07:00'],
    [['run', 'a.md', '--concurrency', '0'], 'a whole number from 1 to 64'],
    [['run', 'a.md', '--concurrency', '3.5'], 'a whole number from 1 to 64'],
    [['export', '--format', 'svg'], 'Allowed choices are mermaid, json, dot'],
    [['export'], "required option '--format <format>' not specified"],
    [['edit', 'x'], 'Say what to change'],
    [['run', 'a.md', '\u001b[31m'], 'too many arguments'],
  ])('refuses %j as a usage error that says what is right', async (args, words) => {
    const { output, err } = recorder();
    expect(await buildProgram(output).run(args)).toBe(2);
    expect(err()).toContain(words);
    expect(err()).not.toContain('\u001b');
  });
});
