-- Why: an example of what a migration must not do.
-- Old code beside it: from 9000.
-- step: transaction
update tasks set priority = 5;
-- Wrong: rows of existing tables are changed by a step `backfill`
