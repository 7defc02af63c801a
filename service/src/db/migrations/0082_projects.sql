-- Why: an agency has several clients in one account, who must not see each other. Panels and brands stand in projects, and memberships,
-- invitations and tokens can be limited to some.
-- Old code beside it: from 0012. It creates everything in the default project, and does not limit anybody: memberships and tokens are
-- limited once all processes are of this version.

-- step: transaction
create table projects (
  account_id  uuid not null,
  -- Of the default project, which every account has also without a row: the account's id.
  id          uuid not null,
  name        text not null,
  archived_at timestamptz,
  created_at  timestamptz not null default now(),
  primary key (account_id, id),
  constraint project_by_name unique (account_id, name)
);

-- step: transaction
-- Null, here and below: the default project.
alter table panels add column project_id uuid;

-- step: transaction
-- The name of an entity of another project stands after the project's id in `name`, which is unique in the account.
alter table entities add column project_id uuid;

-- step: transaction
-- Null, here and below: the whole account.
alter table members add column project_ids uuid[];

-- step: transaction
alter table person_links add column project_ids uuid[];

-- step: transaction
alter table access_tokens add column project_ids uuid[];
