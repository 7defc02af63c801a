-- Why: figures need the site of each source of an answer, and not its address. Addresses are three quarters of what a report reads: 86 of
-- 114 MB for 45,000 answers.
-- Old code beside it: from 0012. It writes null, and such answers are read from their lists of sources. If it reads an answer again that new
-- code has written, the sites of the first reading remain until it is read once more.

-- step: transaction
-- JSON: `[host, domain, type, number]` for each row of addresses of one site, in the order of `sources`, each canonical URL once. Text,
-- because it is only passed on. Null: as in `sources`.
alter table observations add column cited_sites text;
