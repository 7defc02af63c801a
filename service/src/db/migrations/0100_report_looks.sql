-- Why: an agency gives reports to its clients, and they looked like the service. A project says by whose name, logo and colour its
-- reports are known.
-- Old code beside it: from 0012. Reports that it makes have no looks.

-- step: transaction
create table report_looks (
  account_id  uuid        not null,
  -- Of the default project: the account's id.
  project_id  uuid        not null,
  name        text,
  color       text,
  logo        bytea,
  logo_type   text,
  logo_width  integer,
  logo_height integer,
  updated_at  timestamptz not null,
  primary key (account_id, project_id),
  constraint logo_as_a_whole check ((logo is null) = (logo_type is null) and (logo is null) = (logo_width is null) and (logo is null) = (logo_height is null))
);
