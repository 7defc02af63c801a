-- Why: every own brand and competitor of an account was in the figures of all of its panels, so that a brand that was made for another
-- client changed them. A panel has a set of brands of its own: that of its revision, or this one.
-- Old code beside it: from 0012. It writes null: such a panel has all brands of the account until its next run.

-- step: transaction
-- {own, competitors}: ids of entities. For revisions that name no brands. Null: the account has had none.
alter table panels add column brands jsonb;

-- step: backfill
-- The brands that are there now. Locks the rows of the panels, not those of entities. Index: the primary keys.
with part as (
    select account_id, id from panels where id > coalesce($1::uuid, '00000000-0000-0000-0000-000000000000') order by id limit $2),
  changed as (
    update panels p set brands = found.brands
      from part cross join lateral (
        select jsonb_build_object(
                 'own', coalesce(jsonb_agg(e.id order by e.id) filter (where e.relation = 'own'), '[]'),
                 'competitors', coalesce(jsonb_agg(e.id order by e.id) filter (where e.relation = 'competitor'), '[]')) as brands
          from entities e where e.account_id = part.account_id and e.relation <> 'other'
        having count(*) > 0) found
     where p.account_id = part.account_id and p.id = part.id and p.brands is null)
select id::text as position from part order by id desc limit 1;
