-- Why: an example of what a migration must not do.
-- Old code beside it: from 9000.
-- step: transaction
alter table tasks validate constraint tasks_state_check;
-- Wrong: it is a step `validate`
