import assert from "node:assert/strict";
import fc from "fast-check";
import { canonicalAddress } from "../../src/kernel/addresses/canonical-address.ts";

/** The canonical form of random addresses has itself as canonical form. */
export function checkIdempotence(numRuns: number): void {
  fc.assert(
    fc.property(wrapped, (address) => {
      const first = canonicalAddress(address);
      if (first === null) return;
      assert.deepEqual(canonicalAddress(first.address), first);
    }),
    { numRuns },
  );
}

const host = fc.constantFrom(
  "example.com",
  "www.example.co.uk",
  "www.www.example.org",
  "WWW.com",
  "m.youtube.com",
  "youtu.be",
  "www.twitter.com",
  "amazon.de",
  "de.m.wikipedia.org",
  "müller.de",
  "192.0.2.1",
  "[2001:db8::1]",
  "localhost",
  "www.google.com",
  "www1.l.facebook.com",
  "t.co",
  "a--b-c.translate.goog",
  "example.com..",
  "www.bing.com",
);
const segment = fc.oneof(
  fc.constantFrom(
    "a",
    "index.html",
    "amp",
    "x.amp.html",
    "%7Euser",
    "%2F",
    "%",
    "%zz",
    ";jsessionid=1",
    "",
    "..",
    "dp/B08N5WRWNW",
    "url",
    "watch",
    "c/s/example.org",
    "l.php",
    "web/2024/http://example.org",
    "%25%34%31",
    "amp/s/example.org",
    "%2e%2e",
  ),
  fc.string({ unit: "binary", maxLength: 6 }),
);
const pair = fc.oneof(
  fc.constantFrom(
    "utm_source=x",
    "v=abc",
    "p=1",
    "p=%31",
    "&amp;",
    "q=a+b",
    "q=a%20b",
    "=",
    "x",
    "amp",
    "amp=1",
    "AMP=2",
    "%61mp=1",
    "b=2&a=1",
    "u=a1aHR0cHM6Ly9leGFtcGxlLm9yZw",
    "q=https://example.org/?a=1",
    "u=https%3A%2F%2Fexample.org%2F%3Fu%3D1",
    "%",
    "q=%252541",
  ),
  fc.string({ unit: "binary", maxLength: 8 }),
);
const address = fc
  .record({
    scheme: fc.constantFrom("https://", "http://", "HTTPS://", "https://u:p@"),
    host,
    port: fc.constantFrom("", ":80", ":443", ":8080"),
    path: fc.array(segment, { maxLength: 4 }),
    query: fc.array(pair, { maxLength: 4 }),
    hash: fc.constantFrom("", "#a", "#/route", "#!/route%7e", "#:~:text=x", "#/"),
  })
  .map((parts) => {
    const path = parts.path.length === 0 ? "" : `/${parts.path.join("/")}`;
    const query = parts.query.length === 0 ? "" : `?${parts.query.join("&")}`;
    return `${parts.scheme}${parts.host}${parts.port}${path}${query}${parts.hash}`;
  });
const wrapper = fc.constantFrom(
  (target: string) => `https://www.google.com/url?q=${encodeURIComponent(target)}`,
  (target: string) => `https://www.bing.com/ck/a?u=a1${Buffer.from(target).toString("base64url")}`,
  (target: string) => `https://web.archive.org/web/20240101/${target}`,
  (target: string) => `https://l.facebook.com/l.php?u=${encodeURIComponent(target)}`,
  (target: string) => `https://urldefense.com/v3/__${target}__;!!x`,
  (target: string) => target,
);
const wrapped = fc
  .tuple(fc.array(wrapper, { maxLength: 3 }), address)
  .map(([wrappers, inner]) => wrappers.reduce((target, wrap) => wrap(target.toWellFormed()), inner));
