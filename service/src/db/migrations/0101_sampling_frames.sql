-- Why: a panel's prompts are a sample, and its figures say nothing about what it was drawn from unless that is kept: how many proposals of
-- each origin there were, by which settings, and from which of them each prompt was chosen.
-- Old code beside it: from 0012. A revision that it makes has no frame, which counts as not known.

-- step: transaction
-- The draws, and the origins of each chosen prompt by its id. Null: not known.
alter table panel_revisions add column frame jsonb;
