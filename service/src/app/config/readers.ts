/** Parsers of variables: each returns the value, or throws a sentence that completes "NAME ...". */
import { readFileSync } from "node:fs";
import { resolve } from "node:path";
import type { CountryProxy } from "../../browser/index.ts";
import { parseAllowedRanges } from "../../egress/index.ts";
import { isPlaceholder, whyTokenGuessable } from "../../kernel/guessable.ts";
import { isCountryCode } from "../../kernel/countries.ts";
import { secretPrefixes } from "../../kernel/secret-prefixes.ts";
import { readSender, readSmtpServer, type MailFrom, type SmtpServer } from "../../mail/index.ts";

export function integer(fallback: number, min: number, max: number) {
  return (value: string | undefined): number => {
    if (value === undefined) return fallback;
    const read = Number(value);
    if (!/^-?\d+$/.test(value) || read < min || read > max)
      throw new Error(`must be a whole number from ${min} to ${max}, not "${value}".`);
    return read;
  };
}

export function optionalInteger(min: number, max: number) {
  return (value: string | undefined): number | null => (value === undefined ? null : integer(min, min, max)(value));
}

export function number(fallback: number, min: number, max: number) {
  return (value: string | undefined): number => {
    if (value === undefined) return fallback;
    const read = Number(value);
    if (!Number.isFinite(read) || read < min || read > max)
      throw new Error(`must be a number from ${min} to ${max}, not "${value}".`);
    return read;
  };
}

export function text(fallback: string) {
  return (value: string | undefined): string => value ?? fallback;
}

export function oneOf<const Values extends readonly string[]>(fallback: Values[number], values: Values) {
  return (value: string | undefined): Values[number] => {
    if (value === undefined) return fallback;
    if (!values.includes(value)) throw new Error(`must be one of ${values.join(", ")}, not "${value}".`);
    return value;
  };
}

export function optionalText(value: string | undefined): string | null {
  return value ?? null;
}

export function optionalPath(value: string | undefined): string | null {
  return value === undefined ? null : resolve(value);
}

export function list(value: string | undefined): readonly string[] {
  return (value ?? "")
    .split(",")
    .map((part) => part.trim())
    .filter((part) => part !== "");
}

export function ranges(value: string | undefined): readonly string[] {
  try {
    parseAllowedRanges(value ?? "");
  } catch (error) {
    throw new Error(`has a range that can't be read: ${error instanceof Error ? error.message : String(error)}`, {
      cause: error,
    });
  }
  return list(value);
}

/**
 * A file of certificates: it is read again when it is needed, and checked here so that errors are reported before anything
 * starts.
 */
export function certificates(value: string | undefined): string | null {
  const path = optionalPath(value);
  if (path === null) return null;
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? "unknown";
    throw new Error(
      `names a file that can't be read: ${path} (${code}). Name a PEM file of certificates, or leave the variable out.`,
      { cause: error },
    );
  }
  if (!text.includes("-----BEGIN CERTIFICATE-----"))
    throw new Error(
      `names a file without a certificate in PEM: ${path}. It has to hold \`-----BEGIN CERTIFICATE-----\`.`,
    );
  return path;
}

export function endpoints(value: string | undefined): readonly string[] {
  const addresses = list(value);
  for (const address of addresses) {
    if (!["ws:", "wss:", "http:", "https:"].includes(URL.parse(address)?.protocol ?? ""))
      throw new Error("must hold addresses like ws://host:9222/ or http://host:9222, separated by commas.");
  }
  return addresses;
}

export function databaseUrl(value: string | undefined): string | null {
  if (value === undefined) return null;
  if (!/^postgres(ql)?:\/\//.test(value))
    throw new Error("must be an address like postgresql://user:password@host:5432/database.");
  if (isPlaceholder(URL.parse(value)?.password ?? ""))
    throw new Error(
      "has the placeholder of an example as its password. Set another one for the database's user (`openssl rand -hex 32`), and put it here.",
    );
  return value;
}

export function optionalWebAddress(value: string | undefined): string | null {
  if (value === undefined) return null;
  const url = URL.parse(value);
  if (url === null || !/^https?:$/.test(url.protocol) || url.username !== "" || url.search !== "" || url.hash !== "")
    throw new Error("must be an address like https://querent.example.com, without user name, query and fragment.");
  return value.replace(/\/+$/, "");
}

export const smtpServer = (value: string | undefined): SmtpServer | null =>
  value === undefined ? null : readSmtpServer(value);

export const mailSender = (value: string | undefined): MailFrom | null =>
  value === undefined ? null : readSender(value);

/** `host:port`; an IPv6 address in brackets. */
export function optionalHostAndPort(
  value: string | undefined,
): { readonly host: string; readonly port: number } | null {
  if (value === undefined) return null;
  const [, inBrackets, name, digits] = /^(?:\[([0-9a-fA-F:.]+)\]|([^\s:/[\]]+)):(\d{1,5})$/.exec(value) ?? [];
  const host = inBrackets ?? name;
  const port = Number(digits);
  if (host === undefined || !(port >= 1 && port <= 65_535))
    throw new Error(`must be a host and a port, such as "10.0.0.7:7070" or "[fd00::7]:7070", not "${value}".`);
  return { host, port };
}

export function keyPrefix(value: string | undefined): string {
  if (value === undefined) return "querent/";
  if (!/^[\w.-]+(\/[\w.-]+)*\/?$/.test(value) || /(^|\/)\.{1,2}(\/|$)/.test(value))
    throw new Error("must be a start of keys like querent/, of letters, digits, `.`, `_`, `-` and `/`.");
  return value.endsWith("/") ? value : `${value}/`;
}

export function accessToken(value: string | undefined): string | null {
  if (value === undefined) return null;
  // 22 characters of base64url contain 128 bits. A shorter token could be guessed, especially as lists of tokens show the first
  // eight.
  if (!/^[A-Za-z0-9\-._~+/]{22,512}=*$/.test(value))
    throw new Error(
      "must be 22 to 512 characters of A-Z a-z 0-9 - . _ ~ + /, as a Bearer token is written. Make one with `openssl rand -hex 32`.",
    );
  const kind = kindOfSecret(value);
  if (kind !== null)
    throw new Error(
      `begins with \`${kind.prefix}\`, which is kept for ${kind.of}: the service would not take it for an access token. Make one with \`openssl rand -hex 32\`.`,
    );
  const why = whyTokenGuessable(value);
  if (why !== null) throw new Error(`can be guessed: it ${why}. Make one with \`openssl rand -hex 32\`.`);
  return value;
}

/** What begins the secrets of other kinds. */
const reservedPrefixes = [
  { prefix: secretPrefixes.connection, of: "tokens of connected assistants" },
  { prefix: secretPrefixes.signing, of: "signing secrets of webhooks" },
];

const kindOfSecret = (text: string) => reservedPrefixes.find(({ prefix }) => text.startsWith(prefix)) ?? null;

/** `DE=http://name:password@host:port,...`. No message shows an address, which may hold a password. */
export function countryProxies(value: string | undefined): ReadonlyMap<string, CountryProxy> {
  const proxies = new Map<string, CountryProxy>();
  for (const entry of list(value)) {
    const at = entry.indexOf("=");
    const country = entry.slice(0, Math.max(0, at)).trim().toUpperCase();
    if (!isCountryCode(country))
      throw new Error("must be a list such as DE=http://proxy.example:8080, with the ISO 3166-1 code of each country.");
    if (proxies.has(country)) throw new Error(`has two proxies for ${country}.`);
    const url = URL.parse(entry.slice(at + 1).trim());
    if (url === null || url.protocol !== "http:" || url.hostname === "" || url.pathname !== "/" || url.search !== "")
      throw new Error(`has no http:// address of a proxy for ${country}. A name or password is percent-encoded.`);
    const { username, password } = url;
    const credentials = `${decodeURIComponent(username)}:${decodeURIComponent(password)}`;
    proxies.set(country, {
      hostname: url.hostname.replace(/^\[|\]$/g, ""),
      port: Number(url.port || 80),
      authorization: username === "" ? null : `Basic ${Buffer.from(credentials).toString("base64")}`,
    });
  }
  return proxies;
}
