-- Why: a task's record shows what it was submitted with: until now `notBefore`, `startBefore` and the time limit were known to the
-- engine's row alone, which goes at the end of the task. Null in tasks that were accepted before.
-- Old code beside it: yes, it leaves the columns null. Locks: `tasks`, for an instant: nothing is rewritten.
alter table tasks
  add column not_before    timestamptz,
  add column start_before  timestamptz,
  add column run_timeout_s integer check (run_timeout_s > 0);
