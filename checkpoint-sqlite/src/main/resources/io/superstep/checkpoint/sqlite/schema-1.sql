-- Threads. Times are in milliseconds, but for those of checkpoints, which are exact.

-- Fences are never used again, not even for a thread that was removed.
CREATE TABLE fence (last INTEGER NOT NULL);

INSERT INTO fence VALUES (0);

CREATE TABLE thread (
  id INTEGER PRIMARY KEY,
  name TEXT NOT NULL UNIQUE,
  is_idle INTEGER NOT NULL DEFAULT 1,    -- whether nothing is due there, and nothing paused
  owner TEXT,                            -- of the lease; null if there is none
  fence INTEGER NOT NULL DEFAULT 0,
  until INTEGER NOT NULL DEFAULT 0,
  lost INTEGER NOT NULL DEFAULT 0,       -- how many leases in a row ran out with nothing done
  waiting INTEGER NOT NULL DEFAULT 0,    -- how many inputs wait
  shape INTEGER NOT NULL DEFAULT 0,      -- changes with whatever is no mere step
  skipped INTEGER NOT NULL DEFAULT 0,    -- of the span of its head, what loading need not read
  look INTEGER NOT NULL DEFAULT 65536    -- from how much on that is read it is looked at
);

-- Those that may have something to do.
CREATE INDEX live ON thread (id)
  WHERE is_idle = 0 OR owner IS NOT NULL OR lost > 0 OR waiting > 0;

-- A thread stands at the last one: a step writes that and nothing else. Rows lie in the order in
-- which they were written, with an index: what many threads write together goes to few pages.
CREATE TABLE checkpoint (
  thread INTEGER NOT NULL REFERENCES thread (id) ON DELETE CASCADE,
  sequence INTEGER NOT NULL,
  fence INTEGER NOT NULL,
  parent INTEGER,                        -- null of a base
  stem INTEGER NOT NULL,                 -- from where on each is the parent of the next, up to here
  merged INTEGER,                        -- the one that it has taken over, if it is a merge
  merged_fence INTEGER,
  second INTEGER NOT NULL,
  nano INTEGER NOT NULL,
  span INTEGER NOT NULL,                 -- about how many bytes lead here
  digest BLOB NOT NULL,                  -- of what was written, to know it again
  entry BLOB NOT NULL,
  PRIMARY KEY (thread, sequence)
);

-- The whole state at a checkpoint, so that loading need not begin at the beginning.
CREATE TABLE snapshot (
  thread INTEGER PRIMARY KEY,
  sequence INTEGER NOT NULL,
  state BLOB NOT NULL,
  FOREIGN KEY (thread, sequence) REFERENCES checkpoint (thread, sequence) ON DELETE CASCADE
);

-- What is known of the tasks that are due at a checkpoint.
CREATE TABLE note (
  thread INTEGER NOT NULL,
  sequence INTEGER NOT NULL,
  place INTEGER NOT NULL,
  note BLOB NOT NULL,
  PRIMARY KEY (thread, sequence, place),
  FOREIGN KEY (thread, sequence) REFERENCES checkpoint (thread, sequence) ON DELETE CASCADE
) WITHOUT ROWID;

-- Inputs that wait, and the names of the last that have begun.
CREATE TABLE input (
  thread INTEGER NOT NULL REFERENCES thread (id) ON DELETE CASCADE,
  id TEXT NOT NULL,
  place INTEGER NOT NULL,
  input BLOB,                            -- null if it has begun
  PRIMARY KEY (thread, id)
) WITHOUT ROWID;
