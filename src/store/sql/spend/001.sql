-- What was spent on each day of the local calendar, over all runs: `2026-11-30`.
CREATE TABLE days (
  day TEXT PRIMARY KEY,
  tokens INTEGER NOT NULL,
  cost INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- Calls under way, and the process that sends each. `charged`: that process died, so all of it is in `days`.
-- AUTOINCREMENT, because an id must never be used again.
CREATE TABLE held (
  id INTEGER PRIMARY KEY AUTOINCREMENT,
  day TEXT NOT NULL,
  tokens INTEGER NOT NULL,
  cost INTEGER NOT NULL,
  run TEXT NOT NULL,
  pid INTEGER NOT NULL,
  start_time TEXT NOT NULL,
  at INTEGER NOT NULL,
  charged INTEGER NOT NULL DEFAULT 0
) STRICT;
