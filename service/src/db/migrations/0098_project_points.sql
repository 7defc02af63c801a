-- Why: a project is what an agency calls a client, whose points were neither limited nor told apart: a cap can be of a project, a batch
-- keeps in which project a panel asked it, and the points of its tasks are added up by project.
-- Old code beside it: from 0012. It does not enforce caps of projects, and what it asks or ends is in the sums of no project.

-- step: transaction
create table project_usage_hours (
  account_id     uuid        not null,
  hour           timestamptz not null,
  -- Of the default project: the account's id.
  project_id     uuid        not null,
  platform       text        not null,
  completed      integer     not null default 0,
  failed         integer     not null default 0,
  canceled       integer     not null default 0,
  charged_points bigint      not null default 0,
  primary key (account_id, hour, project_id, platform)
) with (fillfactor = 50);

-- step: transaction
-- The project of the panel that asked it, as it was then. Null: no panel did, or code before this version.
alter table batches add column project_id uuid;

-- step: transaction
alter table caps
  drop constraint caps_kind_check,
  add constraint caps_kind_check check (kind in ('account', 'project', 'panel', 'tag')) not valid;

-- step: validate
alter table caps validate constraint caps_kind_check;
