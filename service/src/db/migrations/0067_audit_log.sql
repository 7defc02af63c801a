-- Why: nobody could say who had changed a cap, issued a token or read a secret. The audit log keeps what was done, by whom and from where,
-- in a chain of digests for each account.
-- Old code beside it: from 0012. What it does is not in the log.

-- step: transaction
create table audit_entries (
  -- The installation itself, of which accounts are part, has the id 00000000-0000-0000-0000-000000000000.
  account_id  uuid not null,
  id          uuid not null,
  at          timestamptz not null default clock_timestamp(),
  kind        text not null,
  operation   text not null,
  actor_kind  text not null,
  actor_id    uuid,
  -- As it was then: persons and tokens can be renamed and deleted.
  actor_name  text,
  target_type text,
  target_id   text,
  -- JSON as it was written, because its bytes are part of the digest.
  before      text,
  after       text,
  address     text,
  request_id  text,
  -- The place in the chain of the account, and the digest of this entry and of all before it. Null for the moment before it is sealed.
  sequence    bigint,
  digest      bytea,
  primary key (account_id, id)
);
create unique index audit_entries_chain on audit_entries (account_id, sequence) where sequence is not null;
create index audit_entries_unsealed on audit_entries (account_id, id) where sequence is null;

create table audit_chains (
  account_id uuid primary key,
  -- The first entry that is kept, and the digest before it.
  first      bigint not null,
  anchor     bytea not null,
  -- The last entry, and its digest.
  sequence   bigint not null,
  digest     bytea not null,
  -- Of all of that, with a key that signs evidence.
  kid        text not null,
  signature  bytea not null,
  sealed_at  timestamptz not null default now()
);
