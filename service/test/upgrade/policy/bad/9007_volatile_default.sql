-- Why: an example of what a migration must not do.
-- Old code beside it: from 9000.
-- step: transaction
alter table tasks add column code uuid default gen_random_uuid();
-- Wrong: the default of a new column is a constant
