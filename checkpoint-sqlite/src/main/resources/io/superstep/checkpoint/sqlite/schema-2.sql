-- What the runs of threads have told.

CREATE TABLE log (
  id INTEGER PRIMARY KEY,
  thread TEXT NOT NULL UNIQUE,
  fence INTEGER NOT NULL DEFAULT 0,      -- the highest that was seen
  own INTEGER NOT NULL DEFAULT 1,        -- the number of the first fact that it has appended, or will
  is_closed INTEGER NOT NULL DEFAULT 0,  -- whether it was deleted, and no higher fence was seen since
  first INTEGER NOT NULL DEFAULT 1,      -- the number of the first fact that is kept
  last INTEGER NOT NULL DEFAULT 0,
  riding INTEGER NOT NULL DEFAULT 0,     -- how many have ridden behind the last fact
  life INTEGER NOT NULL DEFAULT 0        -- how often it was deleted
);

CREATE TABLE event (
  log INTEGER NOT NULL REFERENCES log (id) ON DELETE CASCADE,
  number INTEGER NOT NULL,               -- of the fact; of what rides beside it, that of the one before
  riding INTEGER NOT NULL,               -- 0 of a fact
  kind INTEGER NOT NULL,                 -- 0 key frame, 1 other fact, 2 rides, 3 has ridden
  tasks TEXT NOT NULL,                   -- whose words it is
  event BLOB NOT NULL,
  PRIMARY KEY (log, number, riding)
) WITHOUT ROWID;

CREATE INDEX frame ON event (log, number) WHERE kind = 0;

CREATE INDEX rider ON event (log, kind, number, riding) WHERE kind >= 2;
