import type { EntityRecord, PanelSummary, ProjectRecord } from "@querent/client";
import type { ToolAnswer } from "./tools.ts";
import { reply } from "../reply.ts";

const panelsMax = 100;
const entitiesMax = 200;
const projectsMax = 100;

type ListedPanel = Pick<PanelSummary, "panelId" | "name" | "projectId" | "promptCount" | "cellCount" | "taskCount">;
type ListedEntity = Pick<EntityRecord, "entityId" | "name" | "projectId" | "kind" | "relation" | "domains">;

export const panels: ToolAnswer<"panels"> = ({ querent }, { project }, signal) =>
  reply(async () => {
    const panels: ListedPanel[] = [];
    for await (const panel of querent.panels.list({ project, signal })) {
      const { panelId, name, projectId, promptCount, cellCount, taskCount } = panel;
      if (panels.push({ panelId, name, projectId, promptCount, cellCount, taskCount }) >= panelsMax) break;
    }
    const entities: ListedEntity[] = [];
    for await (const entity of querent.entities.list({ project }, { signal })) {
      const { entityId, name, projectId, kind, relation, domains } = entity;
      if (entities.push({ entityId, name, projectId, kind, relation, domains }) >= entitiesMax) break;
    }
    const named = new Set([...panels, ...entities].map(({ projectId }) => projectId));
    const projects: readonly Pick<ProjectRecord, "projectId" | "name">[] = (await querent.projects.list({ signal }))
      .filter(({ projectId }, index) => named.has(projectId) || (project === undefined && index < projectsMax))
      .map(({ projectId, name }) => ({ projectId, name }));
    return { projects, panels, entities };
  });
