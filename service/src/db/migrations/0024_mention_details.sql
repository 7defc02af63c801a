-- Why: since version 2 of the matcher, a mention says at which place of a list the entity stands, and whether the answer recommends it.
-- Old code beside it: from 0012, which knows neither; it does not read the view.

-- step: transaction
-- For tools that read the database: see docs/how-to/export-observations.md. Null in both: no version that looks for it did.
create or replace view bi_mentions as
  select o.account_id, o.id as observation_id, o.observed_at, o.panel_id, o.prompt_id, o.platform, o.locale, o.persona,
         m.entity_id, m.start_offset, m.end_offset, m.list_position, m.recommended
    from observations o
    cross join lateral rows from (
      jsonb_to_recordset(o.mentions)
        as ("entityId" uuid, "start" integer, "end" integer, "listPosition" integer, recommended boolean)
    ) as m(entity_id, start_offset, end_offset, list_position, recommended);
