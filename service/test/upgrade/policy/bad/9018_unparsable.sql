-- Why: an example of what a migration must not do.
-- Old code beside it: from 9000.
-- step: transaction
alter tables tasks add column one integer;
-- Wrong: syntax error
