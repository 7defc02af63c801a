-- Why: a panel can be sealed before it is asked, so that nobody can say later that the questions were chosen by their answers. And a
-- report can be shared as a page, as it was when it was shared.
-- Old code beside it: from 0012. It seals and shares nothing, and leaves the rows of a panel that it deletes: nothing reads them.

-- step: transaction
-- The signed text of each seal; a revision is sealed once.
create table panel_seals (
  account_id  uuid not null,
  panel_id    uuid not null,
  revision    integer not null check (revision > 0),
  sealed_at   timestamptz not null,
  -- Runs of the revision that had started.
  runs_before integer not null check (runs_before >= 0),
  seal        text not null,
  signature   text not null,
  primary key (account_id, panel_id, revision)
);

-- Reports that anyone with the link can open. A row is deleted when it is revoked, or some time after it has expired.
create table report_shares (
  account_id   uuid not null,
  id           uuid not null,
  panel_id     uuid not null,
  window_from  timestamptz not null,
  window_to    timestamptz not null,
  created_at   timestamptz not null,
  expires_at   timestamptz not null,
  page         text not null,
  primary key (account_id, id)
);
-- For the link, which names the share alone.
create index report_shares_id on report_shares (id);
create index report_shares_panel on report_shares (account_id, panel_id, id);
