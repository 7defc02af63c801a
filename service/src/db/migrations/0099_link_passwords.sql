-- Why: whoever had the link to a report read it. A link, and an address of figures, can have a password.
-- Old code beside it: from 0012. It knows no passwords: of a link with one it shows an empty page, because the page is in a column of its
-- own, and it answers an address of figures with one as before.

-- step: transaction
alter table report_shares
  -- Null: it opens without.
  add column password_hash text,
  -- The page of a link with a password, whose `page` is empty.
  add column guarded_page  text,
  -- Of the page. Null: code before this version wrote it.
  add column language      text;

-- step: transaction
alter table figure_links add column password_hash text;
