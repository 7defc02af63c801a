-- Why: a password alone is enough to be somebody else. Persons add a second factor: codes of an authenticator app, and recovery codes for
-- when the app is lost.
-- Old code beside it: from 0066. It signs people in without the code, so update all processes before anybody relies on it.

-- step: transaction
-- Codes by time (TOTP, RFC 6238).
create table person_factors (
  person_id    uuid primary key references persons on delete cascade,
  -- The secret that the app shares, encrypted with the master key.
  sealed       bytea not null,
  -- Null: the person has not yet entered a code of it, and signs in without.
  confirmed_at timestamptz,
  -- The newest step of time of which a code was accepted: neither it nor an earlier one is accepted again.
  last_step    bigint,
  created_at   timestamptz not null default now()
);

-- Each works once, and is deleted with its use.
create table recovery_codes (
  person_id uuid not null references persons on delete cascade,
  sha256    bytea not null,
  primary key (person_id, sha256)
);
