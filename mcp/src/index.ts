export { httpHandler, type McpAccess } from "./http-handler.ts";
export { scopesOfCalls } from "./scopes-of-calls.ts";
export { serveStandardStreams } from "./serve-standard-streams.ts";
