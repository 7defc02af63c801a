-- Why: an example of what a migration must not do.
-- Old code beside it: from 9000.
-- step: transaction
alter table tasks add column one integer;
alter table batches add column two integer;
-- Wrong: one step locks one table
