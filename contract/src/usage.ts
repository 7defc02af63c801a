import { Type, type Static } from "typebox";
import { scopes } from "./operation.ts";
import { Nullable, Timestamp, Uuid } from "./scalars.ts";
import { StorageUse } from "./storage.ts";

export const ledgerKinds = ["grant", "hold", "capture", "release"] as const;

/** One entry of the points ledger. Entries are never changed or deleted. */
export const LedgerEntry = Type.Object({
  entryId: Type.Integer({ minimum: 1 }),
  kind: Type.Enum([...ledgerKinds], {
    description:
      "`grant`: the operator granted points. `hold`: points were held for an accepted batch. `capture`: a task completed and was charged. `release`: a task failed or was canceled, and its points were returned.",
  }),
  points: Type.Integer({ minimum: 0, description: "Never negative. The sign follows from the kind." }),
  batchId: Nullable(Uuid),
  taskId: Nullable(Uuid),
  note: Nullable(Type.String()),
  createdAt: Timestamp,
});
export type LedgerEntry = Static<typeof LedgerEntry>;

export const LedgerPage = Type.Object({ entries: Type.Array(LedgerEntry), nextCursor: Nullable(Type.String()) });
export type LedgerPage = Static<typeof LedgerPage>;

export const PointsBalance = Type.Object({
  available: Type.Integer({ minimum: 0, description: "Granted - captured - held." }),
  held: Type.Integer({ minimum: 0, description: "Held for tasks that have not ended." }),
  captured: Type.Integer({ minimum: 0, description: "Total points captured." }),
  granted: Type.Integer({ minimum: 0, description: "Total points granted." }),
});
export type PointsBalance = Static<typeof PointsBalance>;

const day = Type.String({ format: "date", description: "UTC day." });
const count = Type.Integer({ minimum: 0 });

/** The most days that one usage request can cover. */
export const usageDaysMax = 92;

/** The tasks that ended on one day, for one platform and one token. */
export const UsageDay = Type.Object({
  day,
  platformCode: Type.String(),
  tokenId: Nullable(Uuid, { description: "The token that submitted the tasks. Null if it was not recorded." }),
  tokenName: Nullable(Type.String()),
  completed: count,
  failed: count,
  canceled: count,
  chargedPoints: count,
});
export type UsageDay = Static<typeof UsageDay>;

export const UsageDays = Type.Object({
  from: day,
  to: day,
  days: Type.Array(UsageDay, { description: "Newest first. Days on which no task ended are omitted." }),
});
export type UsageDays = Static<typeof UsageDays>;

/** The tasks of a project's panels that ended on one day, for one platform. */
export const ProjectUsageDay = Type.Object({
  day,
  projectId: Type.String({
    ...Uuid,
    description: "The project in which the panel was when it asked. A panel that moves leaves its usage behind.",
  }),
  projectName: Nullable(Type.String(), { description: "Null if the project was deleted." }),
  platformCode: Type.String(),
  completed: count,
  failed: count,
  canceled: count,
  chargedPoints: count,
});
export type ProjectUsageDay = Static<typeof ProjectUsageDay>;

export const ProjectUsage = Type.Object({
  from: day,
  to: day,
  days: Type.Array(ProjectUsageDay, {
    description:
      "Newest first. What no panel asked is in no project, and neither is what ended before the service recorded this.",
  }),
});
export type ProjectUsage = Static<typeof ProjectUsage>;

/** An account's points, its usage by day and platform, and what it stores. */
export const UsageRecord = Type.Object({
  account: Type.String(),
  token: Type.Object(
    { tokenId: Uuid, scopes: Type.Array(Type.Enum([...scopes])) },
    { description: "The token of this request, and its scopes." },
  ),
  balance: PointsBalance,
  from: Timestamp,
  to: Timestamp,
  days: Type.Array(
    Type.Object({
      day,
      platformCode: Type.String(),
      completed: count,
      failed: count,
      canceled: count,
      chargedPoints: count,
    }),
  ),
  storage: StorageUse,
});
export type UsageRecord = Static<typeof UsageRecord>;
