-- Why: an example of what a migration must not do.
-- Old code beside it: from 9000.
-- step: transaction
create table tasks_later partition of tasks default;
-- Wrong: a partition of an existing table locks it
