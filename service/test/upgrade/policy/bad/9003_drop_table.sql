-- Why: an example of what a migration must not do.
-- Old code beside it: from 9000.
-- step: transaction
drop table platform_drift;
-- Wrong: dropping is contraction
