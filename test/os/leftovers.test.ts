import type { ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { chownSync, copyFileSync, existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import type { ChildRow } from '../../src/contract/ports.ts';
import { endLeftovers } from '../../src/os/leftovers.ts';
import { CHILD_VARIABLE, listProcesses, listWithPs, startTimeOf, tokensOf } from '../../src/os/processes.ts';
import {
  bearersOf,
  isAlive,
  lineIn,
  newToken,
  parent,
  shell,
  stranger,
  tempFolder,
  until,
} from '../support/os.ts';

describe('after the owner was killed', () => {
  it('ends its children, their children, and a daemon with a session of its own', async () => {
    const folder = tempFolder();
    const row = await killedWhile(
      folder,
      `(sh -c 'sleep 1000; :'; :) & setsid sh -c 'echo > ${folder}/up; sleep 1000; :' & wait`,
    );
    await until('all are there', () => bearersOf(row.token).length >= 5);
    expect(await endLeftovers([row])).toEqual({ gone: [row], survivors: [], around: [] });
    expect(bearersOf(row.token)).toEqual([]);
  });

  it('ends what is left of a group whose leader is gone', async () => {
    const folder = tempFolder();
    const bare = `env -i sh -c 'echo $$ > ${folder}/up; exec sleep 1000'`;
    const row = await killedWhile(folder, `sleep 1000 & ${bare} & wait`);
    process.kill(row.pid, 'SIGKILL');
    await until('the leader is gone', () => !isAlive(row.pid));
    expect(bearersOf(row.token)).toHaveLength(1);
    const member = Number(await lineIn(join(folder, 'up')));
    // Where nobody reaps orphans the dead leader stays in the table: then, too, the token alone must do.
    expect((await endLeftovers([{ ...row, startTime: 'gone' }])).survivors).toEqual([]);
    expect([bearersOf(row.token), isAlive(member)]).toEqual([[], false]);
  });

  it('ends a member of the group that has dropped its environment', async () => {
    const folder = tempFolder();
    const row = await killedWhile(folder, `env -i sh -c 'echo $$ > ${folder}/up; exec sleep 1000' & wait`);
    const member = Number(await lineIn(join(folder, 'up')));
    expect([isAlive(member), tokensOf(member)]).toEqual([true, []]);
    expect((await endLeftovers([row])).survivors).toEqual([]);
    expect(isAlive(member)).toBe(false);
  });

  it('ends what a goalgraph within this one had started', async () => {
    const folder = tempFolder();
    const inner = `node --import tsx test/support/os-parent.ts run ${folder}/inner 'echo > ${folder}/up; sleep 1000; :'`;
    const row = await killedWhile(folder, `mkdir ${folder}/inner; cd ${process.cwd()}; exec ${inner}`);
    const innerRow = JSON.parse(await lineIn(join(folder, 'inner', 'row'))) as ChildRow;
    expect(isAlive(innerRow.pid)).toBe(true);
    expect((await endLeftovers([row])).survivors).toEqual([]);
    expect([isAlive(innerRow.pid), bearersOf(innerRow.token)]).toEqual([false, []]);
  });

  it('ends many while they fork', async () => {
    const folder = tempFolder();
    const forks = `setsid sh -c 'while :; do (sleep 0.05) & wait; done' &`;
    const row = await killedWhile(
      folder,
      `${forks.repeat(8)} echo > ${folder}/up; while :; do sleep 0.01; done`,
    );
    expect((await endLeftovers([row])).survivors).toEqual([]);
    expect(bearersOf(row.token)).toEqual([]);
  });
});

describe('what is not provably ours', () => {
  it('a process that got the number of a recorded one is not signalled', async () => {
    const { pid, startTime } = await stranger();
    const row = { pid, startTime: `${startTime}0`, token: newToken(), run: 'r', key: 'k' };
    expect(await endLeftovers([row])).toEqual({ gone: [row], survivors: [], around: [] });
    expect(startTimeOf(pid)).toBe(startTime);
    expect(isAlive(pid)).toBe(true);
  });

  it('nor one whose token only looks alike', async () => {
    const token = newToken();
    const { pid } = await stranger({
      [CHILD_VARIABLE]: `${token}0`,
      OTHER: `${CHILD_VARIABLE}=${token}`,
      [`X${CHILD_VARIABLE}`]: token,
    });
    await endLeftovers([{ pid, startTime: 'another', token, run: 'r', key: 'k' }]);
    expect(isAlive(pid)).toBe(true);
  });

  it('nor one of before the last boot', async () => {
    const { pid, startTime } = await stranger();
    const sinceBoot = startTime.split(' ')[1] ?? '';
    expect(sinceBoot).toMatch(/^\d+$/);
    const row = { pid, startTime: `another-boot ${sinceBoot}`, token: newToken(), run: 'r', key: 'k' };
    await endLeftovers([row]);
    expect(isAlive(pid)).toBe(true);
  });

  it.each([0, 1, -1, 0.5, NaN])('a damaged record with the number %d signals nothing', async (pid) => {
    const row = { pid, startTime: startTimeOf(1) ?? '', token: newToken(), run: 'r', key: 'k' };
    expect(await endLeftovers([row])).toEqual({ gone: [row], survivors: [], around: [] });
  });

  it('nor ourselves, when we were started by the very command that is left', async () => {
    const token = newToken();
    const rows = JSON.stringify([{ pid: 4_194_303, startTime: 'gone', token, run: 'r', key: 'k' }]);
    const command = `node --import tsx test/support/os-parent.ts end '${rows}'; echo still here`;
    const { end, text } = await shell(command, { token, cwd: process.cwd() });
    expect([end.exit, text.split('\n').slice(1)]).toEqual([0, ['still here', '']]);
  });

  it('nothing was recorded: nothing is done', async () => {
    expect(await endLeftovers([])).toEqual({ gone: [], survivors: [], around: [] });
  });
});

it('an ordinary user can run a command, and end what was left of one', async () => {
  const uid = process.getuid?.() === 0 ? 65_534 : undefined;
  const folder = tempFolder();
  if (uid !== undefined) chownSync(folder, uid, uid);
  const run = parent('run', [folder, 'echo $(id -u); echo oops > /dev/stderr; exit 7'], uid);
  expect(await outputOf(run)).toMatchObject({
    outcome: 'exit',
    exit: 7,
    tail: `${uid ?? process.getuid?.() ?? ''}\noops`,
  });
  const left = parent(
    'leave',
    [folder, `setsid sleep 1000 & sleep 1000 & echo > ${folder}/ready; wait`],
    uid,
  );
  expect(await outputOf(left)).toMatchObject({ survivors: [], gone: [{ key: 'k' }] });
  const row = JSON.parse(await lineIn(join(folder, 'row'))) as ChildRow;
  expect(bearersOf(row.token)).toEqual([]);
});

it.runIf(process.getuid?.() === 0)('what may not be ended is named, and its record stays', async () => {
  const row = { ...(await stranger()), token: newToken(), run: 'r', key: 'k' };
  const ordinary = parent('end', [JSON.stringify([row])], 65_534);
  expect(await outputOf(ordinary)).toEqual({ gone: [], survivors: [row.pid], around: [] });
  expect(isAlive(row.pid)).toBe(true);
});

it('reads what the system tells of a process with an odd name, and its token when it is all there is', async () => {
  const program = join(tempFolder(), 'a) R 1 (b');
  copyFileSync('/bin/sleep', program);
  const { pid, startTime } = await stranger({ [CHILD_VARIABLE]: 'outer:inner' }, program);
  expect(startTime).toMatch(/^[0-9a-f-]{36} \d+$/);
  expect(listProcesses().find((p) => p.pid === pid)).toEqual({ pid, group: pid, startTime, ended: false });
  expect(tokensOf(pid)).toEqual(['outer', 'inner']);
});

it('ps tells the same as /proc, where there is no /proc', async () => {
  const { pid } = await stranger();
  const [told] = listWithPs(['-p', String(pid)]);
  expect(told).toMatchObject({ pid, group: pid, ended: false });
  expect(told?.startTime).toMatch(/^\w+ \w+ +\d+ \d\d:\d\d:\d\d \d{4}$/);
  expect(listWithPs(['-ax']).map((p) => p.pid)).toContain(pid);
  expect(listProcesses().map((p) => p.pid)).toContain(pid);
});

/** Starts a goalgraph that runs `command`, and kills it when the file `up` is there. */
async function killedWhile(folder: string, command: string): Promise<ChildRow> {
  const owner = parent('run', [folder, command]);
  await until('the command is up', () => existsSync(join(folder, 'up')), 20_000);
  const row = JSON.parse(await lineIn(join(folder, 'row'))) as ChildRow;
  owner.kill('SIGKILL');
  await until('the owner is gone', () => owner.signalCode !== null);
  return row;
}

async function outputOf(child: ChildProcess): Promise<unknown> {
  const chunks: Buffer[] = [];
  child.stdout?.on('data', (chunk: Buffer) => void chunks.push(chunk));
  await once(child, 'close');
  return JSON.parse(Buffer.concat(chunks).toString()) as unknown;
}
