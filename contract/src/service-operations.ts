import { Type } from "typebox";
import { json, operation, usual } from "./operation.ts";
import { PlatformList } from "./platform.ts";

export const listPlatforms = operation({
  id: "listPlatforms",
  method: "GET",
  path: "/v1/platforms",
  tag: "Platforms",
  summary: "List the platforms",
  scope: "tasks:read",
  projects: "none",
  replies: {
    200: { description: "The platforms, with their outputs, prices and health.", content: json(PlatformList) },
  },
  problems: usual,
  tool: {
    name: "platforms",
    title: "List answer platforms",
    description:
      "Lists the available platforms with the fields that they return, their prices in points, and their health.",
  },
});

export const getOpenapi = operation({
  id: "getOpenapi",
  method: "GET",
  path: "/openapi.json",
  tag: "Service",
  summary: "Get this document",
  scope: null,
  replies: { 200: { description: "OpenAPI 3.1.", content: json(Type.Object({})) } },
  problems: ["malformed_request"],
});

export const getLlmsText = operation({
  id: "getLlmsText",
  method: "GET",
  path: "/llms.txt",
  tag: "Service",
  summary: "Get an overview for language models",
  description: "Markdown (llmstxt.org): what the service does, how to use it, and where the documents are.",
  scope: null,
  replies: { 200: { description: "The overview.", content: { "text/plain": Type.String() } } },
  problems: ["malformed_request"],
});

export const getHealth = operation({
  id: "getHealth",
  method: "GET",
  path: "/healthz",
  tag: "Service",
  summary: "Check that the process is alive",
  scope: null,
  replies: {
    200: {
      description: "The process is alive.",
      content: json(Type.Object({ status: Type.Literal("ok"), version: Type.String() })),
    },
  },
  problems: ["malformed_request"],
});

export const getReadiness = operation({
  id: "getReadiness",
  method: "GET",
  path: "/readyz",
  tag: "Service",
  summary: "Check that the process is ready",
  scope: null,
  replies: {
    200: {
      description: "The database is available, and the process is not shutting down.",
      content: json(Type.Object({ status: Type.Literal("ready") })),
    },
  },
  problems: ["malformed_request", "unavailable"],
});

export const getMetrics = operation({
  id: "getMetrics",
  method: "GET",
  path: "/metrics",
  tag: "Service",
  summary: "Get metrics in the Prometheus text format",
  description: "Requires a token with the scope `admin`.",
  scope: "admin",
  audit: false,
  replies: { 200: { description: "Metrics.", content: { "text/plain": Type.String() } } },
  problems: usual,
});
