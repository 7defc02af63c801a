/** Secrets that anybody can guess are refused at the start, and secrets that were drawn are not. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { readFileSync, readdirSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import fc from "fast-check";
import { parseAllDocuments } from "yaml";
import { readConfig } from "../../src/app/config.ts";
import { whyGuessable, whyTokenGuessable } from "../../src/kernel/guessable.ts";
import { MasterKeyError, parseMasterKey } from "../../src/vault/index.ts";

const root = join(import.meta.dirname, "../../..");
const told = /can be guessed: it .*openssl rand -hex 32/;
const refusesToken = (token: string) => assert.throws(() => readConfig({ QUERENT_ACCESS_TOKEN: token }), told, token);
const refusesKey = (key: Buffer) => {
  for (const text of [key.toString("hex"), key.toString("base64"), key.toString("base64url")])
    assert.throws(
      () => parseMasterKey(text),
      (error: unknown) => error instanceof MasterKeyError && told.test(error.message),
      text,
    );
};

test("every placeholder in the example of a pod is refused before a port is opened", () => {
  const text = readFileSync(join(root, "deploy/kubernetes/pod.yaml"), "utf8");
  const [secret] = parseAllDocuments(text).map((document) => document.toJS() as { stringData: Record<string, string> });
  const values = secret?.stringData ?? {};
  refusesToken(values["access-token"] ?? "");
  assert.throws(() => parseMasterKey(values["master-key"] ?? ""), told);
  assert.throws(
    () => readConfig({ DATABASE_URL: values["database-url"] }),
    /DATABASE_URL has the placeholder of an example as its password/,
  );
  assert.doesNotMatch(text, /hostPort|hostNetwork/);
});

test("no file of deploy, and no page, shows a token or key that would be accepted", () => {
  const files = ["deploy", "docs", "README.md"].flatMap((name) =>
    name.endsWith(".md")
      ? [join(root, name)]
      : readdirSync(join(root, name), { recursive: true, encoding: "utf8" }).map((file) => join(root, name, file)),
  );
  const given =
    /(QUERENT_ACCESS_TOKEN|QUERENT_MASTER_KEY|access-token|master-key)["']?\s*[=:]\s*["']?([A-Za-z0-9_+/=.~-]{16,})/g;
  for (const file of files.filter((name) => /\.(ya?ml|md|env|service|tpl|txt|json)$/.test(name)))
    for (const [, name = "", value = ""] of readFileSync(file, "utf8").matchAll(given))
      assert.throws(() => {
        if (/token/i.test(name)) readConfig({ QUERENT_ACCESS_TOKEN: value });
        else parseMasterKey(value);
      }, `${file}: ${value}`);
});

test("values that were not drawn at random are refused, whatever they are made of", () => {
  const byte = fc.integer({ min: 0, max: 255 });
  fc.assert(fc.property(byte, (value) => refusesKey(Buffer.alloc(32, value))));
  fc.assert(fc.property(fc.uint8Array({ minLength: 2, maxLength: 16 }), (part) => refusesKey(Buffer.alloc(32, part))));
  fc.assert(
    fc.property(byte, fc.integer({ min: 1, max: 255 }), (first, step) =>
      refusesKey(Buffer.from(Array.from({ length: 32 }, (_, at) => first + at * step))),
    ),
  );
  fc.assert(
    fc.property(fc.string({ unit: "grapheme-ascii", minLength: 32, maxLength: 32 }), (text) =>
      refusesKey(Buffer.from(text, "latin1")),
    ),
  );
  fc.assert(
    fc.property(fc.array(byte, { minLength: 1, maxLength: 12 }), fc.infiniteStream(fc.nat(255)), (few, choices) =>
      refusesKey(Buffer.from(Array.from({ length: 32 }, () => few[(choices.next().value ?? 0) % few.length] ?? 0))),
    ),
  );
  const char = fc.constantFrom(..."abcXYZ019-._~+/");
  fc.assert(fc.property(char, fc.integer({ min: 22, max: 512 }), (one, length) => refusesToken(one.repeat(length))));
  fc.assert(
    fc.property(fc.array(char, { minLength: 2, maxLength: 11 }), fc.integer({ min: 3, max: 20 }), (part, times) => {
      const token = part.join("").repeat(Math.max(times, Math.ceil(22 / part.length)));
      refusesToken(token);
      refusesToken(`qrt_${token}`);
    }),
  );
  for (const token of [
    "replace-this-access-token",
    "REPLACE_ME_REPLACE_ME_PLEASE",
    "change-me-before-production-1",
    "your-access-token-goes-here",
    "qrt_your_token_your_token_x",
    "insert-token-insert-token-1",
    "placeholder-placeholder-123",
    "this-is-my-super-secret-token",
    "abcdefghijklmnopqrstuvwxyz",
    "0123456789abcdef0123456789abcdef",
    "1234567890123456789012345",
  ])
    refusesToken(token);
  for (const password of ["replace-this-password", "changeme", "CHANGE_ME", "your-password", "password-here"])
    assert.throws(
      () => readConfig({ DATABASE_URL: `postgresql://querent:${password}@db/querent` }),
      /placeholder/,
      password,
    );
});

test("secrets that were drawn at random are accepted", () => {
  for (let nth = 0; nth < 2_000; nth++) {
    const key = randomBytes(32);
    parseMasterKey(nth % 2 === 0 ? key.toString("hex") : key.toString("base64"));
    for (const token of [
      key.toString("hex"),
      key.toString("base64url"),
      `qrt_${key.toString("base64url")}`,
      key.toString("base64url").slice(0, 22),
    ])
      assert.equal(whyTokenGuessable(token), null, token);
  }
  assert.equal(
    readConfig({ DATABASE_URL: "postgresql://querent:querent@127.0.0.1/querent" }).databaseUrl,
    "postgresql://querent:querent@127.0.0.1/querent",
  );
});

test("a guessable key is accepted beside the good one that replaces it", () => {
  const [weak, good] = [Buffer.alloc(32).toString("hex"), randomBytes(32).toString("hex")];
  for (const text of [`${weak},${good}`, `${good},${weak}`]) assert.equal(parseMasterKey(text).ids.length, 2);
  assert.throws(() => parseMasterKey(`${weak},${Buffer.alloc(32, 1).toString("hex")}`), told);
});

test("a secret is judged in time that its length bounds", () => {
  const text = Array.from({ length: 512 }, (_, at) => (at === 511 ? 1 : 2 + (at % 2)));
  const from = performance.now();
  assert.notEqual(whyGuessable(text, 8), null);
  assert.ok(performance.now() - from < 500);
});
