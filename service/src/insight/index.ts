export { panelRoutes } from "./routes.ts";
export { scheduler } from "./schedule/scheduler.ts";
