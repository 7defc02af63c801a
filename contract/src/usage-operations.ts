import { Type } from "typebox";
import { json, operation, usual } from "./operation.ts";
import { Overview, overviewPeriods } from "./overview.ts";
import { Closed } from "./scalars.ts";
import { usageDaysMax, UsageDays } from "./usage.ts";

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
