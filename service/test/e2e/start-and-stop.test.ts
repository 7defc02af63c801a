/** `npm start` as a newcomer sees it: the banner, and what is said if it cannot start. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { createServer, type AddressInfo } from "node:net";
import { test } from "node:test";
import type { LoginState } from "@querent/contract";
import { runCommand, startServiceProcess, temporaryFolder } from "../harness/process.ts";

test("the first start prints the address, the reference, a link for the owner, the token and a curl line; the next start neither token nor link", async () => {
  using folder = temporaryFolder();
  const environment = { QUERENT_DATA_DIR: folder.path };
  const first = await startServiceProcess(environment);
  const token = /(qrt_[A-Za-z0-9_-]{43})/.exec(first.output())?.[1];
  assert.match(first.output(), /^qrt_[A-Za-z0-9_-]{43}$/m, "on a line of its own, to be copied");
  assert.ok(token);
  assert.match(first.output(), /Reference +http:\/\/127\.0\.0\.1:\d+\/docs/);
  assert.match(first.output(), /curl -s http:\/\/127\.0\.0\.1:\d+\/v1\/tasks\/batch/);
  assert.match(first.output(), /^ +Ready: sample, simulator$/m);
  assert.match(first.output(), /^ +Stand-ins: chatgpt-web, gemini-web \(.*until you set them up\)$/m);
  assert.match(first.output(), /^ +openai +OPENAI_API_KEY=YOUR_KEY querentd serve$/m);
  assert.match(first.output(), /^ +gemini-web +querentd session sign-in gemini-web$/m);
  assert.match(first.output(), /^ +CODE +querentd session sign-in CODE\n +for google-ai-mode, .*\bkimi-web\b/m);
  const link = /^ +http:\/\/localhost:\d+\/console\/join#([A-Za-z0-9_-]{43})$/m.exec(first.output())?.[1];
  const joined = await fetch(`${first.address}/v1/links/acceptance`, {
    method: "POST",
    headers: { "content-type": "application/json", "x-querent-login": "1" },
    body: JSON.stringify({ token: link, email: "ada@example.com", name: "Ada", password: "orchid lantern 4711 quay" }),
  });
  assert.equal(joined.status, 201, "the link makes the owner");
  const { role, operator, accountName } = (await joined.json()) as LoginState;
  assert.deepEqual([role, operator, accountName], ["owner", true, "default"]);
  const headers = { authorization: `Bearer ${token}` };
  assert.equal((await fetch(`${first.address}/v1/usage`, { headers })).status, 200);
  assert.equal(await first.end("SIGINT"), 0);

  const second = await startServiceProcess(environment);
  assert.doesNotMatch(second.output(), /qrt_|To set up another one|console\/join|To sign in with a password/);
  assert.equal((await fetch(`${second.address}/v1/usage`, { headers })).status, 200, "the token goes on working");
  assert.equal(await second.end("SIGTERM"), 0);
});

test("a port that is taken is told in one sentence, before anything is created that only this start could show", async () => {
  using folder = temporaryFolder();
  const squatter = createServer().listen(0, "127.0.0.1");
  await new Promise((resolve) => squatter.once("listening", resolve));
  const { port } = squatter.address() as AddressInfo;
  const { code, stderr } = await runCommand(
    { QUERENT_DATA_DIR: folder.path, QUERENT_PORT: String(port), QUERENT_LOG_LEVEL: "silent" },
    ["serve"],
  );
  squatter.close();
  assert.equal(code, 1);
  assert.equal(
    stderr,
    `querentd: Can't listen on 127.0.0.1 port ${port}: something else listens there. Set QUERENT_PORT to another port; 0 picks a free one.\n`,
  );
  assert.deepEqual(readdirSync(folder.path), ["lock"]);
});

test("faults of the environment are told together, each with what to do, and nothing is started", async () => {
  using folder = temporaryFolder();
  const { code, stderr } = await runCommand(
    {
      QUERENT_DATA_DIR: `${folder.path}/data`,
      QUERENT_PRT: "1",
      // Those of the users' command line, which the same shell may hold.
      QUERENT_URL: "http://127.0.0.1:8080",
      QUERENT_TOKEN: "qrt_x",
      QUERENT_PORT: "70000",
      QUERENT_RETENTION_DAYS: "long",
      DATABASE_URL: "mysql://x",
    },
    ["serve"],
  );
  assert.equal(code, 1);
  assert.match(stderr, /QUERENT_PRT is not a variable of this service\. Did you mean QUERENT_PORT\?/);
  assert.doesNotMatch(stderr, /QUERENT_URL|QUERENT_TOKEN/);
  assert.match(stderr, /QUERENT_PORT must be a whole number from 0 to 65535, not "70000"\./);
  assert.match(stderr, /QUERENT_RETENTION_DAYS must be a number/);
  assert.match(stderr, /DATABASE_URL must be an address like postgresql:\/\//);
  assert.throws(() => readFileSync(`${folder.path}/data/lock`), { code: "ENOENT" });
});
