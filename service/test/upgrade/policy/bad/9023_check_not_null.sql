-- Why: an example of what a migration must not do.
-- Old code beside it: from 9000.
-- step: transaction
alter table tasks add constraint noted check (note_count is not null) not valid;
-- Wrong: refuses the rows of the version before
