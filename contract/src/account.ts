import { Type, type Static } from "typebox";
import { Closed, Nullable, OptionalOrNull, StorableText, Timestamp, Uuid } from "./scalars.ts";
import { PointsBalance } from "./usage.ts";

/** What an account may be called. */
export const accountNamePattern = "^[\\p{L}\\p{N}][\\p{L}\\p{N} ._@-]{0,99}$";
/** Points in one grant at most. */
export const grantPointsMax = 999_999_999_999;
const unfinishedMax = Type.Integer({
  minimum: 1,
  maximum: 100_000_000,
  description: "Tasks that it may have unfinished at once; a submission beyond is refused with 503 `queue_full`.",
});

/** An account as its operator sees it. */
export const AccountRecord = Type.Object({
  accountId: Uuid,
  name: Type.String(),
  createdAt: Timestamp,
  balance: PointsBalance,
  unfinishedTasks: Type.Integer({ minimum: 0 }),
  unfinishedMax,
});
export type AccountRecord = Static<typeof AccountRecord>;

export const AccountPage = Type.Object({ accounts: Type.Array(AccountRecord), nextCursor: Nullable(Type.String()) });
export type AccountPage = Static<typeof AccountPage>;

export const AccountRequest = Closed({
  name: Type.String({
    pattern: accountNamePattern,
    description: "1 to 100 letters, digits, spaces and `. _ @ -`, beginning with a letter or digit.",
  }),
  points: OptionalOrNull(
    Type.Integer({ minimum: 0, maximum: grantPointsMax, description: "It starts with. 0 when left out." }),
  ),
});
export type AccountRequest = Static<typeof AccountRequest>;

export const AccountLimits = Closed({ unfinishedMax });
export type AccountLimits = Static<typeof AccountLimits>;

export const PointsGrant = Closed({
  points: Type.Integer({ minimum: 1, maximum: grantPointsMax }),
  note: OptionalOrNull(StorableText({ minLength: 1, maxLength: 200, description: "For the ledger." })),
});
export type PointsGrant = Static<typeof PointsGrant>;
