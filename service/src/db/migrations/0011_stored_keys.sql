-- Why: the key that makes public addresses unguessable was derived from the master key, so that a new master key would end every
-- share link. Now it is stored, encrypted with the master key.
-- Old code beside it: may run, it derives the same key. Locks: none on existing tables.

create table stored_keys (
  purpose    text primary key,
  sealed     bytea not null,
  created_at timestamptz not null default now()
);
