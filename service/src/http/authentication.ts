import type { Scope } from "@querent/contract";
import { ProblemError } from "../api/problem-error.ts";
import type { FastifyRequest } from "fastify";
import type { Caller, RouteReply } from "../api/route.ts";

/** The token of an `Authorization: Bearer` header (RFC 6750); empty if there is none. */
export function bearerToken(authorization: string | undefined): string {
  return /^Bearer +([A-Za-z0-9\-._~+/]+=*) *$/i.exec(authorization ?? "")?.[1] ?? "";
}

export function requireScope({ scopes, person, connection }: Caller, scope: Scope): void {
  if (scopes.includes(scope)) return;
  const who = person === null ? "a token" : connection === undefined ? "a role" : "an assistant";
  throw new ProblemError("scope_missing", `This operation needs ${who} with the scope \`${scope}\`.`, {
    headers: { "www-authenticate": `Bearer realm="querent", error="insufficient_scope", scope="${scope}"` },
  });
}

/** The header of every request with a login. Pages of other sites cannot send it without the service's consent, which it never gives. */
const loginHeader = "x-querent-login";
/** The cookies' names: of a login, and of what was begun and goes by way of an identity provider or a passkey. */
const cookieNames = { login: "querent-login", attempt: "querent-sign-in" } as const;
type CookieName = (typeof cookieNames)[keyof typeof cookieNames];

/** How browsers reach the service, which decides the cookie of a login. */
export interface LoginCookies {
  /** The origin of `QUERENT_PUBLIC_URL`; null if it is not set. */
  readonly publicOrigin: string | null;
}

/** The secret of the login that a page of the service sends; null if there is none, or the request is not from such a page. */
export function loginSecret(request: FastifyRequest, cookies: LoginCookies): string | null {
  return request.headers[loginHeader] === "1"
    ? readCookie(request, cookieOf(cookieNames.login, request, cookies).name)
    : null;
}

/** The secret of what the browser has begun; null if there is none. */
export function attemptSecret(request: FastifyRequest, cookies: LoginCookies): string | null {
  return readCookie(request, cookieOf(cookieNames.attempt, request, cookies).name);
}

function readCookie(request: FastifyRequest, name: string): string | null {
  const sent = (request.headers.cookie ?? "").split(";").map((pair) => pair.trim());
  const value = sent.find((pair) => pair.startsWith(`${name}=`))?.slice(name.length + 1) ?? "";
  return /^[A-Za-z0-9_-]{43}$/.test(value) ? value : null;
}

/**
 * Refuses requests that the page of another site sends or makes a browser send. `Sec-Fetch-Site`, which no page can forge, decides;
 * over plain HTTP, where browsers do not send it, `Origin` does.
 */
export function requireOwnPage(request: FastifyRequest, { publicOrigin }: LoginCookies): void {
  const { "sec-fetch-site": site, origin } = request.headers;
  const isOwnOrigin =
    origin === undefined || origin === publicOrigin || origin === `${request.protocol}://${request.host}`;
  const isOwnPage = site === undefined ? isOwnOrigin : site === "same-origin";
  if (request.headers[loginHeader] === "1" && isOwnPage) return;
  throw new ProblemError("foreign_request", "Sign in, and work with a login, on a page of this service.");
}

/** The `Set-Cookie` headers that begin or end a login, or what goes by way of an identity provider or a passkey. */
export function browserCookies(
  { login, attempt }: Pick<RouteReply, "login" | "attempt">,
  request: FastifyRequest,
  cookies: LoginCookies,
): string[] {
  return [
    ...(login === undefined ? [] : [setCookie(login, cookieOf(cookieNames.login, request, cookies))]),
    ...(attempt === undefined ? [] : [setCookie(attempt, cookieOf(cookieNames.attempt, request, cookies))]),
  ];
}

function setCookie(
  value: { readonly secret: string; readonly expiresAt: Date } | null,
  { name, secure }: { readonly name: string; readonly secure: boolean },
): string {
  const seconds = value === null ? 0 : Math.max(0, Math.floor((value.expiresAt.getTime() - Date.now()) / 1000));
  return `${name}=${value?.secret ?? ""}; Path=/; Max-Age=${seconds}; HttpOnly; SameSite=Strict${secure ? "; Secure" : ""}`;
}

/**
 * Over HTTPS, a name that browsers accept from this host alone and over HTTPS alone: a sibling's or a plain page's cookie never replaces
 * it. Browsers refuse such a cookie over plain HTTP, so there it has another name, which is not read over HTTPS.
 */
function cookieOf(
  cookieName: CookieName,
  request: FastifyRequest,
  { publicOrigin }: LoginCookies,
): { name: string; secure: boolean } {
  const isPublic = publicOrigin !== null && new URL(publicOrigin).host === request.host;
  const secure = request.protocol === "https" || (isPublic && publicOrigin.startsWith("https:"));
  return { name: secure ? `__Host-${cookieName}` : cookieName, secure };
}
