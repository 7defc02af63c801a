export { probeRoutes } from "./probes.ts";
export { createHttpServer, type HttpEvent } from "./server.ts";
