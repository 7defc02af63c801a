export { readNodeRecords } from "./read-engine.ts";
export { operatorRoutes, type OperatorRouteDeps } from "./routes.ts";
