import assert from "node:assert/strict";
import { createCipheriv, randomBytes } from "node:crypto";
import { test } from "node:test";
import { createAccount } from "../../src/app/accounts.ts";
import type { Database } from "../../src/db/index.ts";
import { sealedEvidenceKeys, signingKey } from "../../src/evidence/index.ts";
import { sealedSessions } from "../../src/sessions/index.ts";
import { encryptAgain, MasterKey, MasterKeyError, sealedStoredKeys, storedKey } from "../../src/vault/index.ts";
import { checkMasterKey, sealedSecrets } from "../../src/webhooks/index.ts";
import { readWebhook } from "../../src/webhooks/settings/settings.ts";
import { readKeyUses } from "../../src/app/cli/master-key-commands.ts";
import { testDatabase } from "../harness/database.ts";

const [former, next, other] = [randomBytes(32), randomBytes(32), randomBytes(32)];
const onlyFormer = new MasterKey(former);
const both = new MasterKey(next, former);
const onlyNext = new MasterKey(next);
const tables = [sealedSecrets, sealedEvidenceKeys, sealedStoredKeys, sealedSessions];

const secretOf = async (database: Database, masterKey: MasterKey, accountId: string) =>
  (await readWebhook({ masterKey }, database, accountId)).signingSecret;

async function rotate(database: Database, masterKey: MasterKey) {
  const all = { changed: 0, unreadable: 0 };
  for (const table of tables) {
    const done = await encryptAgain(database, masterKey, table);
    all.changed += done.changed;
    all.unreadable += done.unreadable;
  }
  return all;
}

test("the master key is replaced while accounts are made: every secret stays what it was", async () => {
  const { database } = await testDatabase();
  const accounts: string[] = [];
  for (let n = 0; n < 30; n++)
    accounts.push(await createAccount(database, onlyFormer, { name: `before ${n}`, points: 0 }));
  const secrets = new Map<string, string>();
  for (const id of accounts) secrets.set(id, await secretOf(database, onlyFormer, id));
  const { publicKey } = await signingKey(database, onlyFormer);
  const addressKey = await storedKey(database, onlyFormer, "public addresses");
  assert.deepEqual(addressKey, onlyFormer.derive("public addresses"), "links of former versions stay valid");

  // A process that accepts the next key, and still encrypts with the former one.
  const accepting = new MasterKey(former, next);
  const during = await createAccount(database, both, { name: "during", points: 0 });
  assert.equal(await secretOf(database, accepting, during), await secretOf(database, both, during));
  await checkMasterKey(database, accepting);

  assert.deepEqual(await rotate(database, both), { changed: 32, unreadable: 0 });
  assert.deepEqual(await rotate(database, both), { changed: 0, unreadable: 0 });
  const late = await createAccount(database, accepting, { name: "late", points: 0 });
  assert.deepEqual(await rotate(database, both), { changed: 1, unreadable: 0 });

  await checkMasterKey(database, onlyNext);
  for (const [id, secret] of secrets) assert.equal(await secretOf(database, onlyNext, id), secret);
  assert.match(await secretOf(database, onlyNext, late), /^whsec_/);
  assert.deepEqual((await signingKey(database, onlyNext)).publicKey, publicKey);
  assert.deepEqual(await storedKey(database, onlyNext, "public addresses"), addressKey);
  await assert.rejects(checkMasterKey(database, onlyFormer), (error) => {
    assert.ok(error instanceof MasterKeyError);
    assert.ok(error.message.includes(onlyNext.ids[0] ?? "-"), "it names the key that is missing");
    return true;
  });
});

test("values of former versions, which name no key, are read and encrypted again", async () => {
  const { database } = await testDatabase();
  const accountId = await createAccount(database, onlyFormer, { name: "former", points: 0 });
  const secret = await secretOf(database, onlyFormer, accountId);
  const nonce = randomBytes(12);
  const cipher = createCipheriv("aes-256-gcm", former, nonce).setAAD(
    Buffer.from(`querent signing secret ${accountId} 1`),
  );
  const body = Buffer.concat([cipher.update(secret, "utf8"), cipher.final()]);
  const stored = Buffer.concat([Buffer.of(1), nonce, cipher.getAuthTag(), body]);
  await database.query("update signing_secrets set ciphertext = $1", [stored]);
  await checkMasterKey(database, both);
  assert.deepEqual((await readKeyUses(database, both))[0], {
    id: null,
    state: "unknown",
    what: "signing secrets",
    values: 1,
  });
  await rotate(database, both);
  assert.equal(await secretOf(database, onlyNext, accountId), secret);
  await assert.rejects(checkMasterKey(database, new MasterKey(other)), MasterKeyError);
});

test("a secret that changes while it is encrypted again keeps the change", async () => {
  const { database } = await testDatabase();
  const accountId = await createAccount(database, onlyFormer, { name: "changes", points: 0 });
  const changed = both.encrypt("whsec_changed", accountId, 1);
  await encryptAgain(database, both, {
    ...sealedSecrets,
    replace: async (db, values) => {
      await database.query("update signing_secrets set ciphertext = $1", [changed]);
      await sealedSecrets.replace(db, values);
    },
  });
  assert.equal(await secretOf(database, both, accountId), "whsec_changed");
});

test("what cannot be decrypted is left as it is, and counted", async () => {
  const { database } = await testDatabase();
  await createAccount(database, new MasterKey(other), { name: "lost", points: 0 });
  await createAccount(database, onlyFormer, { name: "kept", points: 0 });
  const before = await database.query("select ciphertext from signing_secrets order by account_id");
  assert.deepEqual(await rotate(database, new MasterKey(next)), { changed: 0, unreadable: 2 });
  assert.deepEqual(await rotate(database, both), { changed: 1, unreadable: 1 });
  assert.equal((await readKeyUses(database, both)).find(({ state }) => state === "missing")?.values, 1);
  assert.notDeepEqual(
    (await database.query("select ciphertext from signing_secrets order by account_id")).rows,
    before.rows,
  );
});
