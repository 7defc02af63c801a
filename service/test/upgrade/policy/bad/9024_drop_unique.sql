-- Why: an example of what a migration must not do.
-- Old code beside it: from 9000.
-- step: transaction
alter table tasks drop constraint tasks_client_reference_key;
-- Wrong: AT_DropConstraint is contraction
