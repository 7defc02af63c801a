-- Why: an example of what a migration must not do.
-- Old code beside it: from 9000.
-- step: transaction
alter table tasks add primary key (account_id, id);
-- Wrong: a constraint is added `not valid`
