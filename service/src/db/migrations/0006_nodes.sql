-- Why: while the database is away, nodes reach each other at an address and agree not to take over each other's work; and each node
-- reports which platforms it can ask, so that tasks wait for one that can. Old code beside it: yes, it registers without an address,
-- and its leases are judged as before; what it can ask is unknown, and counts as before. Locks: both tables, for an instant: the columns
-- are nullable, and nothing is rewritten.
alter table nodes add peer_url text, add peer_key text, add constraint nodes_peer_check check ((peer_url is null) = (peer_key is null));

create table node_platforms (
  node_id uuid primary key,
  roles text[] not null,
  slots_max integer not null,
  -- The platforms that it is restricted to by its configuration; null: it is not.
  only_platforms text[],
  -- The platforms that it can ask; and, by code, those that it should and cannot: `{why, browser}`.
  askable text[] not null,
  lacking jsonb not null,
  seen_at timestamptz not null default now()
) with (fillfactor = 50);

-- Whether a worker can ask the platform, as the workers last reported: null if they did not; `lacking`: none can, as what one needs is
-- missing; `no_worker`: none can at present, but tasks are accepted, since one may come.
alter table platforms add askable text, add askable_why text,
  add constraint platforms_askable_check check (askable in ('yes', 'lacking', 'no_worker'));
