-- Why: people were sent tokens. They have identities of their own now: persons, who are members of accounts with a role, and who sign in
-- with a password in a browser.
-- Old code beside it: from 0012. It knows tokens alone, which go on working.

-- step: transaction
create table persons (
  id              uuid primary key,
  -- As it was written, and as it is compared.
  email           text not null,
  email_key       text not null unique,
  name            text not null,
  -- Argon2id, in the PHC string format. Null: the person has no password yet.
  password_hash   text,
  -- Operates the service: has the scope `admin` besides those of a role.
  operator        boolean not null default false,
  created_at      timestamptz not null default now(),
  last_sign_in_at timestamptz
);

create table members (
  id         uuid primary key,
  account_id uuid not null,
  person_id  uuid not null references persons on delete cascade,
  -- The roles, with their scopes, are in the contract.
  role       text not null,
  created_at timestamptz not null default now(),
  unique (account_id, person_id)
);
create index members_person on members (person_id);

-- A browser in which a person is signed in.
create table logins (
  id           uuid primary key,
  -- Of the secret in the browser's cookie.
  sha256       bytea not null unique,
  person_id    uuid not null,
  account_id   uuid not null,
  address      text not null,
  user_agent   text,
  created_at   timestamptz not null default now(),
  -- A login that is not used for some time ends, and every login ends some time.
  last_used_at timestamptz not null default now(),
  expires_at   timestamptz not null,
  -- A login is for an account of which the person is a member, and ends with the membership.
  foreign key (account_id, person_id) references members (account_id, person_id) on delete cascade
) with (fillfactor = 70);
create index logins_member on logins (account_id, person_id);
create index logins_person on logins (person_id);

-- Links that work once: to join an account, or to set a new password.
create table person_links (
  id         uuid primary key,
  sha256     bytea not null unique,
  purpose    text not null,
  -- Of an invitation.
  account_id uuid,
  role       text,
  -- Null: whoever opens the invitation chooses it.
  email      text,
  email_key  text,
  operator   boolean not null default false,
  -- Whose password is set.
  person_id  uuid references persons on delete cascade,
  created_at timestamptz not null default now(),
  expires_at timestamptz not null
);
create unique index person_links_invited on person_links (account_id, email_key);
