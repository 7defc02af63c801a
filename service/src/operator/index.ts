export { readNodeRecords } from "./read-engine.ts";
export { checkConsistency, type ConsistencyCheck } from "./check-consistency.ts";
export { operatorRoutes, type OperatorRouteDeps } from "./routes.ts";
