-- Why: recommendation is no longer measured. What was found by rules counted sentences against a brand for it, so it is not shown.
-- Old code beside it: from 0012. It does not read the view.

-- step: transaction
-- For tools that read the database: see docs/how-to/export-observations.md. Columns are only added, never renamed or removed: this one
-- stays, and is null.
create or replace view bi_mentions as
  select o.account_id, o.id as observation_id, o.observed_at, o.panel_id, o.prompt_id, o.platform, o.locale, o.persona,
         m.entity_id, m.start_offset, m.end_offset, m.list_position, null::boolean as recommended
    from observations o
    cross join lateral rows from (
      jsonb_to_recordset(o.mentions) as ("entityId" uuid, "start" integer, "end" integer, "listPosition" integer)
    ) as m(entity_id, start_offset, end_offset, list_position);
