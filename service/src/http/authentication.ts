import type { Scope } from "@querent/contract";
import { ProblemError } from "../api/problem-error.ts";
import type { Caller } from "../api/route.ts";

/** The token of an `Authorization: Bearer` header (RFC 6750); empty if there is none. */
export function bearerToken(authorization: string | undefined): string {
  return /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(authorization ?? "")?.[1] ?? "";
}

export function requireScope({ scopes }: Caller, scope: Scope): void {
  if (scopes.includes(scope)) return;
  throw new ProblemError("scope_missing", `This operation needs a token with the scope \`${scope}\`.`, {
    headers: { "www-authenticate": `Bearer realm="querent", error="insufficient_scope", scope="${scope}"` },
  });
}
