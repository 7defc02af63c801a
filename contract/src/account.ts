import { Type, type Static } from "typebox";
import { Closed, Nullable, OptionalOrNull, StorableText, Timestamp, Uuid } from "./scalars.ts";
import { AccountStorage, storageQuotaMembers } from "./storage.ts";
import { PointsBalance } from "./usage.ts";

/** The names that an account may have. */
export const accountNamePattern = "^[\\p{L}\\p{N}][\\p{L}\\p{N} ._@-]{0,99}$";
/** The most points that one grant can add. */
export const grantPointsMax = 999_999_999_999;
const unfinishedMax = Type.Integer({
  minimum: 1,
  maximum: 100_000_000,
  description: "Maximum number of unfinished tasks. A submission that exceeds it is rejected with 503 `queue_full`.",
});

/** An account, as operators see it. */
export const AccountRecord = Type.Object({
  accountId: Uuid,
  name: Type.String(),
  createdAt: Timestamp,
  balance: PointsBalance,
  unfinishedTasks: Type.Integer({ minimum: 0 }),
  unfinishedMax,
  storage: AccountStorage,
});
export type AccountRecord = Static<typeof AccountRecord>;

export const AccountPage = Type.Object({ accounts: Type.Array(AccountRecord), nextCursor: Nullable(Type.String()) });
export type AccountPage = Static<typeof AccountPage>;

export const AccountRequest = Closed({
  name: Type.String({
    pattern: accountNamePattern,
    description: "1 to 100 letters, digits, spaces and `. _ @ -`, starting with a letter or digit.",
  }),
  points: OptionalOrNull(
    Type.Integer({ minimum: 0, maximum: grantPointsMax, description: "Initial balance. Default: 0." }),
  ),
});
export type AccountRequest = Static<typeof AccountRequest>;

/** Where the demonstration is. */
/** The name of the account that `createDemonstration` makes. */
export const demonstrationAccount = "simulated-demo";

export const Demonstration = Type.Object({ accountId: Uuid, panelId: Uuid });
export type Demonstration = Static<typeof Demonstration>;

export const AccountLimits = Closed({ unfinishedMax, ...storageQuotaMembers });
export type AccountLimits = Static<typeof AccountLimits>;

export const PointsGrant = Closed({
  points: Type.Integer({ minimum: 1, maximum: grantPointsMax }),
  note: OptionalOrNull(StorableText({ minLength: 1, maxLength: 200, description: "Recorded in the ledger." })),
});
export type PointsGrant = Static<typeof PointsGrant>;
