-- Why: products are measured over months: whose they are, and which shops they lead to.
-- Old code beside it: from 0012. It does not read the view, and writes cards without these members.

-- step: transaction
-- For tools that read the database: see docs/how-to/export-observations.md. Columns are only added, never renamed or removed.
-- A product is of the entities whose mentions stand between its offsets.
create or replace view bi_cards as
  select o.account_id, o.id as observation_id, o.observed_at, o.panel_id, o.prompt_id, o.platform, o.locale, o.persona,
         c.kind, c.position, c.title, c.url, c.start_offset, c.end_offset, c.price, c.price_unit, c.shop, c.domain
    from observations o
    cross join lateral rows from (
      jsonb_to_recordset(o.cards) as (
        kind text, "position" integer, title text, url text, "start" integer, "end" integer, price text, "priceUnit" text, shop text,
        domain text))
      as c(kind, position, title, url, start_offset, end_offset, price, price_unit, shop, domain);
