-- Why: tools for reports read the database, and need names that stay. And a source may be counted differently by other rules, so an
-- observation says by which version of them its sources were given one address and a type.
-- Old code beside it: from 0012, which leaves the version null.

-- step: transaction
alter table observations add column source_rules text;
-- step: transaction
-- For tools that read the database: see docs/how-to/export-observations.md. Columns are only added, never renamed or removed.
create view bi_observations as
  select account_id, id as observation_id, observed_at, recorded_at, task_id, import_id, batch_id, client_reference, tags, revision,
         encode(result_digest, 'hex') as result_digest, panel_id, panel_revision, run_id, prompt_id,
         encode(prompt_digest, 'hex') as prompt_digest, platform, locale, persona, repeat, platform_kind, model_version, recipe,
         reader, matcher, source_rules, content_length, search_count, duration_ms, points, flags, domains, entities
    from observations;
create view bi_sources as
  select o.account_id, o.id as observation_id, o.observed_at, o.panel_id, o.prompt_id, o.platform, o.locale, o.persona,
         s.position, s.url, s.canonical_url, s.domain, s.type
    from observations o
    cross join lateral rows from (jsonb_to_recordset(o.sources) as (url text, "canonicalUrl" text, domain text, type text))
      with ordinality as s(url, canonical_url, domain, type, position);
create view bi_mentions as
  select o.account_id, o.id as observation_id, o.observed_at, o.panel_id, o.prompt_id, o.platform, o.locale, o.persona,
         m.entity_id, m.start_offset, m.end_offset
    from observations o
    cross join lateral rows from (jsonb_to_recordset(o.mentions) as ("entityId" uuid, "start" integer, "end" integer))
      as m(entity_id, start_offset, end_offset);
create view bi_cards as
  select o.account_id, o.id as observation_id, o.observed_at, o.panel_id, o.prompt_id, o.platform, o.locale, o.persona,
         c.kind, c.position, c.title, c.url
    from observations o
    cross join lateral rows from (jsonb_to_recordset(o.cards) as (kind text, "position" integer, title text, url text))
      as c(kind, position, title, url);
