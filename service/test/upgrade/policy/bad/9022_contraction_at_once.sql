-- Why: an example of what a migration must not do.
-- Old code beside it: from 9000.
-- Contracts: 8000
-- step: transaction
alter table tasks drop column state;
-- Wrong: contraction comes one version later
