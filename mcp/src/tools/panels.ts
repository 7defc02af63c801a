import type { EntityRecord, PanelSummary } from "@querent/client";
import type { ToolAnswer } from "./tools.ts";
import { reply } from "../reply.ts";

const panelsMax = 100;
const entitiesMax = 200;

export const panels: ToolAnswer<"panels"> = ({ querent, allows }, _input, signal) =>
  reply(async () => {
    const panels: Pick<PanelSummary, "panelId" | "name" | "promptCount" | "cellCount" | "taskCount">[] = [];
    for await (const { panelId, name, promptCount, cellCount, taskCount } of querent.panels.list({ signal }))
      if (panels.push({ panelId, name, promptCount, cellCount, taskCount }) >= panelsMax) break;
    const entities: Pick<EntityRecord, "entityId" | "name" | "kind" | "relation" | "domains">[] = [];
    if (allows("tasks:read"))
      for await (const { entityId, name, kind, relation, domains } of querent.entities.list({}, { signal }))
        if (entities.push({ entityId, name, kind, relation, domains }) >= entitiesMax) break;
    return { panels, entities };
  });
