import { Type } from "typebox";
import { cursor, headers, inProject, json, operation, usual } from "./operation.ts";
import { Overview, overviewPeriods } from "./overview.ts";
import { Closed, UtcTimestamp, Uuid } from "./scalars.ts";
import { LedgerPage, ProjectUsage, UsageDays, UsageRecord, usageDaysMax } from "./usage.ts";

export const getOverview = operation({
  id: "getOverview",
  method: "GET",
  path: "/v1/overview",
  tag: "Usage",
  summary: "Get an overview of the account",
  description:
    "Pending tasks, the tasks that ended in a period compared with the preceding period, and the status of the webhook. Periods consist of whole hours, and of whole UTC days for `30d`. The response time does not depend on the number of tasks.",
  scope: "usage:read",
  isList: true,
  query: Closed({ period: Type.Optional(Type.Enum([...overviewPeriods], { default: "24h" })) }),
  replies: { 200: { description: "The overview.", content: json(Overview) } },
  problems: usual,
});

const day = Type.String({ format: "date", description: "UTC day, such as `2026-11-01`." });

export const getUsageDays = operation({
  id: "getUsageDays",
  method: "GET",
  path: "/v1/usage/days",
  tag: "Usage",
  summary: "Get usage by day, platform and token",
  description: `Both days are included, at most ${usageDaysMax} days. Returns CSV with \`Accept: text/csv\`.`,
  scope: "usage:read",
  isList: true,
  query: Closed({ from: Type.Optional(day), to: Type.Optional(day) }),
  replies: {
    200: {
      description: "The usage. Default range: the last 30 days.",
      headers: { "As-Of": headers.asOf },
      content: { "application/json": UsageDays, "text/csv": Type.String() },
    },
  },
  problems: usual,
});

export const getProjectUsage = operation({
  id: "getProjectUsage",
  method: "GET",
  path: "/v1/usage/projects",
  tag: "Usage",
  summary: "Get usage by day, project and platform",
  description: `What the panels of each project have asked. Both days are included, at most ${usageDaysMax} days. Returns CSV with \`Accept: text/csv\`.`,
  scope: "usage:read",
  isList: true,
  query: Closed({ project: inProject, from: Type.Optional(day), to: Type.Optional(day) }),
  replies: {
    200: {
      description: "The usage. Default range: the last 30 days.",
      headers: { "As-Of": headers.asOf },
      content: { "application/json": ProjectUsage, "text/csv": Type.String() },
    },
  },
  problems: [...usual, "not_found"],
});

export const getUsage = operation({
  id: "getUsage",
  method: "GET",
  path: "/v1/usage",
  tag: "Usage",
  summary: "Get the points balance, usage by day and platform, and what is stored",
  scope: "usage:read",
  isList: true,
  query: Closed({ from: Type.Optional(UtcTimestamp), to: Type.Optional(UtcTimestamp) }),
  replies: { 200: { description: "The usage. Default range: the last 30 days.", content: json(UsageRecord) } },
  problems: usual,
});

export const getLedger = operation({
  id: "getLedger",
  method: "GET",
  path: "/v1/usage/ledger",
  tag: "Usage",
  summary: "List the points ledger",
  description:
    "Newest first. Returns CSV with `Accept: text/csv`. A search that no index supports, such as `kind`, stops after a fraction of a second: a page of JSON can then have fewer than `limit` entries, or none, although there are more. Continue with `nextCursor` until it is null.",
  scope: "usage:read",
  isList: true,
  query: Closed({
    kind: Type.Optional(Type.Enum(["grant", "hold", "capture", "release"])),
    taskId: Type.Optional(Uuid),
    batchId: Type.Optional(Uuid),
    from: Type.Optional(UtcTimestamp),
    to: Type.Optional(UtcTimestamp),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: "Maximum number of entries per page." }),
    ),
    cursor,
  }),
  replies: {
    200: {
      description: "A page of entries.",
      headers: { "As-Of": headers.asOf },
      content: { "application/json": LedgerPage, "text/csv": Type.String() },
    },
  },
  problems: usual,
});
