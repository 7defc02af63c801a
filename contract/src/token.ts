import { Type, type Static } from "typebox";
import { scopes } from "./operation.ts";
import { accessProjectsMax, ProjectRef } from "./project.ts";
import { Closed, Nullable, StorableText, Timestamp, UtcTimestamp, Uuid } from "./scalars.ts";

const tokenScopes = Type.Array(Type.Enum([...scopes]));

/** An access token in lists, without its text, which is shown only when it is issued. */
export const TokenRecord = Type.Object({
  tokenId: Uuid,
  name: Nullable(Type.String()),
  preview: Type.String({ description: "Its first characters, to identify it." }),
  scopes: tokenScopes,
  projects: Nullable(Type.Array(ProjectRef), {
    description: "The projects to which it is limited, by name. Null: it is for the whole account.",
  }),
  createdAt: Timestamp,
  expiresAt: Nullable(Timestamp),
  lastUsedAt: Nullable(Timestamp, { description: "With a precision of one minute." }),
  revokedAt: Nullable(Timestamp),
});
export type TokenRecord = Static<typeof TokenRecord>;

export const TokenList = Type.Object({
  tokens: Type.Array(TokenRecord, { description: "Active tokens before revoked ones, newest first. At most 500." }),
});
export type TokenList = Static<typeof TokenList>;

/** The properties of a token to issue. */
export const TokenRequest = Closed({
  name: StorableText({ minLength: 1, maxLength: 100, description: "A name to identify it." }),
  scopes: Type.Array(Type.Enum([...scopes]), { minItems: 1, maxItems: scopes.length, uniqueItems: true }),
  projects: Type.Optional(
    Nullable(
      Type.Array(Uuid, {
        minItems: 1,
        maxItems: accessProjectsMax,
        uniqueItems: true,
        description:
          "The projects to which it is limited. It can have the scopes `tasks:read`, `panels:write`, `panels:read` and `reports:read`. Default: the whole account.",
      }),
    ),
  ),
  expiresAt: Type.Optional(
    Nullable(UtcTimestamp, { description: "A time in the future. Default: the token does not expire." }),
  ),
});
export type TokenRequest = Static<typeof TokenRequest>;

/** An issued token with its text, which is shown only here. */
export const IssuedToken = Type.Object({
  token: Type.String({ description: "`qrt_` and 43 characters. Store it: it cannot be read again." }),
  record: TokenRecord,
});
export type IssuedToken = Static<typeof IssuedToken>;
