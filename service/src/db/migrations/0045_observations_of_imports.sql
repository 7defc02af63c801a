-- Why: the observations of an import were looked for among all of the account, in steps: the first page of many was empty, with a cursor.
-- Old code beside it: from 0012. It does not notice an index.

-- step: concurrently
create index concurrently observations_import on observations (account_id, import_id, id) where import_id is not null;
