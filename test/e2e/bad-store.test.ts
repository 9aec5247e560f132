/** A journal that cannot be trusted: every command refuses with exit code 5, says why, and leaves it as it is. */

import { mkdirSync, readdirSync, readFileSync, rmSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect } from 'vitest';
import { until } from '../support/os.ts';
import { inLanes, test, withRig, type Rig } from '../support/rig.ts';

const PLAN = 'the plan';

/** A workspace with a run that was paused, and what is stored of it. */
async function pausedRun(rig: Rig): Promise<string> {
  const a = rig.puppet('a');
  const owner = rig.start(['run', rig.plan({ nodes: [{ slug: 'a', run: a.command }] })]);
  await a.called();
  owner.kill('SIGINT');
  expect((await owner.ended).exit).toBe(130);
  return join(rig.stateDir, 'journal.db');
}

interface Damage {
  readonly name: string;
  /** What of the commands is tried; two of them unless given. */
  readonly commands?: readonly (readonly string[])[];
  readonly make: (journal: string) => void;
  readonly words: readonly string[];
}

const change =
  (sql: string): Damage['make'] =>
  (journal) => {
    const db = new Database(journal);
    db.exec(sql);
    db.close();
  };

const TWO = [['status'], ['resume']];
const LOOK_AND_CONTROL = [...TWO, ['retry', 'a'], ['clear'], ['pause'], ['runs'], ['log', 'a'], ['show']];
const ALL = [...LOOK_AND_CONTROL, ['run', PLAN]];

const DAMAGES: readonly Damage[] = [
  {
    name: 'empty',
    make: (journal) => truncateSync(journal),
    words: ['it is empty', 'left untouched'],
    commands: ALL,
  },
  {
    name: 'cut in half',
    make: (journal) => truncateSync(journal, Math.floor(statSync(journal).size / 8192) * 4096),
    words: ['cannot be read as a journal', 'left untouched'],
  },
  {
    name: 'overwritten from its second page on',
    make(journal) {
      const bytes = readFileSync(journal);
      writeFileSync(journal, bytes.fill(0x5a, 4096, bytes.length - 100));
    },
    words: ['cannot be read as a journal', 'left untouched'],
  },
  {
    name: 'no database',
    make: (journal) => writeFileSync(journal, 'These are my notes. '.repeat(500)),
    words: ['cannot be read as a journal', 'left untouched'],
  },
  {
    name: "another program's",
    make(journal) {
      rmSync(journal);
      change('CREATE TABLE mine (x)')(journal);
    },
    words: ['another program', 'left untouched'],
  },
  {
    name: 'a newer one',
    make: change('PRAGMA user_version = 999'),
    words: ['999', 'Upgrade goalgraph'],
    commands: ALL,
  },
  {
    name: 'a folder',
    make(journal) {
      rmSync(journal);
      mkdirSync(journal);
    },
    words: ['it is not a file'],
  },
  {
    name: 'without one of its events',
    // A new run asks only how the last one ended: what else is wrong with it does not matter to it.
    commands: LOOK_AND_CONTROL,
    make: change('DELETE FROM events WHERE version = 2'),
    words: ['Event 2', 'is missing', 'Nothing was changed'],
  },
  {
    name: 'with an event that is no JSON',
    make: change(`UPDATE events SET body = '{"type":' WHERE version = 2`),
    words: ['Event 2', 'Nothing was changed'],
  },
  {
    name: 'with an event of a type to come',
    make: change(`UPDATE events SET type = 'node.dreamt' WHERE version = 2`),
    words: ['Event 2', 'node.dreamt', 'newer one'],
  },
  {
    name: 'with an event that does not follow',
    make: change(
      `UPDATE events SET type = 'run.completed', v = 1, body = '{"type":"run.completed","at":1}' WHERE version = 3`,
    ),
    words: ['event 3', 'does not follow', 'Nothing was changed'],
  },
];

/** Every file in the state directory with what is in it, but for SQLite's own index and lock. */
function stateOf(rig: Rig): Readonly<Record<string, string>> {
  const files = readdirSync(rig.stateDir)
    .filter((name) => !/-shm$|^lease\.db/.test(name))
    // Looking at a database in WAL mode makes this file; without a frame in it, it says nothing.
    .filter((name) => name !== 'journal.db-wal' || statSync(join(rig.stateDir, name)).size > 0);
  return Object.fromEntries(
    files.map((name) => {
      const path = join(rig.stateDir, name);
      return [name, statSync(path).isDirectory() ? 'folder' : readFileSync(path).toString('base64')];
    }),
  );
}

describe('a journal that is damaged', () => {
  test('is refused by every command, and left as it is', async () => {
    await inLanes(3, DAMAGES, ({ name, make, words, commands = TWO }) =>
      withRig(async (rig) => {
        make(await pausedRun(rig));
        const before = stateOf(rig);
        const plan = rig.plan({ nodes: [{ slug: 'b', run: 'touch started' }] });
        for (const args of commands) {
          const { exit, stdout, stderr } = await rig.run(args.map((arg) => (arg === PLAN ? plan : arg)));
          expect({ name, args, exit, stdout }).toEqual({ name, args, exit: 5, stdout: '' });
          for (const word of words) expect(stderr, `${name}: ${args.join(' ')}`).toContain(word);
        }
        expect(stateOf(rig)).toEqual(before);
        expect(readdirSync(rig.workspace)).toEqual(['.goalgraph']);
      }),
    );
  });
});

describe('a journal whose last write was torn', () => {
  test('is gone on with from the last event that is whole', async ({ rig }) => {
    const [a, b] = [rig.puppet('a'), rig.puppet('b')];
    const plan = rig.plan({
      nodes: [
        { slug: 'a', run: a.command },
        { slug: 'b', deps: ['a'], run: b.command },
      ],
    });
    const owner = rig.start(['run', plan]);
    (await a.called()).exit(0);
    await b.called();
    owner.kill('SIGKILL');
    await owner.ended;
    // What tears a write ends every process too.
    for (const { pid } of rig.alive()) process.kill(pid, 'SIGKILL');
    await until('nothing lives', () => rig.alive().length === 0);
    const before = rig.journal().events;
    const wal = join(rig.stateDir, 'journal.db-wal');
    while (rig.journal().events.length === before.length) truncateSync(wal, statSync(wal).size - 1_000);
    expect(rig.journal().events).toEqual(before.slice(0, rig.journal().events.length));
    expect(rig.journal().events).not.toEqual([]);

    const resumed = rig.start(['resume']);
    (await b.called()).exit(0);
    expect(await resumed.ended).toMatchObject({ exit: 0, stderr: '' });
    expect(a.calls()).toBe(1);
  });
});
