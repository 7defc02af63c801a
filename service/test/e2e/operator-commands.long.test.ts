/** The operator's commands, beside a running service and without one. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runCommand, startServiceProcess, temporaryFolder } from "../harness/process.ts";

test("the operator's commands work beside a running service, and their effect holds at once", async () => {
  using folder = temporaryFolder();
  const environment = { QUERENT_DATA_DIR: folder.path };
  const service = await startServiceProcess(environment);
  const command = async (...words: string[]) => {
    const { code, stdout, stderr } = await runCommand(environment, words);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  assert.match(await command("account", "create", "acme", "--points", "10"), /acme has 10 points/);
  const made = JSON.parse(
    await command("token", "create", "--account", "acme", "--scopes", "usage:read", "--expires", "30d", "--json"),
  ) as {
    token: string;
    tokenId: string;
  };
  const read = async (path: string) =>
    fetch(`${service.address}${path}`, { headers: { authorization: `Bearer ${made.token}` } });
  assert.equal((await read("/v1/tasks")).status, 403);
  await command("points", "grant", "--account", "acme", "5", "--note", "a gift");
  const usage = (await (await read("/v1/usage")).json()) as { account: string; balance: { available: number } };
  assert.deepEqual([usage.account, usage.balance.available], ["acme", 15]);
  assert.ok(!(await command("token", "list", "--json")).includes(made.token), "a token is never shown again");
  await command("token", "revoke", made.tokenId);
  assert.equal((await read("/v1/usage")).status, 401);
  assert.match(await command("doctor"), /^ok +database +PostgreSQL 18/m);

  const refused = await runCommand(environment, ["points", "grant", "--account", "nobody", "5"]);
  assert.equal(refused.code, 1);
  assert.equal(refused.stderr, "querentd: There is no account named nobody. Known: acme, default.\n");
  assert.equal(await service.end("SIGTERM"), 0);
});

test("the operator's commands work without a service too", async () => {
  using folder = temporaryFolder();
  const environment = { QUERENT_DATA_DIR: folder.path };
  assert.equal((await runCommand(environment, ["migrate"])).code, 0);
  const { code, stdout } = await runCommand(environment, ["account", "create", "first", "--json"]);
  assert.equal(code, 0);
  assert.equal((JSON.parse(stdout) as { name: string }).name, "first");
  assert.throws(() => readFileSync(`${folder.path}/postgres/data/postmaster.pid`), { code: "ENOENT" });
});

test("a session of a web platform is imported, listed and removed", async () => {
  using folder = temporaryFolder();
  const environment = {
    QUERENT_DATA_DIR: folder.path,
    QUERENT_CONFIG: join(folder.path, "platforms.yaml"),
  };
  writeFileSync(environment.QUERENT_CONFIG, "platforms: { kimi-web: { recipe: built-in } }");
  const file = join(folder.path, "session.json");
  writeFileSync(file, JSON.stringify({ cookies: [], origins: [] }));
  assert.equal((await runCommand(environment, ["migrate"])).code, 0);
  const session = (...words: string[]) => runCommand(environment, ["session", ...words]);
  assert.match((await session("list")).stdout, /No session is stored/);
  const imported = await session("import", "kimi-web", file, "--name", "second");
  assert.equal(imported.code, 0, imported.stderr);
  const listed = JSON.parse((await session("list", "--json")).stdout) as { name: string; state: string }[];
  assert.deepEqual(
    listed.map(({ name, state }) => [name, state]),
    [["second", "ready"]],
  );
  assert.match((await session("list")).stdout, /kimi-web +second +ready/);
  assert.match((await runCommand(environment, ["doctor"])).stdout, /session kimi-web\/second: ready/);
  for (const [words, why] of [
    [["import", "nowhere", file], /no enabled web platform nowhere/],
    [["import", "kimi-web", file, "--name", "../x"], /session's name/],
    [["import", "kimi-web", environment.QUERENT_CONFIG], /not JSON/],
    [["remove", "kimi-web", "--name", "first"], /no session first/],
  ] as const) {
    const refused = await session(...words);
    assert.equal(refused.code, 1);
    assert.match(refused.stderr, why);
  }
  assert.equal((await session("remove", "kimi-web", "--name", "second")).code, 0);
  assert.match((await session("list")).stdout, /No session is stored/);
});

test("commands see whether a page or its stand-in is asked, by the stored sessions", async () => {
  using folder = temporaryFolder();
  const environment = { QUERENT_DATA_DIR: folder.path };
  const file = join(folder.path, "session.json");
  writeFileSync(file, JSON.stringify({ cookies: [], origins: [] }));
  const command = async (...words: string[]) => {
    const { code, stdout, stderr } = await runCommand(environment, words);
    assert.equal(code, 0, stderr);
    return stdout;
  };
  const platforms = async () => {
    const rows = JSON.parse(await command("platform", "list", "--json")) as {
      code: string;
      standIn: boolean;
      setUp: { command: string } | null;
    }[];
    return ["chatgpt-web", "kimi-web"].map((code) => {
      const row = rows.find((each) => each.code === code);
      return [row?.standIn, row?.setUp?.command ?? null];
    });
  };
  const signIn = (code: string) => `querentd session sign-in ${code}`;
  const before = [
    [true, signIn("chatgpt-web")],
    [false, signIn("kimi-web")],
  ];
  assert.deepEqual(await platforms(), before, "also before there is a database");
  await command("migrate");
  assert.deepEqual(await platforms(), before);
  await command("session", "import", "chatgpt-web", file);
  await command("session", "import", "kimi-web", file);
  assert.deepEqual(await platforms(), [
    [false, null],
    [false, null],
  ]);
  assert.match(await command("doctor"), /^ok +platforms +chatgpt-web$/m);
  await command("session", "remove", "chatgpt-web");
  await command("session", "remove", "kimi-web");
  assert.deepEqual(await platforms(), before);
});
