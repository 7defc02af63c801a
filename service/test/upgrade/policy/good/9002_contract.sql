-- Why: nothing reads the column any more.
-- Old code beside it: from 9001.
-- Contracts: 0001, whose column nothing has used since.

-- step: transaction
alter table tasks drop column client_reference;
