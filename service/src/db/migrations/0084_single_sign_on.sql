-- Why: people sign in at an identity provider of their company, by OpenID Connect. Querent keeps by which identity a provider knows a
-- person, what a sign-in that is under way was begun for, and to which session of the provider a login belongs.
-- Old code beside it: from 0066. It signs people in by password alone, and leaves the new columns empty.

-- step: transaction
-- A person as an identity provider knows them. A subject is never given to somebody else; an e-mail address may be.
create table person_identities (
  issuer     text not null,
  subject    text not null,
  person_id  uuid not null references persons on delete cascade,
  created_at timestamptz not null default now(),
  primary key (issuer, subject)
);
create index person_identities_person on person_identities (person_id);

-- What works once: sign-ins that were begun in a browser, and logout tokens.
create table provider_attempts (
  -- Of the secret in the browser's cookie, from which state, nonce and code verifier are derived; or of a logout token's id.
  sha256      bytea primary key,
  provider    text not null,
  -- Of the token of the invitation that is accepted by the sign-in.
  link_sha256 bytea,
  expires_at  timestamptz not null
);

-- step: transaction
alter table logins
  -- How the person signed in: password, link or provider. Null for logins of earlier versions.
  add column way text,
  add column provider text,
  add column issuer text,
  add column subject text,
  -- The provider's session, which it names when it ends it.
  add column provider_session text,
  -- Encrypted with the master key. The provider asks for it when the person signs out there.
  add column id_token bytea;

-- step: transaction
alter table members
  -- The identity provider whose groups decide the role. Null: an invitation gave it.
  add column provider text;

-- step: concurrently
create index concurrently logins_provider on logins (issuer, subject);
