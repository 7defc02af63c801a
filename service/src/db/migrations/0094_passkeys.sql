-- Why: passwords and codes can be fished by a page that passes them on. People sign in with passkeys (WebAuthn), whose answers are for one
-- host alone.
-- Old code beside it: from 0066. It offers no passkeys, and shows a login with one as a login with a password.

-- step: transaction
create table passkeys (
  id            uuid primary key,
  person_id     uuid not null references persons on delete cascade,
  -- As the authenticator names it.
  credential_id bytea not null unique,
  -- In COSE form (RFC 9052).
  public_key    bytea not null,
  -- How often it has signed, by its own count. 0: it does not count.
  counter       bigint not null,
  -- The host for which it was made.
  rp_id         text not null,
  transports    text[] not null,
  -- A password manager keeps it on several devices.
  synced        boolean not null,
  name          text not null,
  created_at    timestamptz not null default now(),
  last_used_at  timestamptz
);
create index passkeys_person on passkeys (person_id);

-- What browsers were asked for: each works once.
create table passkey_attempts (
  -- Of the secret in the browser's cookie, from which the challenge is derived.
  sha256      bytea primary key,
  -- sign in, add, link
  purpose     text not null,
  -- Whose passkey is made; null: whoever signs in.
  person_id   uuid,
  -- Of the token of the link that is used with the answer.
  link_sha256 bytea,
  expires_at  timestamptz not null
);

-- step: transaction
-- The passkey with which a login began, or which was added in it.
alter table logins add column passkey_id uuid;
