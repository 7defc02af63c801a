import type { ToolAnswer } from "./tools.ts";
import { entityNames } from "../entity-names.ts";
import { reply } from "../reply.ts";

/** With the names of entities instead of their ids. */
export const searches: ToolAnswer<"searches"> = ({ querent, allows }, { panelId, ...query }, signal) =>
  reply(async () => {
    const [listed, names] = await Promise.all([
      querent.panels.searches(panelId, query, { signal }),
      entityNames({ querent, allows }, signal),
    ]);
    const nameOf = (entityId: string) => names.get(entityId) ?? entityId;
    const rows = listed.rows.map((row) => ({
      ...row,
      entities: row.entities.map(({ entityId, ...counts }) => ({ entity: nameOf(entityId), ...counts })),
      searches: row.searches.map(({ entityIds, ...search }) => ({ ...search, names: entityIds.map(nameOf) })),
    }));
    return { ...listed, rows };
  });

export const prices: ToolAnswer<"prices"> = ({ querent, allows }, { panelId, ...query }, signal) =>
  reply(async () => {
    const [listed, names] = await Promise.all([
      querent.panels.prices(panelId, query, { signal }),
      entityNames({ querent, allows }, signal),
    ]);
    const series = listed.series.map(({ entityIds, ...one }) => ({
      ...one,
      names: entityIds.map((entityId) => names.get(entityId) ?? entityId),
    }));
    return { ...listed, series };
  });
