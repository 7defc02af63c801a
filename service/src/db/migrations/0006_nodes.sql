-- Why: while the database is away, nodes reach each other at an address and agree not to take over each other's work; and each node
-- reports which platforms it can ask, so that tasks wait for one that can. Old code beside it: yes, it registers without an address,
-- and its leases are judged as before; what it can ask is unknown, and counts as before. Locks: `nodes`, for an instant: the columns
-- are nullable, and nothing is rewritten.
alter table nodes add peer_url text, add peer_key text, add constraint nodes_peer_check check ((peer_url is null) = (peer_key is null));

create table node_platforms (
  node_id uuid primary key,
  roles text[] not null,
  slots_max integer not null,
  -- The platforms that it is restricted to by its configuration; null: it is not.
  only_platforms text[],
  -- The platforms that it can ask, and by code why it cannot ask the others that it should.
  askable text[] not null,
  lacking jsonb not null,
  seen_at timestamptz not null default now()
) with (fillfactor = 50);
