-- Why: aliases and negative contexts are proposed for entities by what stands in answers. What a person has declined is not proposed again.
-- Old code beside it: from 0012. It proposes nothing, and keeps the column as it is.

-- step: transaction
-- Digests of the kind and the text of what was declined, the newest first; at most 200.
alter table entities add column declined text[] not null default '{}';
