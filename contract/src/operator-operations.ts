/** Operations for operators, over all accounts, with the scope `admin`. Every change is logged with the token that made it. */
import { Type } from "typebox";
import {
  AccountLimits,
  AccountPage,
  AccountRecord,
  AccountRequest,
  Demonstration,
  demonstrationAccount,
  PointsGrant,
} from "./account.ts";
import { Engine, NodeList, PlatformLimits, QueueRecord } from "./engine.ts";
import { withBody, json, operation, cursor, usual } from "./operation.ts";
import { Closed, StorableText, Uuid } from "./scalars.ts";
import { IssuedToken, TokenList, TokenRecord, TokenRequest } from "./token.ts";

const accountId = Closed({ account_id: Uuid });
const platformCode = Closed({
  platform_code: StorableText({ minLength: 1, maxLength: 64, description: "A code listed by `GET /v1/platforms`." }),
});
const bytesMax = 16 * 1024;

export const getEngine = operation({
  id: "getEngine",
  method: "GET",
  path: "/v1/admin/engine",
  tag: "Operator",
  summary: "Read queues and nodes",
  description:
    "The queue and limiter of every platform, over all accounts, and the nodes that run tasks, with their leases.",
  scope: "admin",
  replies: { 200: { description: "Queues, nodes, and the accounts that use the most.", content: json(Engine) } },
  problems: usual,
});

export const listNodes = operation({
  id: "listNodes",
  method: "GET",
  path: "/v1/admin/nodes",
  tag: "Operator",
  summary: "List nodes",
  description:
    "The processes that run tasks: their leases, slots and running tasks, which platforms they can ask, and why they cannot ask the others. Reasons name settings, never their values.",
  scope: "admin",
  replies: { 200: { description: "The nodes.", content: json(NodeList) } },
  problems: usual,
});

export const setPlatformLimits = operation({
  id: "setPlatformLimits",
  method: "PUT",
  path: "/v1/admin/platforms/{platform_code}/limits",
  tag: "Operator",
  summary: "Set a platform's limits",
  description:
    "The limits replace the configured ones on every node, from the next task start until they are removed, including after restarts. Running tasks are not interrupted.",
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
  summary: "Restore a platform's configured limits",
  description:
    "Restores the limits in the configuration of the process that handles the request. Has no effect if no limits were set.",
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
  description: "Newest first, or those that store the most first.",
  scope: "admin",
  audit: "spend",
  query: Closed({
    orderBy: Type.Optional(
      Type.Enum(["created", "size"], {
        default: "created",
        description: "`size`: by the size of everything that an account stores, as of the last measuring.",
      }),
    ),
    text: Type.Optional(
      StorableText({ minLength: 1, maxLength: 100, description: "Part of the name, case-insensitive." }),
    ),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 200, default: 50, description: "Maximum number of accounts per page." }),
    ),
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
  summary: "Create an account",
  description:
    "Creates an account with a signing secret and without tokens. Names are unique: repeating the request does not create a second account.",
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
  summary: "Set an account's limit of unfinished tasks, and its storage quota",
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
  summary: "Grant points to an account",
  description:
    "Adds an entry to the ledger. Not idempotent: each request grants points again. Returns 409 if the total of the account's grants would exceed 10^12 points.",
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
  description:
    "The response contains the token, which cannot be read again later. Not idempotent: each request issues another token.",
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
  description:
    "Takes effect immediately, in every process. For a token that is already revoked, returns its record unchanged.",
  scope: "admin",
  params: Closed({ token_id: Uuid }),
  replies: { 200: { description: "The token.", content: json(TokenRecord) } },
  problems: [...usual, ...withBody, "not_found"],
});

export const createDemonstration = operation({
  id: "createDemonstration",
  method: "POST",
  path: "/v1/admin/demonstration",
  tag: "Operator",
  summary: "Create the demonstration",
  description: `Creates the account \`${demonstrationAccount}\` with a panel and four weeks of simulated answers. Nobody is asked, and nothing is charged. A person who is signed in becomes an editor of the account. If it is there already, nothing else changes. Takes some seconds.`,
  scope: "admin",
  replies: { 200: { description: "The demonstration.", content: json(Demonstration) } },
  problems: [...usual, "state_conflict"],
});

export const deleteDemonstration = operation({
  id: "deleteDemonstration",
  method: "DELETE",
  path: "/v1/admin/demonstration",
  tag: "Operator",
  summary: "Delete the demonstration",
  description:
    "Deletes the account of the demonstration with everything in it. Who is signed in to it is signed out. If there is none, nothing happens. Returns 409 if it has tasks that have not ended.",
  scope: "admin",
  replies: { 204: { description: "There is no demonstration." } },
  problems: [...usual, "state_conflict"],
});
