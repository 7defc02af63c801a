export { createManagementServer } from "./management-server.ts";
export type { McpDeps } from "./mcp.ts";
export { probeRoutes } from "./management-server.ts";
export type { HttpEvent } from "./problem.ts";
export { createHttpServer, type HttpServerDeps } from "./server.ts";
