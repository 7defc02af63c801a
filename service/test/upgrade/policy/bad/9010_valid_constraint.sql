-- Why: an example of what a migration must not do.
-- Old code beside it: from 9000.
-- step: transaction
alter table tasks add constraint priority_is_small check (priority < 100);
-- Wrong: a constraint is added `not valid`
