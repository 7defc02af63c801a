-- Why: an example of what a migration must not do.
-- Old code beside it: no.
-- step: transaction
create table task_notes (task_id uuid primary key);
-- Wrong: its head must say
