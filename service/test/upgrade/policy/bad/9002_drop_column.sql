-- Why: an example of what a migration must not do.
-- Old code beside it: from 9000.
-- step: transaction
alter table tasks drop column state;
-- Wrong: AT_DropColumn is contraction
