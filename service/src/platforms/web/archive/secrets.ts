/**
 * Finds the secrets of a session in what a page received, and replaces them everywhere, so that an archive can be given away:
 * values of cookies, of credentials in headers, and of members, parameters and storage whose name or form says that they are one.
 */
import type { Exchange, Traffic } from "./record-traffic.ts";

export interface SessionValues {
  readonly cookies: readonly { readonly name: string; readonly value: string; readonly httpOnly: boolean }[];
  /** The page's storage: names and values. */
  readonly storage: readonly (readonly [name: string, value: string])[];
}

const secretName = /token|secret|passw|session|csrf|xsrf|auth|credential|api[-_]?key|signature|jwt|\bsid\b/i;
const credentialHeader = /^(proxy-)?authorization$|cookie|token|csrf|xsrf|api-key|secret/i;
const secretsMax = 500;

/** The secrets, the longest first. */
export function findSecrets(
  { exchanges, sockets }: Traffic,
  { cookies, storage }: SessionValues,
  texts: readonly string[],
) {
  const found = new Set<string>();
  const origins = new Set(exchanges.map(({ url }) => new URL(url).origin));
  const add = (value: string, least: number) => {
    if (value.length < least || value.length > 8192 || found.size >= secretsMax) return;
    // An address is no secret, though cookies of sessions contain some: without the page's own, nothing could be replayed.
    const decoded = attempt(() => decodeURIComponent(value)) ?? value;
    if ([...origins].some((origin) => origin.includes(decoded))) return;
    if (!/^https?:\/\//i.test(decoded)) return void found.add(value);
    for (const [name, secret] of attempt(() => new URL(decoded))?.searchParams ?? [])
      if (secretName.test(name)) add(secret, 8);
  };
  const addNamed = (name: string, value: string, httpOnly = false) => {
    if (httpOnly) add(value, 12);
    if (secretName.test(name)) add(value, 8);
    else if (isRandom(value)) add(value, 16);
  };
  for (const { name, value, httpOnly } of cookies) addNamed(name, value, httpOnly);
  for (const [name, value] of storage) if (secretName.test(name)) add(value, 8);
  for (const { url } of sockets)
    for (const [name, value] of new URL(url).searchParams) if (secretName.test(name)) add(value, 8);
  for (const exchange of exchanges) {
    for (const value of credentialsOf(exchange)) add(value, 8);
    for (const [name, value] of cookiesOf(exchange)) addNamed(name, value, true);
    for (const [name, value] of new URL(exchange.url).searchParams) if (secretName.test(name)) add(value, 8);
  }
  const bodies = exchanges.filter(isText).flatMap(({ body, requestBody }) => [body, requestBody ?? Buffer.alloc(0)]);
  for (const text of [...bodies.map((body) => body.toString("latin1")), ...texts]) {
    for (const [jwt] of text.matchAll(/\beyJ[\w-]{8,}\.[\w-]{8,}\.[\w-]{8,}/g)) add(jwt, 16);
    for (const [, name = "", value = ""] of text.matchAll(members))
      if (secretName.test(name) && isRandom(value)) add(value, 16);
  }
  return [...found].sort((a, b) => b.length - a.length);
}

/** `"name": "value"` of JSON, also within a string of a script, and `name="value"` of HTML. */
const members = /([\w-]{1,60})\\?["']?\s{0,4}[:=]\s{0,4}\\?["']([\w.~+/=%:-]{16,4096})\\?["']/g;

/** Not a word or a sentence. */
function isRandom(value: string): boolean {
  return value.length >= 16 && /\d/.test(value) && !/\s/.test(value);
}

function isText({ responseHeaders }: Exchange): boolean {
  const type = responseHeaders.find(({ name }) => name.toLowerCase() === "content-type")?.value ?? "";
  return !/^(image\/(?!svg)|font\/|audio\/|video\/|application\/(wasm|font|octet-stream))/i.test(type);
}

function credentialsOf({ requestHeaders, responseHeaders }: Exchange): string[] {
  const sent = Object.entries(requestHeaders).map(([name, value]) => ({ name, value }));
  return [...sent, ...responseHeaders]
    .filter(({ name }) => credentialHeader.test(name) && !/cookie/i.test(name))
    .flatMap(({ value }) => [value, value.replace(/^\w+\s+/, "")]);
}

function cookiesOf({ requestHeaders, responseHeaders }: Exchange): [string, string][] {
  const sent = Object.entries(requestHeaders).flatMap(([name, value]) =>
    name.toLowerCase() === "cookie" ? value.split(/;\s*/) : [],
  );
  const set = responseHeaders
    .filter(({ name }) => name.toLowerCase() === "set-cookie")
    .flatMap(({ value }) => value.split("\n").map((line) => line.split(";", 1)[0] ?? ""));
  return [...sent, ...set].map((pair) => {
    const at = pair.indexOf("=");
    return [pair.slice(0, at).trim(), pair.slice(at + 1).trim()];
  });
}

export interface Redaction {
  text(text: string): string;
  bytes(bytes: Buffer): Buffer;
}

/** Replaces secrets, in each form in which a text can contain them, by as many bytes, so that nothing else changes. */
export function redaction(secrets: readonly string[]): Redaction {
  const forms = [...new Set(secrets.flatMap(formsOf))].sort((a, b) => b.length - a.length);
  return {
    text: (text) => forms.reduce((left, form) => left.replaceAll(form, () => mask(form.length)), text),
    bytes(bytes) {
      let copy: Buffer | null = null;
      for (const form of forms.map((each) => Buffer.from(each))) {
        for (let at = bytes.indexOf(form); at !== -1; at = (copy ?? bytes).indexOf(form, at + form.length)) {
          copy ??= Buffer.from(bytes);
          copy.write(mask(form.length), at, "latin1");
        }
      }
      return copy ?? bytes;
    },
  };
}

function mask(length: number): string {
  return "redacted-".repeat(Math.ceil(length / 9)).slice(0, length);
}

function formsOf(secret: string): string[] {
  const decoded = attempt(() => decodeURIComponent(secret)) ?? secret;
  return [secret, decoded].flatMap((form) => [
    form,
    encodeURIComponent(form),
    JSON.stringify(form).slice(1, -1),
    form.replaceAll("&", "&amp;").replaceAll('"', "&quot;").replaceAll("<", "&lt;").replaceAll(">", "&gt;"),
    Buffer.from(form).toString("base64").replace(/=+$/, ""),
  ]);
}

function attempt<Value>(work: () => Value): Value | null {
  try {
    return work();
  } catch {
    return null;
  }
}
