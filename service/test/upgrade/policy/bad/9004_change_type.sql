-- Why: an example of what a migration must not do.
-- Old code beside it: from 9000.
-- step: transaction
alter table tasks alter column priority type bigint;
-- Wrong: changing a type rewrites the table
