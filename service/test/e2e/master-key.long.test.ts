import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { MasterKey } from "../../src/vault/index.ts";
import { testDatabase } from "../harness/database.ts";
import { runCommand, startServiceProcess, temporaryFolder } from "../harness/process.ts";

const [former, next, other] = [randomBytes(32), randomBytes(32), randomBytes(32)];

test("an operator replaces the master key, and one who has lost it starts anew", async () => {
  using folder = temporaryFolder();
  const { url } = await testDatabase();
  const on = (...keys: readonly Buffer[]) => ({
    DATABASE_URL: url,
    QUERENT_DATA_DIR: folder.path,
    QUERENT_MASTER_KEY: keys.map((key) => key.toString("base64")).join(","),
  });
  const service = await startServiceProcess(on(former));
  assert.equal(await service.end("SIGTERM"), 0);
  const list = await runCommand(on(former, next), ["master-key", "list"]);
  assert.match(list.stdout, new RegExp(`${new MasterKey(former).ids[0]} +current +signing secrets +1\n`));
  assert.match(list.stdout, new RegExp(`${new MasterKey(next).ids[0]} +accepted +nothing`));
  const done = await runCommand(on(next, former), ["master-key", "re-encrypt"]);
  assert.equal(done.code, 0, done.stderr);
  assert.match(done.stdout, /signing secrets: 1 .*\n.*evidence keys: 1 .*\n.*addresses: 1 /);
  const renewed = await startServiceProcess(on(next));
  assert.equal(await renewed.end("SIGTERM"), 0);
  const refused = await runCommand(on(former), ["serve"]);
  assert.equal(refused.code, 1);
  assert.match(refused.stderr, /the one it was encrypted with, [0-9a-f]{8}; this process has [0-9a-f]{8}\./);

  const lost = await runCommand(on(other), ["master-key", "abandon"]);
  assert.match(
    lost.stdout,
    /^1 account needs a new signing secret.*\n.*is replaced.*\n.*stop working.*\nSessions of web platforms are not affected\.\n.*\nNothing was changed/,
  );
  assert.equal((await runCommand(on(other), ["serve"])).code, 1);
  assert.match((await runCommand(on(other), ["master-key", "abandon", "--yes"])).stdout, /Done\./);
  const last = await startServiceProcess(on(other));
  assert.equal(await last.end("SIGTERM"), 0);
});
