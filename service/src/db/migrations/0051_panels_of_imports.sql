-- Why: imported answers may belong to a panel. What was sent to one is deleted with it, so that the same file can be sent again.
-- Old code beside it: from 0012. Its imports have no panel, and it deletes a panel without its imports, which then name one that is gone.

-- step: transaction
-- The panel of the answers that name none themselves; null: none.
alter table imports add column panel_id uuid;
