-- Why: an example of what a migration must not do.
-- Old code beside it: from 9000.
-- step: concurrently
create index concurrently on tasks (state);
-- Wrong: is one `create index concurrently NAME on TABLE
