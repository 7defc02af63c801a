import { Type, type Static } from "typebox";
import { scopes } from "./operation.ts";
import { Closed, Nullable, StorableText, Timestamp, UtcTimestamp, Uuid } from "./scalars.ts";

const tokenScopes = Type.Array(Type.Enum([...scopes]));

/** An access token as it is listed: never its text, which is shown once, when it is issued. */
export const TokenRecord = Type.Object({
  tokenId: Uuid,
  name: Nullable(Type.String()),
  preview: Type.String({ description: "Its first characters, to tell it by." }),
  scopes: tokenScopes,
  createdAt: Timestamp,
  expiresAt: Nullable(Timestamp),
  lastUsedAt: Nullable(Timestamp, { description: "To the minute." }),
  revokedAt: Nullable(Timestamp),
});
export type TokenRecord = Static<typeof TokenRecord>;

export const TokenList = Type.Object({
  tokens: Type.Array(TokenRecord, { description: "Those that are not revoked first, the newest first; 500 at most." }),
});
export type TokenList = Static<typeof TokenList>;

/** What a token is issued with. */
export const TokenRequest = Closed({
  name: StorableText({ minLength: 1, maxLength: 100, description: "To tell it by." }),
  scopes: Type.Array(Type.Enum([...scopes]), { minItems: 1, maxItems: scopes.length, uniqueItems: true }),
  expiresAt: Type.Optional(
    Nullable(UtcTimestamp, { description: "In the future. It lives until it is revoked, when left out." }),
  ),
});
export type TokenRequest = Static<typeof TokenRequest>;

/** A token that was just issued, with its text: the only time that it is shown. */
export const IssuedToken = Type.Object({
  token: Type.String({ description: "`qrt_` and 43 characters. Keep it: it can't be read again." }),
  record: TokenRecord,
});
export type IssuedToken = Static<typeof IssuedToken>;
