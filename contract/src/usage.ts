import { Type, type Static } from "typebox";
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

/** The account's points, and what it spent by day and platform. */
export const UsageRecord = Type.Object({
  account: Type.String(),
  balance: Type.Object({
    available: Type.Integer({ minimum: 0, description: "Granted - captured - held." }),
    held: Type.Integer({ minimum: 0, description: "Held for tasks that have not ended." }),
    captured: Type.Integer({ minimum: 0, description: "Spent, all time." }),
    granted: Type.Integer({ minimum: 0, description: "Granted, all time." }),
  }),
  from: Timestamp,
  to: Timestamp,
  days: Type.Array(
    Type.Object({
      day: Type.String({ format: "date", description: "UTC day." }),
      platformCode: Type.String(),
      completed: Type.Integer({ minimum: 0 }),
      failed: Type.Integer({ minimum: 0 }),
      canceled: Type.Integer({ minimum: 0 }),
      chargedPoints: Type.Integer({ minimum: 0 }),
    }),
  ),
});
export type UsageRecord = Static<typeof UsageRecord>;
