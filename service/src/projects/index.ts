export { limitedScopes, projectGuard, type ProjectGuard } from "./guard.ts";
export {
  createProject,
  changeProject,
  deleteProject,
  holdProject,
  isOfProjects,
  listProjects,
  projectForNew,
  projectRefs,
  projectsToList,
  requireProjects,
  storedProject,
  type Access,
  type Contents,
} from "./projects.ts";
export { readLooks } from "./looks.ts";
export { projectRoutes } from "./routes.ts";
