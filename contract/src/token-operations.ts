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
  description: "Its text is in the answer, and never again. Not to be repeated blindly: each call issues one more.",
  scope: "admin",
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
  description: "At once, in every process. One that is revoked already stays so, and its record comes back.",
  scope: "admin",
  params: Closed({ token_id: Uuid }),
  replies: { 200: { description: "The token.", content: json(TokenRecord) } },
  problems: [...usual, ...withBody, "not_found"],
});
