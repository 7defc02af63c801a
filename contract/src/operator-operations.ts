/** What operators do: over all accounts, with the scope `admin`. Every change is logged with the token that made it. */
import { Type } from "typebox";
import { AccountLimits, AccountPage, AccountRecord, AccountRequest, PointsGrant } from "./account.ts";
import { Engine, PlatformLimits, QueueRecord } from "./engine.ts";
import { withBody, json, operation, cursor, usual } from "./operation.ts";
import { Closed, StorableText, Uuid } from "./scalars.ts";
import { IssuedToken, TokenList, TokenRecord, TokenRequest } from "./token.ts";

const accountId = Closed({ account_id: Uuid });
const platformCode = Closed({
  platform_code: StorableText({ minLength: 1, maxLength: 64, description: "As `GET /v1/platforms` lists it." }),
});
const bytesMax = 16 * 1024;

export const getEngine = operation({
  id: "getEngine",
  method: "GET",
  path: "/v1/admin/engine",
  tag: "Operator",
  summary: "Queues and nodes",
  description:
    "The queue and the gate of every platform, over all accounts; the nodes that run tasks, with their leases.",
  scope: "admin",
  replies: { 200: { description: "Queues and nodes.", content: json(Engine) } },
  problems: usual,
});

export const setPlatformLimits = operation({
  id: "setPlatformLimits",
  method: "PUT",
  path: "/v1/admin/platforms/{platform_code}/limits",
  tag: "Operator",
  summary: "Change a platform's limits live",
  description:
    "They hold from the next start of a task on, on every node, and through restarts: instead of the configuration's, until they are removed. What runs already is left to end.",
  scope: "admin",
  params: platformCode,
  body: { schema: PlatformLimits, required: true, bytesMax },
  replies: { 200: { description: "The platform's queue.", content: json(QueueRecord) } },
  problems: [...usual, ...withBody, "not_found"],
});

export const removePlatformLimits = operation({
  id: "removePlatformLimits",
  method: "DELETE",
  path: "/v1/admin/platforms/{platform_code}/limits",
  tag: "Operator",
  summary: "Go back to a platform's configured limits",
  description: "Those of the process that answers. Where none were set live, nothing changes.",
  scope: "admin",
  params: platformCode,
  replies: { 200: { description: "The platform's queue.", content: json(QueueRecord) } },
  problems: [...usual, ...withBody, "not_found"],
});

export const listAccounts = operation({
  id: "listAccounts",
  method: "GET",
  path: "/v1/admin/accounts",
  tag: "Operator",
  summary: "List the accounts",
  description: "The newest first.",
  scope: "admin",
  query: Closed({
    text: Type.Optional(StorableText({ minLength: 1, maxLength: 100, description: "Part of the name, in any case." })),
    limit: Type.Optional(Type.Integer({ minimum: 1, maximum: 200, default: 50, description: "Accounts a page." })),
    cursor,
  }),
  replies: { 200: { description: "A page of accounts.", content: json(AccountPage) } },
  problems: usual,
});

export const createAccount = operation({
  id: "createAccount",
  method: "POST",
  path: "/v1/admin/accounts",
  tag: "Operator",
  summary: "Make an account",
  description:
    "With its signing secret. It has no token yet. A name is an account's once: repeating the call makes no second.",
  scope: "admin",
  body: { schema: AccountRequest, required: true, bytesMax },
  replies: { 201: { description: "The account.", content: json(AccountRecord) } },
  problems: [...usual, ...withBody, "state_conflict"],
});

export const setAccountLimits = operation({
  id: "setAccountLimits",
  method: "PUT",
  path: "/v1/admin/accounts/{account_id}/limits",
  tag: "Operator",
  summary: "Change how many unfinished tasks an account may have",
  scope: "admin",
  params: accountId,
  body: { schema: AccountLimits, required: true, bytesMax },
  replies: { 200: { description: "The account.", content: json(AccountRecord) } },
  problems: [...usual, ...withBody, "not_found"],
});

export const grantPoints = operation({
  id: "grantPoints",
  method: "POST",
  path: "/v1/admin/accounts/{account_id}/grants",
  tag: "Operator",
  summary: "Grant an account points",
  description:
    "Adds a line to its ledger. Not to be repeated blindly: each call grants again. 409 when the account would have been granted more than 10^12 points in all.",
  scope: "admin",
  params: accountId,
  body: { schema: PointsGrant, required: true, bytesMax },
  replies: { 201: { description: "The account.", content: json(AccountRecord) } },
  problems: [...usual, ...withBody, "not_found", "state_conflict"],
});

export const listAccountTokens = operation({
  id: "listAccountTokens",
  method: "GET",
  path: "/v1/admin/accounts/{account_id}/tokens",
  tag: "Operator",
  summary: "List the access tokens of an account",
  scope: "admin",
  params: accountId,
  replies: { 200: { description: "The tokens.", content: json(TokenList) } },
  problems: [...usual, "not_found"],
});

export const issueAccountToken = operation({
  id: "issueAccountToken",
  method: "POST",
  path: "/v1/admin/accounts/{account_id}/tokens",
  tag: "Operator",
  summary: "Issue an access token of an account",
  description: "Its text is in the answer, and never again. Not to be repeated blindly: each call issues one more.",
  scope: "admin",
  params: accountId,
  body: { schema: TokenRequest, required: true, bytesMax },
  replies: { 201: { description: "The token.", content: json(IssuedToken) } },
  problems: [...usual, ...withBody, "not_found"],
});

export const revokeAnyToken = operation({
  id: "revokeAnyToken",
  method: "POST",
  path: "/v1/admin/tokens/{token_id}/revocation",
  tag: "Operator",
  summary: "Revoke an access token of any account",
  description: "At once, in every process. One that is revoked already stays so, and its record comes back.",
  scope: "admin",
  params: Closed({ token_id: Uuid }),
  replies: { 200: { description: "The token.", content: json(TokenRecord) } },
  problems: [...usual, ...withBody, "not_found"],
});
