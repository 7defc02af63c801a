export { operatorRoutes, type OperatorRouteDeps } from "./routes.ts";
