export { changeWatcher } from "./changes/evaluate-panel.ts";
export { markDue, measureDuePanels } from "./changes/evaluations.ts";
export type { Found } from "./changes/found-changes.ts";
export { changeRoutes } from "./changes/routes.ts";
export { diffRoutes } from "./diff/routes.ts";
export { figureLinkRoutes } from "./figures/link-routes.ts";
export { figureRoutes } from "./figures/routes.ts";
export { planRoutes } from "./plan/routes.ts";
export { reportRoutes } from "./report/routes.ts";
