-- Why: the cursor of the event feed names the last event that was read, not only its number, so that a reader notices a database
-- that was restored or that failed over without its last changes. The last event that retention deleted keeps its id here.
-- Old code beside it: yes, it leaves the column null, and such a position is then accepted by its number alone. Locks: the table,
-- for an instant: nothing is rewritten.
alter table webhooks add column events_pruned_id uuid;
