-- Why: an example of what a migration must not do.
-- Old code beside it: from 9000.
-- step: transaction
create trigger watch after insert on tasks for each row execute function watch();
-- Wrong: CreateTrigStmt is not known to be safe
