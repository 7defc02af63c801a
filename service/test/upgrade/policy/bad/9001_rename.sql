-- Why: an example of what a migration must not do.
-- Old code beside it: from 9000.
-- step: transaction
alter table tasks rename column state to status;
-- Wrong: renaming breaks the version before
