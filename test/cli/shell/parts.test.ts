/** What the shell remembers, whom it asks, and what it shows of a worker's words. */

import {
  existsSync,
  lstatSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, it } from 'vitest';
import type { SessionId } from '../../../src/contract/session-event.ts';
import { openHistory } from '../../../src/cli/shell/history.ts';
import { makeJobs } from '../../../src/cli/shell/jobs.ts';
import { makeWatch } from '../../../src/cli/shell/watch.ts';

const folders: string[] = [];
function fresh(): string {
  const dir = mkdtempSync(join(tmpdir(), 'goalgraph-history-'));
  folders.push(dir);
  return dir;
}
afterEach(() => folders.splice(0).forEach((dir) => rmSync(dir, { recursive: true, force: true })));

describe('the history', () => {
  it('is there the next time, newest first, for its owner only', () => {
    const dir = fresh();
    const history = openHistory(dir, []);
    for (const line of ['/runs', 'stop', '/runs', '']) history.add(line);
    expect(openHistory(dir, []).lines()).toEqual(['/runs', 'stop']);
    expect(statSync(join(dir, 'history')).mode & 0o777).toBe(0o600);
  });

  it('holds no secrets, neither those of the environment nor those that look like some', () => {
    const dir = fresh();
    const history = openHistory(dir, ['hunter2-hunter2']);
    history.add('/graph use hunter2-hunter2 and sk-abcdefghijklmnop1234');
    const text = readFileSync(join(dir, 'history'), 'utf8');
    expect(text).not.toMatch(/hunter2|abcdefghijklmnop/);
    expect(history.lines()[0]).toContain('[masked]');
  });

  it('has at most a thousand lines', () => {
    const dir = fresh();
    writeFileSync(join(dir, 'history'), Array.from({ length: 1_200 }, (_, i) => `line ${i}`).join('\n'));
    const history = openHistory(dir, []);
    history.add('last');
    expect(readFileSync(join(dir, 'history'), 'utf8').trim().split('\n')).toHaveLength(1_000);
    expect(openHistory(dir, []).lines().slice(0, 2)).toEqual(['last', 'line 1199']);
  });

  it('makes no state directory, and writes when there is one', () => {
    const dir = join(fresh(), 'state');
    const history = openHistory(dir, []);
    history.add('one');
    expect(existsSync(dir)).toBe(false);
    mkdirSync(dir);
    history.add('two');
    expect(openHistory(dir, []).lines()).toEqual(['two', 'one']);
  });

  it('is neither read nor written through a link', () => {
    const dir = fresh();
    const other = join(fresh(), 'precious');
    writeFileSync(other, 'mine\n');
    symlinkSync(other, join(dir, 'history'));
    const history = openHistory(dir, []);
    expect(history.lines()).toEqual([]);
    history.add('x');
    expect(readFileSync(other, 'utf8')).toBe('mine\n');
    expect(lstatSync(join(dir, 'history')).isSymbolicLink()).toBe(false);
  });

  it('leaves out what is too long to be of use', () => {
    const history = openHistory(fresh(), []);
    history.add('x'.repeat(10_000));
    expect(history.lines()).toEqual([]);
  });
});

describe('a run in the background', () => {
  it('is asked as soon as it is driven, and is gone when it is over', async () => {
    const idle: number[] = [];
    const jobs = makeJobs((code) => idle.push(code));
    let finish: (code: number) => void = () => undefined;
    expect(jobs.start(() => new Promise((resolve) => (finish = resolve)))).toBe(true);
    expect(jobs.start(() => Promise.resolve(0))).toBe(false);
    const asked = jobs.ask({ type: 'clear' });
    jobs.driving((request) => Promise.resolve(`no ${request.type}`));
    expect(await asked).toEqual({ type: 'answer', refused: 'no clear' });
    jobs.driving(null);
    const late = jobs.ask({ type: 'clear' });
    finish(3);
    expect(await late).toEqual({ type: 'gone' });
    expect(await jobs.ended()).toBe(3);
    expect(idle).toEqual([3]);
    expect(jobs.isBusy()).toBe(false);
  });
});

describe('/watch', () => {
  const session: SessionId = { role: 'worker', node: 'gn-1', born: 1, series: 1, seat: 1 };
  const mask = (text: string) => text.replaceAll('hunter2', '[masked]');
  const watching = () => {
    const lines: string[] = [];
    const slugOf = (node: string) => (node === 'gn-1' ? 'parse' : null);
    return { lines, watch: makeWatch({ print: (line) => lines.push(line), slugOf, ascii: false }) };
  };

  it('shows whole lines, masked and plain, from when it is said until it is said again', () => {
    const { lines, watch } = watching();
    const text = (words: string) => watch.heard({ type: 'text', text: words, session }, mask);
    text('before\n');
    expect(watch.toggle(null)).toContain('Watching all nodes');
    text('the key is hun');
    text('ter2\x1b[31m\nand');
    expect(lines).toEqual(['parse worker | the key is [masked]\\x1b[31m']);
    watch.heard({ type: 'calling', name: 'bash', session }, mask);
    expect(lines.slice(1)).toEqual(['parse worker | and', 'parse worker | -> bash']);
    expect(watch.toggle(null)).toBe('No longer watching.');
    text('after\n');
    expect(lines).toHaveLength(3);
  });

  it('of a node shows that node only', () => {
    const { lines, watch } = watching();
    watch.toggle('other');
    watch.heard({ type: 'text', text: 'a\n', session }, mask);
    watch.toggle('parse');
    watch.heard({ type: 'text', text: 'b\n', session }, mask);
    watch.heard({ type: 'text', text: 'c\n', session: { ...session, node: null, role: 'planner' } }, mask);
    expect(lines).toEqual(['parse worker | b']);
  });
});
