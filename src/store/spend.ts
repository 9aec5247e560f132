/**
 * What all runs of one person have spent together, by days of the local calendar: the ledger of the ceilings. Any number
 * of processes share the file; each reservation is one immediate transaction, so no two of them get the same room. A
 * call whose process died is charged all of its reservation by whoever looks next.
 */

import type Database from 'better-sqlite3';
import type { Amount } from '../contract/budget.ts';
import {
  dayOf,
  monthOf,
  overCeiling,
  type CeilingSettings,
  type Counted,
  type OverCeiling,
  type Period,
} from '../contract/ceiling.ts';
import { ok, type Result } from '../contract/fault.ts';
import { isRunning, startTimeOf, type ProcessInfo } from '../os/processes.ts';
import { examine, type DatabaseKind } from './examine.ts';
import { guarded } from './faults.ts';
import { loadMigrations, schemaVersion, type Migrations } from './migrate.ts';
import { openDatabase } from './open.ts';

export interface Wanted extends Amount {
  /** Milliseconds since the epoch. */
  readonly at: number;
  readonly run: string;
  readonly ceilings: CeilingSettings;
}

export type Reserved = { readonly id: number } | { readonly refused: OverCeiling };

export type Totals = Readonly<Record<Period, Counted>>;

export interface Spend {
  reserve(wanted: Wanted): Result<Reserved>;
  /** What the call used, whatever was reserved; once, and again it changes nothing. */
  settle(id: number, used: Amount): Result<null>;
  /** It was not sent, or certainly not billed. */
  release(id: number): Result<null>;
  totals(at: number): Result<Totals>;
  close(): void;
}

export type Who = Pick<ProcessInfo, 'pid' | 'startTime'>;

export interface SpendOptions {
  readonly migrations?: Migrations;
  /** The process that reserves. */
  readonly who?: Who;
  readonly isAlive?: (who: Who) => boolean;
}

/** `spnd` in ASCII. */
const KIND: DatabaseKind = { application: 0x73706e64, what: 'a record of what was spent' };

const FOLDER = new URL('./sql/spend/', import.meta.url);

const PATIENCE = 5_000;

/** Opens it for reserving; makes it if there is none. */
export function openSpend(file: string, options: SpendOptions = {}): Result<Spend> {
  const { migrations = loadMigrations(FOLDER) } = options;
  const opened = openDatabase(file, { kind: KIND, migrations, secret: true });
  if (!opened.ok) return opened;
  const db = opened.value;
  const built = guarded(file, () => ok(build(db, options)), KIND.what);
  if (!built.ok) db.close();
  return built;
}

/** For looking only: makes and changes nothing. Null when there is no record yet. */
export function readSpend(file: string, at: number, options: SpendOptions = {}): Result<Totals | null> {
  const { migrations = loadMigrations(FOLDER), isAlive = isRunning } = options;
  const found = examine({
    file,
    newest: migrations.length,
    writable: false,
    patience: PATIENCE,
    kind: KIND,
  });
  if (!found.ok) return found;
  if (found.value.kind === 'missing') return ok(null);
  const { db } = found.value;
  const isOld = schemaVersion(db) !== migrations.length;
  const read = () => {
    const totals = totalsOf(db);
    return ok(db.transaction(() => totals(at, deadAmong(db, isAlive)))());
  };
  const totals = isOld ? null : guarded(file, read, KIND.what);
  db.close();
  return totals ?? migrated(file, at, options);
}

/** Our statements fit the newest schema only, so even a reader has to bring it up to date first. */
function migrated(file: string, at: number, options: SpendOptions): Result<Totals> {
  const opened = openSpend(file, options);
  if (!opened.ok) return opened;
  const totals = opened.value.totals(at);
  opened.value.close();
  return totals;
}

function build(db: Database.Database, options: SpendOptions): Spend {
  const { isAlive = isRunning } = options;
  const { pid, startTime } = options.who ?? self();
  const file = db.name;
  const totals = totalsOf(db);
  const insert = db.prepare<[string, number, number, string, number, string, number]>(
    'INSERT INTO held (day, tokens, cost, run, pid, start_time, at) VALUES (?, ?, ?, ?, ?, ?, ?)',
  );
  const pay = payer(db);
  const sweep = sweeper(db, isAlive, pay);
  const end = ender(db, pay);
  const reserve = db.transaction((wanted: Wanted): Reserved => {
    const { at, tokens, cost, run, ceilings } = wanted;
    sweep(at);
    const refused = overCeiling(ceilings, totals(at, []), wanted);
    if (refused !== null) return { refused };
    const row = insert.run(dayOf(at), tokens, cost, run, pid, startTime, at);
    return { id: Number(row.lastInsertRowid) };
  });
  const look = db.transaction((at: number): Totals => {
    sweep(at);
    return totals(at, []);
  });
  const change = <T>(work: () => T) => guarded(file, () => ok(work()), KIND.what);
  return {
    reserve: (wanted) => change(() => reserve.immediate(wanted)),
    settle: (id, used) => change(() => end.immediate(id, used)),
    release: (id) => change(() => end.immediate(id, { tokens: 0, cost: 0 })),
    totals: (at) => change(() => look.immediate(at)),
    close: () => void db.close(),
  };
}

/** A process that cannot be told from others is as good as dead for them: its calls are charged in full, too early. */
function self(): Who {
  return { pid: process.pid, startTime: startTimeOf(process.pid) ?? '' };
}

type Pay = (day: string, amount: Amount) => void;

function payer(db: Database.Database): Pay {
  const add = db.prepare<[string, number, number]>(
    `INSERT INTO days (day, tokens, cost) VALUES (?, ?, ?)
       ON CONFLICT (day) DO UPDATE SET tokens = tokens + excluded.tokens, cost = cost + excluded.cost`,
  );
  return (day, { tokens, cost }) => void add.run(day, tokens, cost);
}

interface HeldRow extends Amount {
  readonly id: number;
  readonly day: string;
  readonly charged: number;
}

function ender(db: Database.Database, pay: Pay) {
  const select = db.prepare<[number], HeldRow>(
    'SELECT id, day, tokens, cost, charged FROM held WHERE id = ?',
  );
  const remove = db.prepare<[number]>('DELETE FROM held WHERE id = ?');
  return db.transaction((id: number, used: Amount): null => {
    const row = select.get(id);
    if (row === undefined) return null;
    remove.run(id);
    // Taken for dead, and alive after all: what was charged for it is put right.
    const paid = row.charged === 1 ? row : { tokens: 0, cost: 0 };
    pay(row.day, { tokens: used.tokens - paid.tokens, cost: used.cost - paid.cost });
    return null;
  });
}

/** Milliseconds for which a call that was charged in full is kept, in case its process was not dead. */
const KEPT = 2 * 24 * 60 * 60_000;

function sweeper(db: Database.Database, isAlive: (who: Who) => boolean, pay: Pay): (at: number) => void {
  const mark = db.prepare<[number]>('UPDATE held SET charged = 1 WHERE id = ?');
  const forget = db.prepare<[number]>('DELETE FROM held WHERE charged = 1 AND at < ?');
  return (at) => {
    for (const row of deadAmong(db, isAlive)) {
      mark.run(row.id);
      pay(row.day, row);
    }
    forget.run(at - KEPT);
  };
}

/** Reservations of processes that are gone. */
function deadAmong(db: Database.Database, isAlive: (who: Who) => boolean): readonly HeldRow[] {
  const rows = db
    .prepare<[], HeldRow & Who>(
      'SELECT id, day, tokens, cost, charged, pid, start_time AS startTime FROM held WHERE charged = 0',
    )
    .all();
  const known = new Map<string, boolean>();
  return rows.filter(({ pid, startTime }) => {
    const name = `${pid} ${startTime}`;
    const alive = known.get(name) ?? isAlive({ pid, startTime });
    known.set(name, alive);
    return !alive;
  });
}

/** `dead`: reservations that are about to be charged, counted as spent. */
function totalsOf(db: Database.Database): (at: number, dead: readonly HeldRow[]) => Totals {
  const sum = (table: string) =>
    db.prepare<[string], Amount>(
      `SELECT coalesce(sum(tokens), 0) AS tokens, coalesce(sum(cost), 0) AS cost FROM ${table} WHERE day GLOB ?`,
    );
  const days = sum('days');
  const held = sum('(SELECT day, tokens, cost FROM held WHERE charged = 0)');
  return (at, dead) => {
    const of = (pattern: string, isIn: (day: string) => boolean): Counted => {
      const gone = dead.filter(({ day }) => isIn(day));
      const owed = { tokens: total(gone, 'tokens'), cost: total(gone, 'cost') };
      const spent = days.get(pattern) ?? owed;
      const reserved = held.get(pattern) ?? owed;
      return { spent: plus(spent, owed, 1), reserved: plus(reserved, owed, -1) };
    };
    const [day, month] = [dayOf(at), monthOf(at)];
    return {
      day: of(day, (each) => each === day),
      month: of(`${month}-*`, (each) => each.startsWith(`${month}-`)),
    };
  };
}

function total(rows: readonly Amount[], what: keyof Amount): number {
  return rows.reduce((sum, row) => sum + row[what], 0);
}

function plus(one: Amount, other: Amount, sign: 1 | -1): Amount {
  return { tokens: one.tokens + sign * other.tokens, cost: one.cost + sign * other.cost };
}
