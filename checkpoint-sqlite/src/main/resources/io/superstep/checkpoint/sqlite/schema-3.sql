-- What threads remember together.

CREATE TABLE item (
  namespace TEXT NOT NULL,
  key TEXT NOT NULL,
  expires INTEGER,                       -- in milliseconds, not before it does; null if never
  item BLOB NOT NULL,
  PRIMARY KEY (namespace, key)
) WITHOUT ROWID;

CREATE INDEX expiry ON item (expires) WHERE expires IS NOT NULL;

-- Who wrote the outbox of a thread that was applied last.
CREATE TABLE marker (
  thread TEXT PRIMARY KEY,
  fence INTEGER NOT NULL,
  sequence INTEGER NOT NULL
) WITHOUT ROWID;
