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
  summary: "Get an overview of the account",
  description:
    "Pending tasks, the tasks that ended in a period compared with the preceding period, and the status of the webhook. Periods consist of whole hours, and of whole UTC days for `30d`. The response time does not depend on the number of tasks.",
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
  summary: "Get usage by day, platform and token",
  description: `Both days are included, at most ${usageDaysMax} days. Returns CSV with \`Accept: text/csv\`.`,
  scope: "usage:read",
  query: Closed({ from: Type.Optional(day), to: Type.Optional(day) }),
  replies: {
    200: {
      description: "The usage. Default range: the last 30 days.",
      content: { "application/json": UsageDays, "text/csv": Type.String() },
    },
  },
  problems: usual,
});
