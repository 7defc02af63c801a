-- Which worker nodes can use a browser, so that what needs one is refused before it is paid for when none can, and is left to
-- those nodes that can when some can.
--
-- The version before may run beside this: its nodes tell nothing and are not counted, and what it queues needs no browser as far
-- as the queue knows; a node that can't run such a task gives it back.

-- What each node said of its browser last. It outlives the node's own row: while workers are replaced, what they could do still counts
-- for a minute.
create table node_browsers (
  node_id  uuid primary key,
  usable   boolean not null,
  -- Why not, for the operator.
  why      text,
  seen_at  timestamptz not null default now(),
  check (usable = (why is null))
) with (fillfactor = 50);

-- True for what needs a browser on a platform that is no web page: a screenshot. A node without a browser leaves it to those that have one.
alter table dispatch add column needs_browser boolean not null default false;
