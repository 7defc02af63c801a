import type { Database, Queryable } from "../../db/index.ts";
import { deletePastBatches } from "../../tasks/index.ts";
import { deleteEntity } from "../entities/change-entities.ts";
import { deleteObservations } from "../observations/delete-observations.ts";
import { deletePanel } from "../panels/panels.ts";
import { demoEntities, demoPlatforms } from "./demo-panel.ts";

/** The panel of the demonstration in an account; null: it has none. Only such a panel asks the simulated platforms. */
export async function findDemo(db: Queryable, accountId: string): Promise<string | null> {
  // Index: the primary key of panel_revisions; an account has some panels.
  const { rows } = await db.query<{ panel_id: string }>(
    `select panel_id from panel_revisions
      where account_id = $1 and revision = 1 and content->'platforms' = $2::jsonb order by panel_id limit 1`,
    [accountId, JSON.stringify(Object.values(demoPlatforms))],
  );
  return rows[0]?.panel_id ?? null;
}

/**
 * Deletes what `fillDemo` wrote into an account, and nothing else. The panel comes last, so that an interrupted removal can be
 * continued. What remains is the number of changes of the account's entities, which never decreases.
 */
export async function removeDemo(database: Database, accountId: string, panelId: string): Promise<void> {
  await deleteObservations(database, accountId, { panelId });
  // Later revisions, if somebody edited the panel, asked real platforms.
  // Index: the primary key.
  const { rows: runs } = await database.query<{ batch_ids: string[] }>(
    "select batch_ids from panel_runs where account_id = $1 and panel_id = $2 and revision = 1",
    [accountId, panelId],
  );
  await database.transaction((tx) =>
    deletePastBatches(
      tx,
      accountId,
      runs.flatMap((run) => run.batch_ids),
    ),
  );
  // Index: entity_by_name.
  const { rows: entities } = await database.query<{ id: string }>(
    "select id from entities where account_id = $1 and name = any($2)",
    [accountId, demoEntities().map(({ name }) => name)],
  );
  for (const { id } of entities) await deleteEntity(database, accountId, id);
  await deletePanel(database, accountId, panelId);
}
