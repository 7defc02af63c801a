export {
  panelsToList,
  projectOfTask,
  contentsOfProjects,
  moveToProject,
  pausePanels,
} from "./definitions/panel-projects.ts";
export { projectOfPanel, readActivePlatforms } from "./definitions/panels.ts";
export { importRoutes } from "./imports/routes.ts";
export { panelRoutes } from "./routes.ts";
export { runEnds, type EndedRun } from "./schedule/end-runs.ts";
export { scheduler } from "./schedule/scheduler.ts";
