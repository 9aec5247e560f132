-- The journal: one stream per run. unique(stream, version) refuses the second of two writers.
-- `v` is the version of the event type's schema; `body` is the whole event as JSON.
CREATE TABLE events (
  seq INTEGER PRIMARY KEY,
  stream TEXT NOT NULL,
  version INTEGER NOT NULL,
  type TEXT NOT NULL,
  at INTEGER NOT NULL,
  v INTEGER NOT NULL,
  body TEXT NOT NULL,
  UNIQUE (stream, version)
) STRICT;

-- For the newest `run.` event of a stream, and for the list of runs: each begins with `run.created`.
CREATE INDEX events_lifecycle ON events (stream, version) WHERE type GLOB 'run.*';

-- Large texts; `address` is the sha256 of `body`.
CREATE TABLE blobs (
  address TEXT PRIMARY KEY,
  body BLOB NOT NULL
) STRICT;

-- Control from other processes; `answer` is null until the owner has acted.
CREATE TABLE inbox (
  id INTEGER PRIMARY KEY,
  run TEXT NOT NULL,
  owner_epoch INTEGER NOT NULL,
  request TEXT NOT NULL,
  answer TEXT,
  posted_at INTEGER NOT NULL
) STRICT;

-- One row per take of the lease; AUTOINCREMENT, because an epoch must never be used again.
CREATE TABLE owners (
  epoch INTEGER PRIMARY KEY AUTOINCREMENT,
  run TEXT NOT NULL,
  pid INTEGER NOT NULL,
  host TEXT NOT NULL,
  since INTEGER NOT NULL
) STRICT;

-- Processes in flight, so that the next owner can end what the last one left behind.
CREATE TABLE children (
  token TEXT PRIMARY KEY,
  pid INTEGER NOT NULL,
  start_time TEXT NOT NULL,
  run TEXT NOT NULL,
  key TEXT NOT NULL
) STRICT;
