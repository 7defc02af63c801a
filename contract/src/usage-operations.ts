import { Type } from "typebox";
import { cursor, json, operation, usual } from "./operation.ts";
import { Overview, overviewPeriods } from "./overview.ts";
import { Closed, UtcTimestamp, Uuid } from "./scalars.ts";
import { LedgerPage, UsageDays, UsageRecord, usageDaysMax } from "./usage.ts";

export const getOverview = operation({
  id: "getOverview",
  method: "GET",
  path: "/v1/overview",
  tag: "Usage",
  summary: "How the account does",
  description:
    "What is under way, what ended in a period against the period before it, and how notifications fare. Read from sums that are kept as tasks end: it takes as long for a million tasks as for ten. Periods are cut at whole hours, those of 30 days at whole UTC days.",
  scope: "usage:read",
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
  summary: "Use by day, platform and token",
  description: `Both days included, ${usageDaysMax} at most; as CSV with \`Accept: text/csv\`.`,
  scope: "usage:read",
  query: Closed({ from: Type.Optional(day), to: Type.Optional(day) }),
  replies: {
    200: {
      description: "The last 30 days when no range is given.",
      content: { "application/json": UsageDays, "text/csv": Type.String() },
    },
  },
  problems: usual,
});

export const getUsage = operation({
  id: "getUsage",
  method: "GET",
  path: "/v1/usage",
  tag: "Usage",
  summary: "Points: balance, and use by day and platform",
  scope: "usage:read",
  query: Closed({ from: Type.Optional(UtcTimestamp), to: Type.Optional(UtcTimestamp) }),
  replies: { 200: { description: "The last 30 days when no range is given.", content: json(UsageRecord) } },
  problems: usual,
});

export const getLedger = operation({
  id: "getLedger",
  method: "GET",
  path: "/v1/usage/ledger",
  tag: "Usage",
  summary: "The points ledger",
  description:
    "Newest first; as CSV with `Accept: text/csv`. What no index holds, as `kind`, is looked for within a fraction of a second: a page of JSON may then hold fewer than `limit` entries, even none, while `nextCursor` is there to go on with. Only `nextCursor` null says that there are no more.",
  scope: "usage:read",
  query: Closed({
    kind: Type.Optional(Type.Enum(["grant", "hold", "capture", "release"])),
    taskId: Type.Optional(Uuid),
    batchId: Type.Optional(Uuid),
    from: Type.Optional(UtcTimestamp),
    to: Type.Optional(UtcTimestamp),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: "Entries a page." })),
    cursor,
  }),
  replies: {
    200: { description: "A page of entries.", content: { "application/json": LedgerPage, "text/csv": Type.String() } },
  },
  problems: usual,
});
