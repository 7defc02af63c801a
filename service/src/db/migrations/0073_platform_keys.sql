-- Why: a vendor's key was a variable of the environment, and a model and a price were entries of a file, so only whoever could restart
-- the service could set them. Administrators set them in the console: kept here, the keys encrypted with the master key.
-- Old code beside it: from 0012. It asks with the keys, models and prices of its environment and file.

-- step: transaction
create table platform_keys (
  -- The environment variable in whose place the key stands.
  variable  text primary key check (variable ~ '^[A-Za-z_][A-Za-z0-9_]{0,127}$'),
  sealed    bytea not null,
  -- The last four characters, which people recognize a key by; null for a short key, of which they would reveal too much.
  ending    text check (length(ending) <= 4),
  stored_at timestamptz not null
);

-- What the file of platforms leaves out.
create table platform_settings (
  platform   text primary key,
  -- `model`, `deepModel` and `price`, as the file would have them.
  settings   jsonb not null,
  updated_at timestamptz not null
);
