-- Why: an example of what a migration must not do.
-- Old code beside it: from 9000.
-- step: backfill
with changed as (update tasks set priority = 5 where id > $1::uuid and $2 > 0 returning id) select id::text as position from changed;
-- Wrong: a backfill is one
