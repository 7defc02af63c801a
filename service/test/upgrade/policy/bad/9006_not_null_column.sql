-- Why: an example of what a migration must not do.
-- Old code beside it: from 9000.
-- step: transaction
alter table tasks add column kind text not null;
-- Wrong: the version before does not fill it
