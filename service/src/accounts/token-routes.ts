import { api, projectScopes, type TokenRequest } from "@querent/contract";
import type { Database } from "../db/index.ts";
import { route, type Caller, type Route, type RouteReply } from "../api/route.ts";
import { noteAudit } from "../runtime/audited.ts";
import { requireProjects } from "../projects/index.ts";
import { createToken, listTokens, revokeToken } from "./access-token.ts";
import { changedBy, type OnChange } from "../kernel/change-event.ts";
import { ProblemError } from "../api/problem-error.ts";

export interface TokenRouteDeps {
  readonly database: Database;
  readonly onChange: OnChange;
}

const listedMax = 500;

/** Tokens of the caller's own account and, for operators, those of all accounts. */
export function tokenRoutes(deps: TokenRouteDeps): Route[] {
  return [
    route(api.listTokens, ({ caller }) => list(deps, caller.accountId)),
    route(api.issueToken, ({ caller, body }) => issue(deps, caller, caller.accountId, body)),
    route(api.revokeToken, ({ caller, params }) => revoke(deps, caller, params.token_id, caller.accountId)),
    route(api.listAccountTokens, async ({ params }) => {
      await requireAccount(deps, params.account_id);
      return list(deps, params.account_id);
    }),
    route(api.issueAccountToken, async ({ caller, params, body }) => {
      await requireAccount(deps, params.account_id);
      return issue(deps, caller, params.account_id, body);
    }),
    route(api.revokeAnyToken, ({ caller, params }) => revoke(deps, caller, params.token_id, null)),
  ];
}

async function list({ database }: TokenRouteDeps, accountId: string): Promise<RouteReply> {
  const rows = await listTokens(database, { accountId, limit: listedMax });
  return { status: 200, body: { tokens: rows.map(({ record }) => record) } };
}

async function issue(
  { database, onChange }: TokenRouteDeps,
  caller: Caller,
  accountId: string,
  { name, scopes, projects: asked, expiresAt = null }: TokenRequest,
): Promise<RouteReply> {
  const beyond = caller.scopes.includes("admin") ? [] : scopes.filter((scope) => !caller.scopes.includes(scope));
  if (beyond.length > 0)
    throw new ProblemError(
      "scope_missing",
      `A token may have the scopes of who issues it, and no others: not ${beyond.map((scope) => `\`${scope}\``).join(", ")}.`,
    );
  const until = expiresAt === null ? null : new Date(expiresAt);
  if (until !== null && until.getTime() <= Date.now()) {
    throw new ProblemError("validation_failed", "The body is not valid.", {
      errors: [{ pointer: "/expiresAt", code: "not_allowed", detail: "It has to be in the future." }],
    });
  }
  const projects = asked ?? null;
  await requireProjects(database, accountId, projects);
  const wide = projects === null ? [] : scopes.filter((scope) => !projectScopes.includes(scope));
  if (wide.length > 0)
    throw new ProblemError("validation_failed", "The body is not valid. Nothing was done.", {
      errors: [
        {
          pointer: "/scopes",
          code: "not_allowed",
          detail: `${wide.map((scope) => `\`${scope}\``).join(", ")}: about the whole account. A token that is limited to projects can have ${projectScopes.map((scope) => `\`${scope}\``).join(", ")}.`,
        },
      ],
    });
  const { token, tokenId } = await database.transaction((tx) =>
    createToken(tx, { accountId, scopes, name, expiresAt: until, projects }),
  );
  onChange({ event: "token.issued", tokenId, accountId, scopes, by: changedBy(caller) });
  const [row] = await listTokens(database, { tokenId });
  if (row === undefined) throw new Error(`token ${tokenId} is gone`);
  return { status: 201, headers: { "cache-control": "no-store" }, body: { token, record: row.record } };
}

/** @param accountId the account whose token it has to be; null for an operator, who may revoke any */
async function revoke(
  { database, onChange }: TokenRouteDeps,
  caller: Caller,
  tokenId: string,
  accountId: string | null,
): Promise<RouteReply> {
  const [known] = await listTokens(database, { tokenId });
  if (known === undefined || (accountId !== null && known.accountId !== accountId))
    throw new ProblemError("not_found", "There is no such token.");
  noteAudit({ accountId: known.accountId, before: { name: known.record.name, scopes: known.record.scopes } });
  if (await database.transaction((tx) => revokeToken(tx, tokenId)))
    onChange({ event: "token.revoked", tokenId, accountId: known.accountId, by: changedBy(caller) });
  const [row] = await listTokens(database, { tokenId });
  return { status: 200, body: (row ?? known).record };
}

async function requireAccount({ database }: TokenRouteDeps, accountId: string): Promise<void> {
  const { rowCount } = await database.query("select from accounts where id = $1", [accountId]);
  if (rowCount === 0) throw new ProblemError("not_found", "There is no such account.");
}
