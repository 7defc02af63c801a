-- Why: advertisements beside answers are measured over months, and results expire after days.
-- Old code beside it: from 0012. It writes null, and of such answers it is not known whether they had advertisements. If it reads an answer
-- again that new code has written, the advertisements of the first reading remain.

-- step: transaction
-- As `availability.ads` of the result; null: not known. The advertisements: a list of {position, advertiser, title, url, host, domain,
-- placement}; null: there are none.
alter table observations add column ad_availability text, add column ads jsonb;
-- step: transaction
-- For tools that read the database: see docs/how-to/export-observations.md. Columns are only added, never renamed or removed.
create or replace view bi_observations as
  select account_id, id as observation_id, observed_at, recorded_at, task_id, import_id, batch_id, client_reference, tags, revision,
         encode(result_digest, 'hex') as result_digest, panel_id, panel_revision, run_id, prompt_id,
         encode(prompt_digest, 'hex') as prompt_digest, platform, locale, persona, repeat, platform_kind, model_version, recipe,
         reader, matcher, source_rules, content_length, search_count, duration_ms, points, flags, domains, entities, probability,
         ad_availability
    from observations;
create view bi_ads as
  select o.account_id, o.id as observation_id, o.observed_at, o.panel_id, o.prompt_id, o.platform, o.locale, o.persona,
         a.position, a.advertiser, a.title, a.url, a.host, a.domain, a.placement
    from observations o
    cross join lateral rows from (
      jsonb_to_recordset(o.ads) as (
        "position" integer, advertiser text, title text, url text, host text, domain text, placement text))
      as a("position", advertiser, title, url, host, domain, placement);
