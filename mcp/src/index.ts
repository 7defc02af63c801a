export { httpHandler, type McpAccess } from "./http-handler.ts";
export { serveStandardStreams } from "./serve-standard-streams.ts";
