export { projectOfEntity } from "./entities/entity-rows.ts";
export { EntitySearch } from "./entities/entity-search.ts";
export { entityRoutes } from "./entities/routes.ts";
export { exportLimits, exportObservations, manifestKey, type ExportReport } from "./exports/export-observations.ts";
export {
  deleteObservations,
  failuresTable,
  forgetObservations,
  keepObservations,
  observationsTable,
} from "./records/delete-observations.ts";
export { observeTasks } from "./records/observe-tasks.ts";
export { observationRoutes } from "./records/routes.ts";
