-- Why: an example of what a migration must not do.
-- Old code beside it: from 9000.
-- step: transaction
alter table tasks add column note_count integer check (note_count >= 0);
-- Wrong: a new column with CONSTR_CHECK
