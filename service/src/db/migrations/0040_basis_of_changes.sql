-- Why: a report states the changes that were found, and whoever checks it computes them again. For that it must be known which answers
-- were compared.
-- Old code beside it: from 0012. It writes null, and such a change can't be computed again.

-- step: transaction
-- {from, promptIds, instruments, leftOutDays}; of a change of the instrument only the last of these.
alter table panel_changes add column basis json;
