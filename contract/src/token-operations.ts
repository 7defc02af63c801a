import { withBody, json, operation, usual } from "./operation.ts";
import { Closed, Uuid } from "./scalars.ts";
import { IssuedToken, TokenList, TokenRecord, TokenRequest } from "./token.ts";

export const listTokens = operation({
  id: "listTokens",
  method: "GET",
  path: "/v1/tokens",
  tag: "Tokens",
  summary: "List the account's access tokens",
  scope: "usage:read",
  replies: { 200: { description: "The tokens.", content: json(TokenList) } },
  problems: usual,
});

export const issueToken = operation({
  id: "issueToken",
  method: "POST",
  path: "/v1/tokens",
  tag: "Tokens",
  summary: "Issue an access token of the account",
  description:
    "The response contains the token, which cannot be read again later. It may have the caller's scopes and no others; a caller with the scope `admin` may give it any. Not idempotent: each request issues another token.",
  scope: "access:manage",
  body: { schema: TokenRequest, required: true, bytesMax: 16 * 1024 },
  replies: { 201: { description: "The token.", content: json(IssuedToken) } },
  problems: [...usual, ...withBody],
});

export const revokeToken = operation({
  id: "revokeToken",
  method: "POST",
  path: "/v1/tokens/{token_id}/revocation",
  tag: "Tokens",
  summary: "Revoke an access token of the account",
  description:
    "Takes effect immediately, in every process. For a token that is already revoked, returns its record unchanged.",
  scope: "access:manage",
  params: Closed({ token_id: Uuid }),
  replies: { 200: { description: "The token.", content: json(TokenRecord) } },
  problems: [...usual, ...withBody, "not_found"],
});
