/** What clients say of themselves, which nobody has verified, in a form that can be kept and shown. */

/** What is kept of a client that registers itself. Everything else that it sends is left out (RFC 7591, 2). */
export interface RegisteredClient {
  readonly client_name?: string;
  readonly redirect_uris: readonly string[];
  readonly application_type: "native";
  readonly token_endpoint_auth_method: "none";
  readonly grant_types: readonly ["authorization_code", "refresh_token"];
  readonly response_types: readonly ["code"];
}

const redirectsMax = 10;
const redirectLengthMax = 500;
const nameLengthMax = 80;

/** Clients of which each program of a device can pass itself off as another: they are native, and a secret would be none. */
const ofAll = {
  application_type: "native",
  token_endpoint_auth_method: "none",
  grant_types: ["authorization_code", "refresh_token"],
  response_types: ["code"],
} as const;

/** What is kept of a request to register; a text says why nothing is. The library checks the addresses themselves. */
export function registeredClient(sent: Readonly<Record<string, unknown>>): RegisteredClient | string {
  const { client_name: name, redirect_uris: redirects } = sent;
  if (!Array.isArray(redirects) || redirects.length === 0 || redirects.length > redirectsMax)
    return `redirect_uris must be a list of 1 to ${redirectsMax} addresses`;
  if (!redirects.every((each) => typeof each === "string" && each.length <= redirectLengthMax))
    return `each of redirect_uris must be a text of at most ${redirectLengthMax} characters`;
  if (name !== undefined && typeof name !== "string") return "client_name must be a text";
  const shown = name === undefined ? "" : shownName(name);
  return { ...(shown === "" ? {} : { client_name: shown }), redirect_uris: redirects as string[], ...ofAll };
}

/**
 * A client's name on one line, without what could rearrange it or the words beside it: controls, marks of direction, and characters without
 * a width.
 */
export function shownName(name: string): string {
  const plain = name
    .slice(0, 1000)
    .normalize("NFKC")
    .replace(/\s+/gu, " ")
    .replace(/[\p{Cc}\p{Cf}\p{Co}\p{Cs}\p{Cn}\p{Zl}\p{Zp}]/gu, "")
    // More than two marks on one letter reach into other lines.
    .replace(/(\p{M}{2})\p{M}+/gu, "$1")
    .replace(/ +/g, " ")
    .trim();
  return [...plain].slice(0, nameLengthMax).join("").trim();
}

/** The host that publishes a client's description; null for a client that registered itself. */
export function clientHostOf(clientId: string): string | null {
  return clientId.startsWith("https://") ? hostOf(new URL(clientId)) : null;
}

export interface Redirect {
  readonly host: string;
  readonly kind: "web" | "device" | "app";
}

/** Where a client is sent with the answer, as it is shown. */
export function redirectOf(address: string): Redirect {
  const url = URL.parse(address);
  if (url === null) return { host: "?", kind: "app" };
  if (url.protocol !== "http:" && url.protocol !== "https:") return { host: url.protocol.slice(0, 60), kind: "app" };
  return { host: hostOf(url), kind: isLoopback(url.hostname) ? "device" : "web" };
}

const isLoopback = (host: string) => host === "localhost" || host === "[::1]" || host === "127.0.0.1";

/** In the letters that are sent (Punycode): those that only look like others' are told apart. */
const hostOf = ({ hostname, port }: URL) => (port === "" || isLoopback(hostname) ? hostname : `${hostname}:${port}`);
