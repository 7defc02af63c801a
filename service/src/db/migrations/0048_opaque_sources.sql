-- Why: a source whose redirect hides the page may have a site that is known. Tools that read the database must tell it from a page.
-- Old code beside it: from 0012. It does not read the view.

-- step: transaction
-- For tools that read the database: see docs/how-to/export-observations.md. Columns are only added, never renamed or removed.
-- In rows of the first rules for sources, a web address without a domain is one that was opaque.
create or replace view bi_sources as
  select o.account_id, o.id as observation_id, o.observed_at, o.panel_id, o.prompt_id, o.platform, o.locale, o.persona,
         s.position, s.url, s.canonical_url, s.domain, s.type,
         coalesce(s.opaque, coalesce(o.source_rules, '1/') like '1/%' and s.domain = '' and s.canonical_url ~ '^https?:') as opaque
    from observations o
    cross join lateral rows from (
      jsonb_to_recordset(o.sources) as (url text, "canonicalUrl" text, domain text, type text, opaque boolean))
      with ordinality as s(url, canonical_url, domain, type, opaque, position);
