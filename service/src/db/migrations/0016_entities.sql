-- Why: entities are the brands, products and people that answers are searched for. A figure about them must say which definition it was
-- made with, so every change of a definition is kept as a revision.
-- Old code beside it: from 0012, which knows no entities and finds none.

-- step: transaction
create table entities (
  account_id  uuid not null,
  id          uuid not null,
  revision    integer not null check (revision > 0),
  name        text not null,
  relation    text not null check (relation in ('own', 'competitor', 'other')),
  -- The whole definition, with its name: the same as in the row of its revision.
  content     jsonb not null,
  created_at  timestamptz not null,
  updated_at  timestamptz not null,
  primary key (account_id, id),
  constraint entity_by_name unique (account_id, name)
);

-- Revisions are not changed, and are deleted with their entity.
create table entity_revisions (
  account_id  uuid not null,
  entity_id   uuid not null,
  revision    integer not null check (revision > 0),
  content     jsonb not null,
  created_at  timestamptz not null,
  primary key (account_id, entity_id, revision)
);

-- The number of changes of an account's entities. Processes keep the definitions in memory as long as it is the same; and its row is
-- locked by each change, so that an account's changes come one after the other.
create table entity_versions (
  account_id  uuid primary key,
  version     bigint not null check (version > 0)
);
