/** The shell as a person uses it: typed into in a terminal, and as a script that reads lines. */

import { spawn } from 'node:child_process';
import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect } from 'vitest';
import { expectGolden } from '../support/golden-text.ts';
import { until } from '../support/os.ts';
import { MAIN } from '../support/rig-cli.ts';
import { bash, plainStory, planned } from '../support/rig-model-story.ts';
import { by, MODEL, test, type Provider } from '../support/rig-model.ts';
import { inTerminal, type Typist } from '../support/rig-pty.ts';
import type { Rig } from '../support/rig.ts';

const CTRL_C = '\x03';
const CTRL_D = '\x04';

function open(rig: Rig, size = { columns: 80, rows: 24 }, env: Record<string, string> = {}): Typist {
  return inTerminal({
    argv: [process.execPath, MAIN, '-C', rig.workspace],
    cwd: rig.root,
    env: { ...rig.env, NO_COLOR: '1', ...env },
    ...size,
    from: /\x1b/,
  });
}

async function enter(person: Typist, line: string): Promise<void> {
  person.type(`${line}\r`);
  await person.sees(`> ${line}`);
}

/** What differs from one time to the next is made the same. */
function still(lines: readonly string[], rig: Rig): string {
  return `${lines
    .map((line) =>
      line
        .replaceAll(rig.root, '/ROOT')
        .replace(/\d{8}-\d{6}-[0-9a-f]{4}/g, '20260101-000000-abcd')
        .replace(/\d\d:\d\d:\d\d/g, '00:00:00')
        .replace(/\b\d[\d.]*(k|s|ms)\b/g, '#')
        .replace(/plan v1 [0-9a-f]+/g, 'plan v1 HASH'),
    )
    .join('\n')
    .trimEnd()}\n`;
}

const START = (provider: Provider) =>
  `/graph Write --budget 1m --base-url ${provider.baseUrl} --model ${MODEL}`;

describe('the shell in a terminal', () => {
  test('starts a run, pauses it by a word, shows it, goes on, and is left and opened again', async ({
    rig,
    provider,
  }) => {
    provider.tell(plainStory('a'));
    const held = provider.hold(({ key }) => key.role === 'worker');
    const person = open(rig);
    await person.sees('/help lists the rest');
    await enter(person, START(provider));
    await held.arrived;
    await person.sees('a  running');
    await person.sees('width 1/3');

    await enter(person, 'stop');
    await person.sees('Paused. Go on: /graph resume');
    await person.sees('report:');
    expect(provider.open()).toBe(0);
    await enter(person, '/graph status');
    await person.sees('2 nodes · 1 ready');

    await enter(person, '/graph resum');
    await person.sees('Did you mean /graph resume?');
    person.type(CTRL_D);
    expect(await person.ended).toEqual({ exit: 0, signal: 0 });
    expect(person.screen.cursorShown()).toBe(true);
    expect(rig.alive()).toEqual([]);

    const again = open(rig);
    await again.sees('0/2 achieved: paused (user)');
    await enter(again, '/graph resume');
    await again.sees('2 nodes · 2 achieved');
    await again.sees('report:');
    await enter(again, '/quit');
    expect(await again.ended).toEqual({ exit: 0, signal: 0 });
    expect(readFileSync(join(rig.workspace, 'a.txt'), 'utf8')).toBe('done\n');
  });
});

describe('Ctrl-C', () => {
  test('at an idle prompt clears the line, and twice leaves; while a run goes it pauses', async ({
    rig,
    provider,
  }) => {
    provider.tell(plainStory('a'));
    const held = provider.hold(({ key }) => key.role === 'worker');
    const person = open(rig);
    await person.sees('/help lists the rest');
    person.type('half a line');
    await person.sees('> half a line');
    person.type(CTRL_C);
    await until('the line is gone', () => !person.screen.text().join('\n').includes('half'));

    await enter(person, START(provider));
    await held.arrived;
    await person.sees('a  running');
    person.type('typed on');
    await person.sees('> typed on');
    person.type(CTRL_C);
    await person.sees('SIGINT: pausing');
    await person.sees('report:');
    expect(provider.open()).toBe(0);

    person.type(CTRL_C + CTRL_C);
    expect(await person.ended).toEqual({ exit: 0, signal: 0 });
    expect(person.screen.cursorShown()).toBe(true);
    expect(rig.alive()).toEqual([]);
    expect(await rig.status()).toMatchObject({ status: 'paused', why: 'user' });
  });

  test('is not needed to leave: a run that is going is paused first', async ({ rig, provider }) => {
    provider.tell(plainStory('a'));
    const held = provider.hold(({ key }) => key.role === 'worker');
    const person = open(rig);
    await person.sees('/help lists the rest');
    await enter(person, START(provider));
    await held.arrived;
    await person.sees('a  running');
    person.type(CTRL_D);
    await person.sees('A run is going: it is paused first.');
    expect(await person.ended).toEqual({ exit: 0, signal: 0 });
    expect(rig.alive()).toEqual([]);
    expect(await rig.status()).toMatchObject({ status: 'paused', why: 'user' });
  });
});

describe('the line', () => {
  test('is completed, brought back, and takes a paste as one line', async ({ rig }) => {
    const person = open(rig);
    await person.sees('/help lists the rest');
    person.type('/gr\t');
    await person.sees('> /graph');
    person.type('re\t');
    await person.sees('resume  retry');
    person.type('s\t');
    await person.sees('> /graph resume');
    person.type(CTRL_C);
    person.type('\x1b[200~/graph Write\r\nstop\r\n\x1b[31mred\x1b[201~');
    await person.sees('> /graph Write stop \\x1b[31mred');
    person.type(`\x1b[H--budget 1m ${CTRL_C}`);
    await enter(person, '/hepl');
    await person.sees('Did you mean /help?');
    person.type('\x1b[A\x1b[D\x1b[D\x1b[3~\x1b[3~lp');
    await person.sees('> /help');
    person.type('\r');
    await person.sees('/quit');
    await enter(person, '/quit');
    expect(await person.ended).toEqual({ exit: 0, signal: 0 });
  });

  test('of a megabyte is refused, and the shell goes on', async ({ rig }) => {
    const person = open(rig);
    await person.sees('/help lists the rest');
    for (let i = 0; i < 16; i++) person.type('x'.repeat(65_536));
    person.type('\r');
    await person.sees('more than 32768 characters');
    await enter(person, '/quit');
    expect(await person.ended).toEqual({ exit: 0, signal: 0 });
  });
});

describe('a second Ctrl-C', () => {
  test('kills at once a command that ignores SIGTERM, and gives the terminal back', async ({
    rig,
    provider,
  }) => {
    const puppet = rig.puppet('a', 'stubborn');
    provider.tell([
      planned([{ slug: 'a' }]),
      { role: 'worker', turn: 1, calls: [bash(puppet.command)] },
      ...plainStory('a'),
    ]);
    const person = open(rig);
    await person.sees('/help lists the rest');
    await enter(person, `${START(provider)} --sandbox off`);
    const call = await puppet.called();
    const start = performance.now();
    person.type(CTRL_C);
    await person.sees('SIGINT: pausing');
    await until('more than a second has passed', () => performance.now() - start > 1_100);
    person.type(CTRL_C);
    expect((await person.ended).exit).toBe(130);
    expect(call.endedAt()).not.toBeNull();
    expect(person.screen.cursorShown()).toBe(true);
    expect(person.raw()).toContain('\x1b[?2004l');
    expect(rig.alive()).toEqual([]);
  });
});

describe('a terminal that is closed', () => {
  test('pauses the run in order', async ({ rig, provider }) => {
    provider.tell(plainStory('a'));
    const held = provider.hold(({ key }) => key.role === 'worker');
    const person = open(rig);
    await person.sees('/help lists the rest');
    await enter(person, '/watch');
    await person.sees('Watching all nodes');
    await enter(person, START(provider));
    await held.arrived;
    process.kill(person.pid, 'SIGHUP');
    expect((await person.ended).exit).toBe(143);
    expect(person.screen.text().join('\n')).toContain('planner | -> submit_plan');
    expect(rig.alive()).toEqual([]);
    expect(await rig.status()).toMatchObject({ status: 'paused', why: 'user' });
  });
});

describe('Ctrl-Z', () => {
  test('gives the terminal to the shell that started it, and fg brings back what was typed', async ({
    rig,
  }) => {
    const argv = ['bash', '--norc', '-i'];
    const env = { ...rig.env, NO_COLOR: '1', PS1: '$ ', MAIN, NODE: process.execPath };
    const person = inTerminal({ argv, cwd: rig.workspace, env, columns: 80, rows: 24, from: /\[\?25l/ });
    person.type('bind "set enable-bracketed-paste off"; "$NODE" "$MAIN"\r');
    await person.sees('/help lists the rest');
    person.type('abc');
    await person.sees('> abc');
    person.type('\x1a');
    await person.sees('Stopped');
    expect(person.screen.cursorShown()).toBe(true);
    person.type('echo half-$((40 + 2))\r');
    await person.sees('half-42');
    person.type('fg\r');
    await until('it is back', () => person.screen.visible().some((line) => line.startsWith('> abc')));
    person.type(`d${CTRL_C}`);
    await enter(person, '/quit');
    person.type('exit\r');
    expect((await person.ended).exit).toBe(0);
  });
});

describe('a run that another process drives', () => {
  test('is shown above the prompt, and paused by a word', async ({ rig, provider }) => {
    provider.tell(plainStory('a'));
    const held = provider.hold(({ key }) => key.role === 'worker');
    const owner = rig.start(by(provider, 'graph', 'Write', '--budget', '1m'));
    await held.arrived;
    const person = open(rig);
    await person.sees('in another process');
    await person.sees('a  running');
    await enter(person, 'stop');
    await person.sees('Paused. Go on: /graph resume');
    expect((await owner.ended).exit).toBe(3);
    await person.sees('2 nodes · 1 ready');
    await enter(person, '/graph resume');
    await person.sees('2 nodes · 2 achieved');
    await person.sees('report:');
    person.type(CTRL_D);
    expect(await person.ended).toEqual({ exit: 0, signal: 0 });
  });
});

describe('a line without a slash', () => {
  test('is answered by a model that looks at the run, and neither moves it nor spends its budget', async ({
    rig,
    provider,
  }) => {
    provider.tell([
      {
        role: 'guide',
        round: 1,
        turn: 1,
        text: 'I look.',
        calls: [
          { name: 'log', args: { node: 'a' } },
          { name: 'write', args: { path: 'x', content: 'y' } },
        ],
      },
      { role: 'guide', turn: 2, text: 'It waits for you.\nSay \x1b[31m/graph resume.' },
      ...plainStory('a'),
    ]);
    const held = provider.hold(({ key }) => key.role === 'worker');
    const person = open(rig);
    await person.sees('/help lists the rest');
    await enter(person, 'what is there?');
    await person.sees('There is no run in');
    await enter(person, START(provider));
    await held.arrived;
    await enter(person, 'stop');
    await person.sees('Paused. Go on: /graph resume');
    await person.sees('report:');
    const before = { chats: provider.chats().length, status: await rig.status() };

    await enter(person, 'why does it stand still?');
    await person.sees('Say \\x1b[31m/graph resume.');
    await person.sees("no part of the run's budget");
    expect(provider.chats('guide')).toHaveLength(2);
    expect(provider.chats()).toHaveLength(before.chats + 2);
    expect(await rig.status()).toEqual(before.status);
    const [first, second] = provider.chats('guide').map(({ body }) => JSON.stringify(body.messages));
    expect(first).toContain('why does it stand still?');
    expect(first).toContain('a person paused it');
    expect(second).toContain('There is no tool \\"write\\"');
    await enter(person, '/budget');
    await person.sees('Questions here:');

    const open2 = provider.hold(({ key }) => key.role === 'guide');
    await enter(person, 'and now?');
    await open2.arrived;
    await enter(person, 'one more?');
    await person.sees('A question is being answered');
    person.type(CTRL_C);
    await person.sees('The question is dropped.');
    await until('the request is gone', () => provider.open() === 0);
    await enter(person, 'stpo');
    await person.sees('Did you mean stop?');
    expect(provider.chats('guide')).toHaveLength(3);
    await enter(person, '/quit');
    expect(await person.ended).toEqual({ exit: 0, signal: 0 });
    expect(rig.alive()).toEqual([]);
  });
});

describe('the screen of the shell', () => {
  for (const columns of [60, 80, 140]) {
    test(`is as it was at ${columns} columns, idle and with a run`, async ({ rig, provider }) => {
      provider.tell(plainStory('read', 'parse'));
      const held = provider.hold(({ key }) => key.role === 'worker');
      const person = open(rig, { columns, rows: 36 });
      await person.sees('/help lists the rest');
      await enter(person, '/graph resum');
      await person.sees('Did you mean');
      await expectGolden(`shell/idle-${columns}.txt`, still(person.screen.visible(), rig));
      await enter(person, '/graph Write the files --budget 1m --concurrency 2');
      await person.sees('No model is set');
      person.type('\x0c');
      await until('the screen is cleared', () => person.screen.visible().filter(Boolean).length === 1);
      await enter(person, START(provider));
      await held.arrived;
      await person.sees('width 1/3');
      person.type('half a li');
      await person.sees('> half a li');
      await expectGolden(`shell/running-${columns}.txt`, still(person.screen.visible(), rig));
      held.release();
      await person.sees('report:');
      await person.sees('> half a li');
      person.type(CTRL_C + CTRL_D);
      expect(await person.ended).toEqual({ exit: 0, signal: 0 });
    });
  }

  test('stands through resizes down to 20 columns, with a line that wraps', async ({ rig, provider }) => {
    provider.tell(plainStory('a'));
    const held = provider.hold(({ key }) => key.role === 'worker');
    const person = open(rig, { columns: 80, rows: 30 });
    await person.sees('/help lists the rest');
    await enter(person, START(provider));
    await held.arrived;
    await person.sees('a  running');
    const words = 'a question that is a good deal longer than this narrow window is wide';
    let typed = words;
    person.type(typed);
    for (const [columns, rows] of [
      [40, 30],
      [20, 30],
      [140, 40],
      [60, 24],
    ] as const) {
      // Right after a painting, so that the program hears of the new size before it paints again.
      person.type('!');
      typed += '!';
      await person.sees('!'.repeat(1 + typed.length - words.length - 1));
      const from = person.raw().length;
      person.resize(columns, rows);
      await until('it is painted anew', () => person.raw().slice(from).includes('\x1b[?7h'));
      const lines = person.screen.visible().map((line) => line.padEnd(columns));
      const last = lines.slice(lines.findLastIndex((line) => line.startsWith('> ')));
      expect(last.join('').trimEnd()).toBe(`> ${typed}`);
      expect(lines.filter((line) => line.includes('running'))).not.toEqual([]);
      expect(
        lines.filter((line) => line.startsWith('> a q')),
        lines.join('\n'),
      ).toHaveLength(1);
    }
    held.release();
    await person.sees('2 nodes · 2 achieved');
    await person.sees('report:');
    person.type(CTRL_C + CTRL_D);
    expect(await person.ended).toEqual({ exit: 0, signal: 0 });
  });
});

describe('the shell without a terminal', () => {
  const script = (rig: Rig, env: Record<string, string> = {}) => {
    const child = spawn(process.execPath, [MAIN, '-C', rig.workspace], {
      cwd: rig.root,
      env: { ...rig.env, ...env },
    });
    let out = '';
    for (const stream of [child.stdout, child.stderr])
      stream.on('data', (text: Buffer) => (out += text.toString()));
    return {
      send: (text: string | Buffer) => void child.stdin.write(text),
      end: () => child.stdin.end(),
      says: (text: string) => until(`it says ${text}`, () => out.includes(text)),
      out: () => out,
      kill: (signal: NodeJS.Signals) => child.kill(signal),
      ended: new Promise<number | null>((resolve) => child.on('close', resolve)),
    };
  };

  test('reads commands line by line while a run goes, and pauses it when its input ends', async ({
    rig,
    provider,
  }) => {
    provider.tell(plainStory('a'));
    const held = provider.hold(({ key }) => key.role === 'worker');
    const shell = script(rig);
    shell.send(`${START(provider)}\n`);
    await held.arrived;
    shell.send('/graph status\n/graph something else\n/graph pasue\n');
    await shell.says('2 nodes');
    await shell.says('A run is going here');
    await shell.says('Did you mean /graph pause?');
    shell.end();
    expect(await shell.ended).toBe(3);
    expect(shell.out()).toContain('A run is going: it is paused first.');
    expect(shell.out()).not.toContain('\x1b');
    expect(provider.open()).toBe(0);
    expect(rig.alive()).toEqual([]);
    expect(await rig.status()).toMatchObject({ status: 'paused', why: 'user' });
  });

  test('leaves with the code of the last line, and refuses what cannot be read', async ({ rig }) => {
    const shell = script(rig);
    shell.send(Buffer.from([0x2f, 0x67, 0xff, 0x0a]));
    shell.send(`/graph ${'x'.repeat(1_000_000)}\n`);
    shell.send('/graph \x1b[31mred\x1b[0m --bugdet 1\n\x1b]0;title\x07\n/budget 300k\n/budget\n/help\n');
    shell.end();
    expect(await shell.ended).toBe(0);
    expect(shell.out()).toContain('not UTF-8');
    expect(shell.out()).toContain('more than 32768 characters');
    expect(shell.out()).toContain('/graph OBJECTIVE');
    expect(shell.out().match(/started here get 300k tokens/g)).toHaveLength(2);
    expect(shell.out()).not.toContain('\x1b');
    const bad = script(rig);
    bad.send('/graph resum\n');
    bad.end();
    expect(await bad.ended).toBe(2);
  });

  test('pauses in order when it is told to end', async ({ rig, provider }) => {
    provider.tell(plainStory('a'));
    const held = provider.hold(({ key }) => key.role === 'worker');
    const shell = script(rig);
    shell.send(`${START(provider)}\n`);
    await held.arrived;
    shell.kill('SIGTERM');
    expect(await shell.ended).toBe(143);
    expect(provider.open()).toBe(0);
    expect(rig.alive()).toEqual([]);
    expect(await rig.status()).toMatchObject({ status: 'paused', why: 'user' });
  });

  test('steers a run that another process drives', async ({ rig, provider }) => {
    provider.tell(plainStory('a'));
    const held = provider.hold(({ key }) => key.role === 'worker');
    const owner = rig.start(by(provider, 'graph', 'Write', '--budget', '1m'));
    await held.arrived;
    const shell = script(rig);
    shell.send('Please stop!\n');
    shell.end();
    expect(await shell.ended).toBe(0);
    expect(shell.out()).toContain('Paused. Go on: /graph resume');
    expect((await owner.ended).exit).toBe(3);
  });

  test('keeps what was typed, without secrets', async ({ rig, provider }) => {
    provider.tell(plainStory('a'));
    const secret = 'sk-abcdefghij0123456789';
    const person = open(rig, { columns: 100, rows: 30 }, { MY_TOKEN: 'correct-horse-battery' });
    await person.sees('/help lists the rest');
    await enter(person, START(provider));
    await person.sees('report:');
    await enter(person, `${secret} correct-horse-battery`);
    person.type('\x1b[A\x1b[A');
    await person.sees(`> ${START(provider)}`);
    person.type(CTRL_C + CTRL_D);
    await person.ended;
    const kept = readFileSync(join(rig.stateDir, 'history'), 'utf8');
    expect(kept).toContain('[masked]');
    expect(kept).not.toMatch(/abcdefghij|battery/);
    expect(statSync(join(rig.stateDir, 'history')).mode & 0o777).toBe(0o600);
  });
});
