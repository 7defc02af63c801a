-- Why: an example of what a migration must not do.
-- Old code beside it: from 9000.
create table task_notes (task_id uuid primary key);
-- Wrong: it has no `-- step:`
