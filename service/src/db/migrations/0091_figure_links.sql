-- Why: figures are read by spreadsheets and dashboards, which send no token: they get an address of their own.
-- Old code beside it: from 0012. It does not know the table.

-- step: transaction
create table figure_links (
  account_id uuid not null,
  id         uuid not null,
  panel_id   uuid not null,
  -- What is computed, as it was requested.
  figures    jsonb not null,
  created_at timestamptz not null,
  expires_at timestamptz not null,
  primary key (account_id, id)
);
create index figure_links_id on figure_links (id);
create index figure_links_panel on figure_links (account_id, panel_id, id);
