-- Why: what an account stores without points, such as imported answers and panels, had no end. Counted by account and kind, it can be
-- limited, and operators see who holds what.
-- Old code beside it: from 0012. It adds to no count, and the next measuring finds what it has stored.

-- step: transaction
-- What each account holds. The kinds are in the code. A statement that stores something that is limited adds to its count; what is deleted,
-- and what is not limited, is found by measuring.
create table account_storage (
  account_id  uuid not null,
  kind        text not null,
  row_count   bigint not null,
  bytes       bigint not null,
  -- When the count was last compared with the rows themselves; null: never.
  measured_at timestamptz,
  primary key (account_id, kind)
) with (fillfactor = 50);

-- step: transaction
-- The account's own quota. Null: the service's.
alter table accounts
  add column storage_rows_max bigint,
  add column storage_bytes_max bigint,
  add column artifact_bytes_max bigint;
