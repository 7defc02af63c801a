-- Why: the values of the column are listed in the code.
-- Old code beside it: from 9002. It writes the values that the check allowed.

-- step: transaction
alter table tasks drop constraint tasks_state_check;
