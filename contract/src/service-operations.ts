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
  replies: { 200: { description: "What each returns, what it costs, how it does.", content: json(PlatformList) } },
  problems: usual,
});

export const getOpenapi = operation({
  id: "getOpenapi",
  method: "GET",
  path: "/openapi.json",
  tag: "Service",
  summary: "This document",
  scope: null,
  replies: { 200: { description: "OpenAPI 3.1.", content: json(Type.Object({})) } },
  problems: ["malformed_request"],
});

export const getLlmsText = operation({
  id: "getLlmsText",
  method: "GET",
  path: "/llms.txt",
  tag: "Service",
  summary: "An overview for language models",
  description: "Markdown (llmstxt.org): what the service does, how a program uses it, and where the documents are.",
  scope: null,
  replies: { 200: { description: "The overview.", content: { "text/plain": Type.String() } } },
  problems: ["malformed_request"],
});

export const getHealth = operation({
  id: "getHealth",
  method: "GET",
  path: "/healthz",
  tag: "Service",
  summary: "Is the process alive",
  scope: null,
  replies: {
    200: { description: "It is.", content: json(Type.Object({ status: Type.Literal("ok"), version: Type.String() })) },
  },
  problems: ["malformed_request"],
});

export const getReadiness = operation({
  id: "getReadiness",
  method: "GET",
  path: "/readyz",
  tag: "Service",
  summary: "Can the process do its work",
  scope: null,
  replies: {
    200: {
      description: "It can: its database answers, and it is not going down.",
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
  summary: "Metrics in the Prometheus text format",
  description: "Needs a token with the scope `admin`.",
  scope: "admin",
  replies: { 200: { description: "Metrics.", content: { "text/plain": Type.String() } } },
  problems: usual,
});
