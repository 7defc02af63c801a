export { endLateTasks } from "./cancel-tasks.ts";
export type { PlatformCatalogue, PlatformTerms } from "./catalogue.ts";
export { endTasks, type EndedTask, type EndTasksDeps, type RunResult } from "./end-tasks.ts";
export { EndWatch } from "./end-watch.ts";
export { forgetKeys, maintainResults } from "./retention.ts";
export { taskRoutes } from "./routes.ts";
export { loadQuestions, runTask } from "./run-task.ts";
export { platformRoutes } from "./list-platforms.ts";
export { forgetHealth, PlatformHealth } from "./platform-health.ts";
