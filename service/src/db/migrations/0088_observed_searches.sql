-- Why: the searches behind answers are counted over months: which are made, which are new, and which name a brand.
-- Old code beside it: from 0012. It writes null, and of such answers the searches are not known. If it reads an answer again that new
-- code has written, the searches of the first reading remain.

-- step: transaction
-- Of answers of panels: the searches that the platform made, and the related questions and searches that it showed, a list of
-- {kind, query}; null: not recorded.
alter table observations add column searches jsonb;
-- step: transaction
-- For tools that read the database: see docs/how-to/export-observations.md. Columns are only added, never renamed or removed.
create view bi_searches as
  select o.account_id, o.id as observation_id, o.observed_at, o.panel_id, o.prompt_id, o.platform, o.locale, o.persona,
         s.kind, s.query
    from observations o
    cross join lateral rows from (jsonb_to_recordset(o.searches) as (kind text, query text)) as s(kind, query);
