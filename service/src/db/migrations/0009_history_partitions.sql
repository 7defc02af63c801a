-- Why: `tasks`, `ledger` and `deliveries` only grow. As partitions by time, old history can be exported and dropped as a whole, and
-- the indexes that are written stay small. Ids are UUIDv7 and contain their time, so a range of times is a range of ids: the keys
-- need no further column, and a look-up by id reads one partition.
-- Old code beside it: no. It inserts ledger entries without `cause_id`: stop every process before this one starts.
-- Locks: the three tables, until the commit. Nothing is rewritten: each table becomes the first partition of a new one of its name. The
-- primary key of `ledger` is built anew, and each table is read once: some seconds for a million tasks.
--
-- A new partition is made like the last one, with its indexes and storage parameters (db/history.ts): a migration that adds an index
-- that can't be one of the partitioned table (a unique one without the partition key) adds it to every partition.

-- What moved the points: the task that ended, the batch that was accepted, or the grant itself. Its time selects the partition, so that
-- everything about one task is in one partition, and the partition's unique indexes can refuse a second hold, capture or release.
-- Nil in entries from before, which all are in the first partition.
alter table ledger add column cause_id uuid not null default '00000000-0000-0000-0000-000000000000';
alter table ledger alter column cause_id drop default;
alter table ledger drop constraint ledger_pkey, add primary key (account_id, id, cause_id);
-- Before version 17 PostgreSQL has no identity columns in partitioned tables.
create sequence ledger_ids;
select setval('ledger_ids', nextval(pg_get_serial_sequence('ledger', 'id')), false);
alter table ledger alter column id drop identity;
alter table ledger alter column id set default nextval('ledger_ids');

-- Where the first partition ends: the end of the month of tomorrow, or of the newest row if a clock was ahead.
create temporary table first_partition on commit drop as
  with newest (id) as (
    (select id from tasks order by id desc limit 1) union all (select id from deliveries order by id desc limit 1)
  ), latest (at) as (
    select greatest(now(), max(to_timestamp(('x' || lpad(replace(left(id::text, 13), '-', ''), 16, '0'))::bit(64)::bigint / 1000.0)))
      from newest
  )
  select boundary, (lpad(to_hex((extract(epoch from boundary) * 1000)::bigint), 12, '0') || '70008000000000000000')::uuid as first_id
    from latest, lateral (select date_trunc('month', at + interval '1 day', 'UTC') + interval '1 month' as boundary) b;

do $$
declare
  part record;
  index record;
begin
  for part in select * from (values ('tasks', 'id'), ('ledger', 'cause_id'), ('deliveries', 'id')) as t(name, key) loop
    execute format('alter table %s rename to %s_first', part.name, part.name);
    for index in select c.relname as name from pg_index i join pg_class c on c.oid = i.indexrelid
                  where i.indrelid = (part.name || '_first')::regclass loop
      execute format('alter index %I rename to %I', index.name, regexp_replace(index.name, '^' || part.name, part.name || '_first'));
    end loop;
    execute format('create table %s (like %s_first including all excluding indexes) partition by range (%I)',
                   part.name, part.name, part.key);
  end loop;
end $$;

-- The indexes of the former tables become partitions of these. Those of a partition alone: tasks (account_id, batch_id, item_index),
-- ledger (account_id, task_id), ledger (account_id, batch_id) of holds, deliveries (account_id, task_id, delivery_revision) and
-- deliveries (account_id, event_number).
alter table tasks add primary key (account_id, id);
create index tasks_platform on tasks (account_id, platform, id desc);
create index tasks_client_reference on tasks (account_id, client_reference, id desc) where client_reference is not null;
alter table ledger add primary key (account_id, id, cause_id);
alter table deliveries add primary key (account_id, id);
create index deliveries_undelivered on deliveries (account_id, id) where undelivered;
create index deliveries_age on deliveries using brin (created_at) with (pages_per_range = 32);

do $$
declare
  part record;
  next text;
  options text;
  bound uuid := (select first_id from first_partition);
begin
  for part in select name from (values ('tasks'), ('ledger'), ('deliveries')) as t(name) loop
    next := part.name || '_' || to_char((select boundary from first_partition) at time zone 'UTC', 'YYYYMMDD');
    options := (select array_to_string(reloptions, ', ') from pg_class where oid = (part.name || '_first')::regclass);
    execute format('create table %s (like %s_first including all)%s', next, part.name, ' with (' || options || ')');
    execute format('alter table %s attach partition %s_first for values from (minvalue) to (%L)', part.name, part.name, bound);
    execute format('alter table %s attach partition %s for values from (%L) to (maxvalue)', part.name, next, bound);
  end loop;
end $$;

-- Not for entries from before. It is what makes the unique indexes of one partition hold for all of them.
alter table ledger add constraint cause_is_what_moved check (cause_id = coalesce(task_id, batch_id, cause_id)) not valid;
