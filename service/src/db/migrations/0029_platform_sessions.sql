-- Why: a web platform's signed-in session was a file that every run read and none wrote back, so that it ended when the page renewed
-- its cookies. Sessions are kept here, encrypted with the master key, several for a platform if the operator has several accounts.
-- Old code beside it: from 0012. It reads the session's file, as before.

-- step: transaction
create table platform_sessions (
  platform       text not null,
  name           text not null check (name ~ '^[a-z0-9][a-z0-9._-]{0,63}$'),
  -- Counts what was stored: a run writes back only over the revision that it began with.
  revision       bigint not null default 1,
  -- Cookies, local storage and IndexedDB, as Playwright's storage state.
  sealed         bytea not null,
  -- Of the text that `sealed` holds.
  bytes          integer not null,
  -- Of the file that it was imported from: the same file is imported once.
  file_sha256    bytea,
  -- The last sign-in or import. What a run that began before says of the session's end no longer counts.
  signed_in_at   timestamptz not null,
  -- The last write-back.
  saved_at       timestamptz,
  used_at        timestamptz,
  succeeded_at   timestamptz,
  -- The page said that it is signed out: not used until the next sign-in.
  signed_out_at  timestamptz,
  signed_out_why text,
  throttled_until timestamptz,
  primary key (platform, name)
);

-- The runs that hold a session now, and those of the last hour, which its limits count.
create table platform_session_holds (
  platform    text not null,
  name        text not null,
  id          uuid not null,
  held_at     timestamptz not null,
  -- A hold whose process is gone ends by itself.
  lease_until timestamptz not null,
  released_at timestamptz,
  primary key (platform, name, id),
  foreign key (platform, name) references platform_sessions on delete cascade
);
