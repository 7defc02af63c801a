-- Why: somebody who follows a panel wants to be told once when a run has ended, and how. Until now a run only had its batches.
-- Old code beside it: from 0012, which leaves the end of a run to the processes of this version.

-- step: transaction
-- When the last of its tasks ended; null: it has not been noticed. `ends`: how many of its tasks ended how.
alter table panel_runs add column ended_at timestamptz, add column ends json;
-- step: concurrently
create index concurrently panel_runs_open on panel_runs (account_id, panel_id, id) where state = 'started' and ended_at is null;
