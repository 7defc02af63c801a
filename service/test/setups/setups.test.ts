/** Keys, models and prices that administrators store: what uses them, who sees what of them, and where a key never stands. */
import assert from "node:assert/strict";
import { testDatabase } from "../harness/database.ts";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, beforeEach, suite, test } from "node:test";
import type { PlatformKeyTest, PlatformList, PlatformSetup, PlatformSetupList, Quote } from "@querent/contract";
import { encryptAgain, MasterKey } from "../../src/vault/index.ts";
import { StoredSetups, putKey, sealedKeys, SetupError } from "../../src/setups/index.ts";
import type { SpanOptions, Tracer } from "../../src/kernel/trace.ts";
import { startReplayServer, type ReplayedReply } from "../harness/replay-server.ts";
import { invalidAt, item, refused, startTestService, type TestAccount } from "../harness/service.ts";
import { freePort } from "../harness/free-port.ts";
import { runCommand } from "../harness/process.ts";
import { until } from "../harness/wait.ts";

const server = await startReplayServer();
after(() => server.close());
const folder = mkdtempSync(join(tmpdir(), "querent-setups-"));
after(() => rmSync(folder, { recursive: true, force: true }));
const file = join(folder, "platforms.yaml");
const nobody = await freePort();
writeFileSync(
  file,
  `platforms:
  openai: { url: "${server.url}", breakerAfter: null }
  mistral: { url: "${server.url}", model: "from-file", price: { base: 9 } }
  groq: { url: "http://127.0.0.1:${nobody}" }
  gateway: { api: openai-compatible, url: "${server.url}", model: m, keyVariable: GATEWAY_KEY }
  open: { api: openai-compatible, url: "${server.url}", model: m }
`,
);
const traced: SpanOptions["attributes"][] = [];
const tracer: Tracer = {
  start(name, { attributes }) {
    traced.push({ name, ...attributes });
    return {
      traceParent: "00-0af7651916cd43dd8448eb211c80319c-b7ad6b7169203331-01",
      set: (more) => void traced.push(more),
      end: () => undefined,
    };
  },
  within: (_span, work) => work(),
};
const environment = { QUERENT_CONFIG: file, GATEWAY_KEY: "key-of-the-environment" };
const service = await startTestService({ environment, tracer });
const admin = await service.account();

const former = Buffer.from(service.commandEnvironment["QUERENT_MASTER_KEY"] ?? "", "base64");
const masterKey = new MasterKey(former);
const key = "sk-proj-Zq8v7Wn3Rk5T-Xq7w";
const own = (name: string) => readFileSync(join(import.meta.dirname, "../platforms/api/responses", name), "utf8");
const answer: ReplayedReply = { body: own("openai.json") };
const pathOf = (platform: string) => `/v1/admin/platforms/${platform}`;
const put = (platform: string, body: unknown, by: TestAccount = admin) =>
  by.call<PlatformSetup>("PUT", `${pathOf(platform)}/key`, { body });
const remove = (platform: string) => admin.call<PlatformSetup>("DELETE", `${pathOf(platform)}/key`);
const testOf = async (platform: string) => {
  const reply = await admin.call<PlatformKeyTest>("POST", `${pathOf(platform)}/key/test`);
  assert.equal(reply.status, 200, reply.text);
  return reply.body;
};
const settings = (platform: string, body: unknown) =>
  admin.call<PlatformSetup>("PUT", `${pathOf(platform)}/settings`, { body });
const setupOf = async (platform: string) => {
  const { platforms } = (await admin.get<PlatformSetupList>("/v1/admin/platforms")).body;
  const setup = platforms.find(({ platformCode }) => platformCode === platform);
  assert.ok(setup);
  return setup;
};

beforeEach(() => {
  server.requests.length = 0;
  server.reply = answer;
});

suite("a vendor's key", () => {
  test("that is stored is used by the next task, without a restart, and is gone when it is removed", async () => {
    assert.equal((await admin.post([item("Why?", { platformCode: "openai" })])).status, 422);
    const stored = await put("openai", { key });
    assert.equal(stored.status, 200, stored.text);
    assert.equal(stored.body.missing, null);
    const task = await admin.answerTo("How do I keep beans?", { platformCode: "openai" });
    assert.equal(task.state, "completed");
    assert.equal(server.requests[0]?.headers.authorization, `Bearer ${key}`);
    const replaced = `${key}-2`;
    assert.equal((await put("openai", { key: replaced })).body.key?.ending, "7w-2");
    await admin.answerTo("And ground ones?", { platformCode: "openai" });
    assert.equal(server.requests.at(-1)?.headers.authorization, `Bearer ${replaced}`);
    const removed = await remove("openai");
    assert.equal(removed.status, 200, removed.text);
    assert.equal(removed.body.key?.from, null);
    assert.equal((await admin.post([item("Why?", { platformCode: "openai" })])).status, 422);
    refused(await remove("openai"), "not_found");
  });

  test("is shown by its last four characters and its time, and a short one by its time alone", async () => {
    const begun = Date.now();
    await put("openai", { key });
    const { key: shown } = await setupOf("openai");
    assert.ok(shown);
    const { storedAt, ...rest } = shown;
    assert.deepEqual(rest, {
      variable: "OPENAI_API_KEY",
      from: "stored",
      ending: "Xq7w",
      readable: true,
      // The address is not the vendor's, so its page has no key for it.
      page: null,
    });
    assert.ok(Math.abs(Date.parse(storedAt ?? "") - begun) < 60_000);
    assert.equal((await setupOf("anthropic")).key?.page, "https://platform.claude.com/settings/keys");
    await put("openai", { key: "fifteen-letters" });
    assert.equal((await setupOf("openai")).key?.ending, null);
    await remove("openai");
  });

  test("stands in clear text in no reply, log line, trace or row of the database", async () => {
    const seen: string[] = [];
    server.reply = ({ headers }) => ({
      status: 401,
      // As some gateways do.
      body: JSON.stringify({
        error: { message: `wrong key ${String(headers.authorization)}`, code: "invalid_api_key" },
      }),
    });
    seen.push((await put("openai", { key })).text);
    seen.push(JSON.stringify(await testOf("openai")));
    seen.push(JSON.stringify(await admin.answerTo("Why?", { platformCode: "openai" })));
    for (const path of [
      "/v1/admin/platforms",
      "/v1/platforms",
      "/v1/admin/engine",
      "/v1/tasks",
      "/v1/events",
      "/metrics",
    ])
      seen.push((await admin.get(path)).text);
    seen.push(JSON.stringify(service.events), JSON.stringify(traced));
    const { rows: tables } = await service.database.query<{ name: string }>(
      "select quote_ident(tablename) as name from pg_tables where schemaname = 'public'",
    );
    for (const { name } of tables) {
      const { rows } = await service.database.query<{ row: string }>(`select t::text as row from ${name} t`);
      seen.push(...rows.map(({ row }) => row));
    }
    assert.ok(tables.length > 30 && traced.length > 3);
    const forms = [key, Buffer.from(key).toString("hex"), Buffer.from(key).toString("base64").replace(/=+$/u, "")];
    for (const text of seen) for (const form of forms) assert.ok(!text.includes(form), text.slice(0, 500));
    assert.ok(
      service.events.some((event) => event.event === "platform.key_stored" && event.variable === "OPENAI_API_KEY"),
      "who stored it is logged",
    );
    await remove("openai");
  });

  test("is asked for by nobody but administrators of the installation, whatever else a token may do", async () => {
    const other = await service.account({
      scopes: ["tasks:write", "tasks:read", "webhook:manage", "usage:read", "access:manage", "members:manage"],
    });
    await put("openai", { key });
    for (const [method, path, body] of [
      ["GET", "/v1/admin/platforms"],
      ["PUT", `${pathOf("openai")}/key`, { key: "x" }],
      ["DELETE", `${pathOf("openai")}/key`],
      ["POST", `${pathOf("openai")}/key/test`],
      ["PUT", `${pathOf("openai")}/settings`, { model: "x" }],
    ] as const)
      refused(await other.call(method, path, body === undefined ? {} : { body }), "scope_missing");
    const listed = await other.get<PlatformList>("/v1/platforms");
    assert.equal(listed.body.platforms.find(({ platformCode }) => platformCode === "openai")?.configured, true);
    assert.ok(!listed.text.includes("Xq7w"), "not even its ending");
    await remove("openai");
  });

  test("that is no key is refused, without repeating it", async () => {
    const secret = "very-secret";
    for (const bad of [
      `${secret}\r\nx-admin: 1`,
      `${secret} ${secret}`,
      ` ${secret}`,
      `${secret}ü`,
      secret.repeat(200),
    ]) {
      const reply = await put("openai", { key: bad });
      refused(reply, "validation_failed");
      assert.ok(!reply.text.includes(secret), reply.text);
    }
    invalidAt(await put("openai", { key: "" }), { "/key": "too_short" });
    invalidAt(await put("openai", { key: 7 }), { "/key": "wrong_type" });
    invalidAt(await put("openai", { key, url: "https://elsewhere.example" }), { "/url": "unknown_field" });
    for (const platform of ["nowhere", "..%2F..%2Fengine", "%00", "sample", "open", "kimi-web"])
      assert.ok([404, 422].includes((await put(platform, { key })).status), platform);
    const { rows } = await service.database.query("select from platform_keys");
    assert.equal(rows.length, 0);
  });

  test("of the environment takes precedence, and the reply says so", async () => {
    assert.equal((await setupOf("gateway")).key?.from, "environment");
    const problem = refused(await put("gateway", { key }), "state_conflict");
    assert.match(problem.detail ?? "", /GATEWAY_KEY, which takes precedence/);
    await putKey(service.database, masterKey, { variable: "GATEWAY_KEY", key });
    server.reply = { body: JSON.stringify({ model: "m-1", choices: [{ message: { content: "Yes." } }] }) };
    await admin.answerTo("Why?", { platformCode: "gateway" });
    assert.equal(server.requests[0]?.headers.authorization, "Bearer key-of-the-environment");
    const { key: shown } = await setupOf("gateway");
    assert.deepEqual([shown?.from, shown?.storedAt === null], ["environment", false]);
    assert.equal((await remove("gateway")).body.key?.storedAt, null);
  });

  test("is encrypted again when the master key is replaced, and bound to its variable", async () => {
    // Not that of the service, which would see it in between.
    const { database } = await testDatabase();
    await putKey(database, masterKey, { variable: "OPENAI_API_KEY", key });
    const both = new MasterKey(Buffer.alloc(32, 7), former);
    assert.deepEqual(await encryptAgain(database, both, sealedKeys), { changed: 1, unreadable: 0 });
    assert.deepEqual(await encryptAgain(database, masterKey, sealedKeys), {
      changed: 0,
      unreadable: 1,
    });
    assert.deepEqual(await encryptAgain(database, new MasterKey(former, Buffer.alloc(32, 7)), sealedKeys), {
      changed: 1,
      unreadable: 0,
    });
    await database.query("update platform_keys set variable = 'MISTRAL_API_KEY'");
    const { rows } = await database.query<{ sealed: Buffer }>("select sealed from platform_keys");
    assert.throws(() => masterKey.open(rows[0]?.sealed ?? Buffer.alloc(0), "platform key MISTRAL_API_KEY"));
  });
});

test("a key that the master key can't decrypt is told, and the others go on", async () => {
  const { database } = await testDatabase();
  const faults: unknown[] = [];
  await putKey(database, masterKey, { variable: "OPENAI_API_KEY", key });
  await putKey(database, new MasterKey(Buffer.alloc(32, 9)), { variable: "XAI_API_KEY", key });
  const setups = new StoredSetups({
    database,
    masterKey,
    onFault: (error) => faults.push(error),
  });
  await setups.refresh();
  await setups.refresh();
  assert.equal(faults.length, 1, "once");
  assert.deepEqual([setups.keyFor("OPENAI_API_KEY"), setups.keyFor("XAI_API_KEY")], [key, undefined]);
  assert.equal(setups.about("XAI_API_KEY")?.readable, false);
  await assert.rejects(putKey(database, masterKey, { variable: "XAI_API_KEY", key: "a b" }), SetupError);
});

test("a command stores a key from its standard input, which the running service uses, and removes it", async () => {
  const command = (words: readonly string[], input?: string) =>
    runCommand({ ...service.commandEnvironment, QUERENT_CONFIG: file }, ["platform", ...words], input);
  const stored = await command(["key", "set", "openai"], `${key}\n`);
  assert.deepEqual([stored.code, stored.stdout.includes(key)], [0, false], stored.stderr);
  await until("the service to have it", async () => {
    const { body } = await admin.get<PlatformList>("/v1/platforms");
    return body.platforms.some(({ platformCode, configured }) => platformCode === "openai" && configured);
  });
  const listed = await command(["list"]);
  assert.match(listed.stdout, /^openai .* ready$/m);
  assert.equal((await command(["key", "remove", "openai"])).code, 0);
  const { rows } = await service.database.query("select from platform_keys");
  assert.equal(rows.length, 0);
  const bad = await command(["key", "set", "openai"], "very secret");
  assert.deepEqual([bad.code, bad.stderr.includes("very secret")], [1, false], bad.stderr);
  assert.match((await command(["key", "set", "sample"], key)).stderr, /no platform sample with a model API/);
  assert.match((await command(["key", "remove", "openai"])).stderr, /No key is stored/);
});

suite("a test of a key", () => {
  const error = (status: number, code: string): ReplayedReply => ({
    status,
    body: JSON.stringify({ error: { message: "no", type: code, code } }),
  });
  const cases: [string, ReplayedReply, PlatformKeyTest["result"], RegExp][] = [
    ["an answer", answer, "answered", /answered/],
    ["a wrong key", error(401, "invalid_api_key"), "key_refused", /does not accept the operator's key/],
    ["an account without credit", error(429, "insufficient_quota"), "no_credit", /no credit or quota left/],
    ["an unknown model", error(404, "model_not_found"), "unknown_model", /does not have the model/],
    ["a limit of requests", error(429, "rate_limit_exceeded"), "rate_limited", /limits requests/],
    ["a fault of the vendor", error(500, "server_error"), "vendor_fault", /fault of its own/],
    ["a page instead of an answer", { body: "<html>" }, "vendor_fault", /./],
  ];
  for (const [what, reply, result, words] of cases)
    test(`says in a word and in a sentence that ${what} came back`, async () => {
      await put("openai", { key });
      server.reply = reply;
      const tested = await testOf("openai");
      assert.equal(tested.result, result, JSON.stringify(tested));
      assert.match(tested.detail, words);
      assert.equal(server.requests.length, 1, "one question");
      assert.equal(server.requests[0]?.headers.authorization, `Bearer ${key}`);
      await remove("openai");
    });

  test("says that there is no connection", async () => {
    await put("groq", { key });
    const tested = await testOf("groq");
    assert.equal(tested.result, "unreachable", JSON.stringify(tested));
    assert.match(tested.detail, /can't be reached/);
    await remove("groq");
  });

  test("costs no points, stores no task, and is refused without a key and while another one runs", async () => {
    refused(await admin.call("POST", `${pathOf("openai")}/key/test`), "state_conflict");
    await put("openai", { key });
    const before = await service.counts();
    const asked = Promise.withResolvers<void>();
    const go = Promise.withResolvers<void>();
    server.reply = (_request, _index, response) => {
      asked.resolve();
      void go.promise.then(() => response.writeHead(200, { "content-type": "application/json" }).end(answer.body));
      return undefined;
    };
    const first = testOf("openai");
    await asked.promise;
    refused(await admin.call("POST", `${pathOf("openai")}/key/test`), "state_conflict");
    go.resolve();
    assert.equal((await first).result, "answered");
    assert.deepEqual(await service.counts(), before);
    await remove("openai");
  });
});

suite("model and prices", () => {
  const quote = async (platformCode: string) =>
    (await admin.call<Quote>("POST", "/v1/tasks/quote", { body: [item("Why?", { platformCode })] })).body
      .estimatedPoints;

  test("that are set hold for the next task, and what is left out is as built in again", async () => {
    await put("openai", { key });
    const { model: builtIn } = await setupOf("openai");
    assert.equal(builtIn?.from, "built_in");
    const price = { base: 11 };
    const set = await settings("openai", { model: "my-model", price });
    assert.equal(set.status, 200, set.text);
    assert.deepEqual(set.body.model, { value: "my-model", from: "stored" });
    assert.deepEqual(set.body.price.base, { value: 11, from: "stored" });
    assert.deepEqual(set.body.price.deepAnalysis, { value: 15, from: "built_in" });
    assert.equal(await quote("openai"), 11);
    assert.equal((await admin.answerTo("Why?", { platformCode: "openai" })).chargedPoints, 11);
    assert.match(server.requests[0]?.text ?? "", /"model":"my-model"/);
    const back = await settings("openai", { model: null });
    assert.deepEqual([back.body.model, back.body.price.base.from], [builtIn, "built_in"]);
    assert.equal(await quote("openai"), 5);
    await remove("openai");
  });

  test("that the file sets stay, and the reply says what it sets", async () => {
    const { model, price } = await setupOf("mistral");
    assert.deepEqual(model, { value: "from-file", from: "file" });
    assert.deepEqual([price.base.from, price.deepAnalysis.from], ["file", "built_in"]);
    const problem = refused(
      await settings("mistral", { model: "x", price: { base: 1, deepAnalysis: 2 } }),
      "state_conflict",
    );
    assert.match(problem.detail ?? "", /sets `model`, `price.base`, and takes precedence/);
    assert.equal((await settings("mistral", { price: { deepAnalysis: 2 } })).body.price.deepAnalysis.value, 2);
    assert.equal((await setupOf("mistral")).price.base.value, 9);
    await settings("mistral", {});
  });

  test("are checked: no negative points, no model for a platform without one, nothing unknown", async () => {
    invalidAt(await settings("openai", { price: { base: -1 } }), { "/price/base": "out_of_range" });
    invalidAt(await settings("openai", { price: { base: 1.5 } }), { "/price/base": "wrong_type" });
    invalidAt(await settings("openai", { url: "https://elsewhere.example" }), { "/url": "unknown_field" });
    invalidAt(await settings("openai", { model: "" }), { "/model": "too_short" });
    refused(await settings("sample", { model: "x" }), "state_conflict");
    assert.equal((await settings("sample", { price: { base: 4 } })).body.price.base.value, 4);
    assert.equal(await quote("sample"), 4);
    await settings("sample", { price: null });
    refused(await settings("nowhere", {}), "not_found");
  });
});

test("another process takes up a key and a price within seconds, and gives them up", async () => {
  const { DATABASE_URL: url = "", QUERENT_MASTER_KEY: text = "" } = service.commandEnvironment;
  const second = await startTestService({ environment, on: { url, masterKey: Buffer.from(text, "base64") } });
  const there = second.as(admin.accountId, admin.token);
  const ofOpenai = async () =>
    (await there.get<PlatformList>("/v1/platforms")).body.platforms.find(
      ({ platformCode }) => platformCode === "openai",
    );
  assert.equal((await ofOpenai())?.configured, false);
  await put("openai", { key });
  await settings("openai", { price: { base: 13 } });
  await until("the other process to have them", async () => {
    const platform = await ofOpenai();
    return platform?.configured === true && platform.price.base === 13;
  });
  await remove("openai");
  await settings("openai", {});
  await until("the other process to have them no more", async () => {
    const platform = await ofOpenai();
    return platform?.configured === false && platform.price.base === 5;
  });
  await second.stop();
});
