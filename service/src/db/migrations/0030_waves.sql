-- Why: a run may ask in waves, until its figures are known as well as wanted. An answer counts by the reciprocal of the probability with
-- which its wave asked its cell.
-- Old code beside it: from 0012. It asks no further wave: it ends such a run after the wave that it finds complete.

-- step: transaction
-- {asked, max, tasksMax, pointsMax, stopped, problem, platforms}; null: everything was asked at once.
alter table panel_runs add column waves jsonb;
-- step: transaction
-- Null: 1, as of all tasks that no wave drew.
alter table panel_tasks add column probability double precision;
-- step: transaction
alter table observations add column probability double precision;
-- step: transaction
-- For tools that read the database: see docs/how-to/export-observations.md. Columns are only added, never renamed or removed.
create or replace view bi_observations as
  select account_id, id as observation_id, observed_at, recorded_at, task_id, import_id, batch_id, client_reference, tags, revision,
         encode(result_digest, 'hex') as result_digest, panel_id, panel_revision, run_id, prompt_id,
         encode(prompt_digest, 'hex') as prompt_digest, platform, locale, persona, repeat, platform_kind, model_version, recipe,
         reader, matcher, source_rules, content_length, search_count, duration_ms, points, flags, domains, entities, probability
    from observations;
