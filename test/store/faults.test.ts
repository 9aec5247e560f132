import { join } from 'node:path';
import Database from 'better-sqlite3';
import { describe, expect, it } from 'vitest';
import { guarded, guardedAsync, storeFault } from '../../src/store/faults.ts';

const FILE = '/state/journal.db';

function sqlite(code: string) {
  return new Database.SqliteError(`message of ${code}`, code);
}

describe('what SQLite and the file system say', () => {
  it.each([
    ['SQLITE_FULL', 'store_full'],
    ['SQLITE_CORRUPT', 'store_corrupt'],
    ['SQLITE_CORRUPT_INDEX', 'store_corrupt'],
    ['SQLITE_NOTADB', 'store_corrupt'],
    ['SQLITE_IOERR', 'store_io'],
    ['SQLITE_IOERR_FSYNC', 'store_io'],
    ['SQLITE_READONLY', 'store_io'],
    ['SQLITE_READONLY_DIRECTORY', 'store_io'],
    ['SQLITE_CANTOPEN', 'store_io'],
    ['SQLITE_BUSY', 'store_io'],
    ['SQLITE_BUSY_RECOVERY', 'store_io'],
    ['SQLITE_PROTOCOL', 'store_io'],
    ['SQLITE_CONSTRAINT_UNIQUE', 'conflict'],
    ['SQLITE_CONSTRAINT_PRIMARYKEY', 'conflict'],
  ])('%s is the fault %s, naming the file', (said, code) => {
    const fault = storeFault(sqlite(said), FILE);
    expect(fault.code).toBe(code);
    expect(fault.message).toContain(FILE);
  });

  it.each(['SQLITE_ERROR', 'SQLITE_MISUSE', 'SQLITE_CONSTRAINT_NOTNULL', 'SQLITE_CONSTRAINT_DATATYPE'])(
    '%s is a bug',
    (code) => {
      const error = sqlite(code);
      expect(() => storeFault(error, FILE)).toThrow(error);
    },
  );

  it.each([
    ['ENOSPC', 'store_full'],
    ['EDQUOT', 'store_full'],
    ['EACCES', 'store_io'],
    ['EROFS', 'store_io'],
  ])('%s is the fault %s', (said, code) => {
    const error = Object.assign(new Error(said), { code: said, syscall: 'open' });
    expect(storeFault(error, FILE).code).toBe(code);
  });

  it('leaves any other error alone', async () => {
    const bug = new TypeError('a bug');
    const work = () => {
      throw bug;
    };
    expect(() => guarded(FILE, work)).toThrow(bug);
    await expect(guardedAsync(FILE, work)).rejects.toBe(bug);
  });

  it('tells how to move a corrupt journal aside, all of it', () => {
    const { message } = storeFault(sqlite('SQLITE_CORRUPT'), join('/state', 'journal.db'));
    for (const suffix of ['', '-wal', '-shm']) expect(message).toContain(`${FILE}${suffix}`);
    expect(message).toContain('left untouched');
  });
});
