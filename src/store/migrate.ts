/** The schema, as numbered SQL files that are applied in order, each once. */

import { readdirSync, readFileSync } from 'node:fs';
import type Database from 'better-sqlite3';

/** SQL by schema version: the first entry makes version 1. */
export type Migrations = readonly string[];

const FOLDER = new URL('./sql/', import.meta.url);

export function loadMigrations(folder: URL = FOLDER): Migrations {
  const names = readdirSync(folder)
    .filter((name) => name.endsWith('.sql'))
    .sort();
  return names.map((name, index) => {
    const wanted = `${String(index + 1).padStart(3, '0')}.sql`;
    if (name !== wanted) throw new Error(`migration ${wanted} expected, found ${name}`);
    return readFileSync(new URL(name, folder), 'utf8');
  });
}

export function schemaVersion(db: Database.Database): number {
  return pragmaNumber(db, 'user_version');
}

export function pragmaNumber(db: Database.Database, name: string): number {
  const value = db.pragma(name, { simple: true });
  if (typeof value !== 'number') throw new Error(`PRAGMA ${name} is not a number`);
  return value;
}

/** Brings a database to the newest version. Of two processes that try, the second finds it done. */
export function migrate(db: Database.Database, migrations: Migrations): void {
  migrations.forEach((sql, index) => {
    const version = index + 1;
    if (schemaVersion(db) >= version) return;
    const apply = db.transaction(() => {
      if (schemaVersion(db) >= version) return;
      db.pragma(`user_version = ${version}`);
      db.exec(sql);
    });
    apply.immediate();
  });
}
