import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { mkdtempSync, readdirSync, statSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { sign, verify } from "@octokit/webhooks-methods";
import fc from "fast-check";
import { newId } from "../../src/kernel/ids.ts";
import { checkMasterKey, signature } from "../../src/webhooks/index.ts";
import { newSecret } from "../../src/webhooks/signing/signing-secrets.ts";
import { loadMasterKeyFile, MasterKey, MasterKeyError, parseMasterKey } from "../../src/vault/index.ts";
import { readConfig } from "../../src/app/config.ts";
import { loadMasterKey } from "../../src/app/master-key.ts";
import { testDatabase } from "../harness/database.ts";
import { createAccount, masterKey } from "./fixture.ts";

test("a signature is what an independent implementation makes and verifies", async () => {
  await fc.assert(
    fc.asyncProperty(
      fc
        .array(fc.nat({ max: 0xffff }), { minLength: 1 })
        .map((units) => String.fromCharCode(...units).toWellFormed())
        .filter((text) => text.isWellFormed()),
      async (text) => {
        const secret = newSecret();
        const made = signature(secret, Buffer.from(text, "utf8"));
        assert.match(made, /^sha256=[0-9a-f]{64}$/);
        assert.equal(made, await sign(secret, text));
        assert.ok(await verify(secret, text, made));
      },
    ),
  );
});

test("a secret is whsec_ and 32 random bytes in base64url", () => {
  assert.match(newSecret(), /^whsec_[\w-]{43}$/);
  assert.notEqual(newSecret(), newSecret());
});

test("a secret decrypts only with its key, for its account and its version, and untouched", () => {
  const [account, other] = [newId(), newId()];
  const secret = newSecret();
  const stored = masterKey.encrypt(secret, account, 3);
  assert.equal(masterKey.decrypt(stored, account, 3), secret);
  assert.ok(!stored.includes(secret));
  assert.notDeepEqual(masterKey.encrypt(secret, account, 3), stored);
  assert.throws(() => masterKey.decrypt(stored, account, 4), MasterKeyError);
  assert.throws(() => masterKey.decrypt(stored, other, 3), MasterKeyError);
  assert.throws(() => new MasterKey(randomBytes(32)).decrypt(stored, account, 3), /QUERENT_MASTER_KEY/);
  for (let index = 0; index < stored.length; index++) {
    const touched = Buffer.from(stored);
    touched[index] = (touched[index] ?? 0) ^ 1;
    assert.throws(() => masterKey.decrypt(touched, account, 3), MasterKeyError);
    assert.throws(() => masterKey.decrypt(stored.subarray(0, index), account, 3), MasterKeyError);
  }
});

test("a master key is read from base64, base64url and hex, and anything else is refused with what to do", () => {
  const bytes = randomBytes(32);
  const probe = new MasterKey(bytes).encrypt("x", "a", 1);
  for (const text of [
    bytes.toString("base64"),
    bytes.toString("base64url"),
    bytes.toString("hex"),
    ` ${bytes.toString("hex").toUpperCase()}\n`,
  ]) {
    assert.equal(parseMasterKey(text).decrypt(probe, "a", 1), "x");
  }
  for (const text of [
    "",
    "secret",
    randomBytes(31).toString("base64"),
    randomBytes(33).toString("hex"),
    "g".repeat(64),
  ]) {
    assert.throws(() => parseMasterKey(text), /32 bytes in base64 or hex. Make one with/, text);
  }
});

test("processes that start together on an empty folder end up with one key file, readable by its owner only", async () => {
  const folder = join(mkdtempSync(join(tmpdir(), "querent-")), "data");
  const keys = await Promise.all(Array.from({ length: 20 }, () => loadMasterKeyFile(folder, { make: true })));
  const probe = keys[0]?.encrypt("x", "a", 1) ?? Buffer.alloc(0);
  for (const key of keys) assert.equal(key.decrypt(probe, "a", 1), "x");
  assert.deepEqual(readdirSync(folder), ["master.key"]);
  assert.equal(statSync(join(folder, "master.key")).mode & 0o777, 0o600);
  writeFileSync(join(folder, "master.key"), "oops");
  await assert.rejects(
    loadMasterKeyFile(folder, { make: true }),
    /does not hold a master key .* Put the former file back/,
  );
});

test("a start with another master key than the database's secrets were encrypted with is refused", async () => {
  const { database } = await testDatabase();
  await checkMasterKey(database, masterKey);
  await createAccount(database);
  await checkMasterKey(database, masterKey);
  await assert.rejects(checkMasterKey(database, new MasterKey(randomBytes(32))), /put the former `master.key` back/);
});

test("a start without the key file beside a database that holds secrets is refused, and leaves no new key behind", async () => {
  const { database } = await testDatabase();
  const folder = mkdtempSync(join(tmpdir(), "querent-"));
  const config = readConfig({ QUERENT_DATA_DIR: folder });
  await createAccount(database);
  await assert.rejects(loadMasterKey(config, database), /There is no master key at .*\. Put the former file back/);
  assert.deepEqual(readdirSync(folder), []);
});
