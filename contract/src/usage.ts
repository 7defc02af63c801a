import { Type, type Static } from "typebox";
import { scopes } from "./operation.ts";
import { Nullable, Timestamp, Uuid } from "./scalars.ts";

export const ledgerKinds = ["grant", "hold", "capture", "release"] as const;

/** One line of the points ledger. Lines are only ever added. */
export const LedgerEntry = Type.Object({
  entryId: Type.Integer({ minimum: 1 }),
  kind: Type.Enum([...ledgerKinds], {
    description:
      "`grant`: the operator gave points. `hold`: a batch was accepted. `capture`: a task completed, its points are spent. `release`: a task failed or was canceled, its points are back.",
  }),
  points: Type.Integer({ minimum: 0, description: "Always positive; the kind tells the direction." }),
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
  captured: Type.Integer({ minimum: 0, description: "Spent, all time." }),
  granted: Type.Integer({ minimum: 0, description: "Granted, all time." }),
});
export type PointsBalance = Static<typeof PointsBalance>;

const day = Type.String({ format: "date", description: "UTC day." });
const count = Type.Integer({ minimum: 0 });

/** Days in one question about usage at most. */
export const usageDaysMax = 92;

/** What ended on one day, on one platform, submitted with one token. */
export const UsageDay = Type.Object({
  day,
  platformCode: Type.String(),
  tokenId: Nullable(Uuid, { description: "The token that submitted; null where none was noted." }),
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
  days: Type.Array(UsageDay, { description: "Newest first. What nothing ended on is not there." }),
});
export type UsageDays = Static<typeof UsageDays>;

/** The account's points, and what it spent by day and platform. */
export const UsageRecord = Type.Object({
  account: Type.String(),
  token: Type.Object(
    { tokenId: Uuid, scopes: Type.Array(Type.Enum([...scopes])) },
    { description: "The token that asks, and what it may do." },
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
});
export type UsageRecord = Static<typeof UsageRecord>;
