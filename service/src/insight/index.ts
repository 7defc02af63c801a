export { exportLimits, exportObservations, manifestKey, type ExportReport } from "./exports/export-observations.ts";
export { importRoutes } from "./imports/routes.ts";
export { deleteObservations, forgetObservations, keepObservations } from "./observations/delete-observations.ts";
export { observeTasks } from "./observations/observe-tasks.ts";
export { observationRoutes } from "./observations/routes.ts";
export { observationsTable } from "./observations/table.ts";
