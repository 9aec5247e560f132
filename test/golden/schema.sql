PRAGMA user_version = 1;

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

CREATE INDEX events_lifecycle ON events (stream, version) WHERE type GLOB 'run.*';

CREATE TABLE blobs (
  address TEXT PRIMARY KEY,
  body BLOB NOT NULL
) STRICT;

CREATE TABLE inbox (
  id INTEGER PRIMARY KEY,
  run TEXT NOT NULL,
  owner_epoch INTEGER NOT NULL,
  request TEXT NOT NULL,
  answer TEXT,
  posted_at INTEGER NOT NULL
) STRICT;

CREATE TABLE owners (
  epoch INTEGER PRIMARY KEY AUTOINCREMENT,
  run TEXT NOT NULL,
  pid INTEGER NOT NULL,
  host TEXT NOT NULL,
  since INTEGER NOT NULL
) STRICT;

CREATE TABLE sqlite_sequence(name,seq);

CREATE TABLE children (
  token TEXT PRIMARY KEY,
  pid INTEGER NOT NULL,
  start_time TEXT NOT NULL,
  run TEXT NOT NULL,
  key TEXT NOT NULL
) STRICT;
