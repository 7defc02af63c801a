export { EntityMemory } from "./entities/entity-memory.ts";
export { entityRoutes } from "./entities/routes.ts";
export { importRoutes } from "./imports/routes.ts";
export { deleteObservations, forgetObservations, keepObservations } from "./observations/delete-observations.ts";
export { observeTasks } from "./observations/observe-tasks.ts";
export { observationRoutes } from "./observations/routes.ts";
export { observationsTable } from "./observations/table.ts";
export { panelRoutes } from "./routes.ts";
export { scheduler } from "./schedule/scheduler.ts";
