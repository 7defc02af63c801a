-- Why: an assistant was connected by pasting an access token. A person connects it by signing in: Querent is the authorization server of
-- its own `/mcp` (OAuth 2.1), and keeps which assistants a person has connected, and what the server issues to them.
-- Old code beside it: from 0066. It does not know the tables, and refuses the tokens that stand in them.

-- step: transaction
-- An assistant that a person has connected to an account.
create table connections (
  id            uuid primary key,
  account_id    uuid        not null,
  person_id     uuid        not null,
  -- As the client names itself: an address at which its description stands, or an id that it was given when it registered.
  client_id     text        not null,
  client_name   text        not null,
  -- Where the client was sent with its code.
  redirect_uri  text        not null,
  resource      text        not null,
  scopes        text[]      not null,
  created_at    timestamptz not null default now(),
  last_used_at  timestamptz,
  -- A connection is for an account of which the person is a member, and ends with the membership.
  foreign key (account_id, person_id) references members (account_id, person_id) on delete cascade
) with (fillfactor = 70);
create index connections_member on connections (account_id, person_id);
create index connections_person on connections (person_id);
create index connections_client on connections (client_id);

-- What the authorization server keeps for a while: requests to connect that are under way, codes and tokens.
create table authorization_records (
  kind          text        not null,
  -- Of the code, the token, or the id of the request. Whoever holds it is who it was given to.
  sha256        bytea       not null,
  -- Null: of a request, to which nobody has consented yet.
  connection_id uuid references connections on delete cascade,
  -- As the library made it, without the text of which `sha256` is the hash.
  payload       jsonb       not null,
  -- Codes and refresh tokens work once.
  consumed_at   timestamptz,
  expires_at    timestamptz not null,
  primary key (kind, sha256)
);
create index authorization_records_connection on authorization_records (connection_id);
create index authorization_records_expiry on authorization_records (expires_at);

-- Clients that have registered themselves.
create table assistant_clients (
  id         text primary key,
  metadata   jsonb       not null,
  created_at timestamptz not null default now(),
  -- When it is forgotten unless somebody is connected with it. Each consent puts it off.
  expires_at timestamptz not null
);
create index assistant_clients_expiry on assistant_clients (expires_at);
