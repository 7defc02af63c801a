-- Why: an example of an expanding migration, with every kind of step.
-- Old code beside it: from 9000, which leaves the column null.

-- step: transaction
create table task_notes (task_id uuid primary key, note text not null);
create index task_notes_note on task_notes (note);
create table notes (id uuid primary key) partition by range (id);
create table notes_first partition of notes for values from (minvalue) to (maxvalue);
create view noted_tasks as select task_id from task_notes;
comment on table task_notes is 'What an operator noted.';
-- step: transaction
alter table tasks
  add column note_count integer,
  add column noted boolean not null default false,
  add column noted_at timestamptz default now();
-- step: concurrently
create index concurrently tasks_noted on tasks (account_id, id) where noted;
-- step: backfill
with part as (select id from tasks where id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000') order by id limit $2),
  changed as (update tasks t set note_count = 0 from part where t.id = part.id)
select id::text as position from part order by id desc limit 1;
-- step: transaction
alter table tasks add constraint notes_counted check (note_count >= 0) not valid;
-- step: validate
alter table tasks validate constraint notes_counted;
