-- Why: an example of what a migration must not do.
-- Old code beside it: from 9000.
-- step: transaction
create index tasks_state on tasks (state);
-- Wrong: an index on an existing table is built concurrently
