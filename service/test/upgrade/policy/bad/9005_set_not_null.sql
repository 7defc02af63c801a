-- Why: an example of what a migration must not do.
-- Old code beside it: from 9000.
-- step: transaction
alter table tasks alter column tags set not null;
-- Wrong: reads the whole table under its lock
