import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { describeChanges, describeConfig, readConfig } from "../../src/app/config.ts";
import { variables } from "../../src/app/config/variables.ts";
import { createPlatforms } from "../../src/app/platforms.ts";
import { readPlatformSettings } from "../../src/app/platform-settings.ts";
import { temporaryFolder } from "../harness/process.ts";

test("an access token that could be guessed is refused, with the command that makes a good one", () => {
  assert.throws(
    () => readConfig({ QUERENT_ACCESS_TOKEN: "x".repeat(21) }),
    /22 to 512 characters.*openssl rand -hex 32/,
  );
  const good = "0f3kQw-9ZbT_x2VnR7pLcA";
  assert.equal(readConfig({ QUERENT_ACCESS_TOKEN: good }).accessToken, good);
  assert.equal(readConfig({ QUERENT_ACCESS_TOKEN: `qrt_${good}` }).accessToken, `qrt_${good}`);
});

test("an access token that begins as secrets of another kind do, and would never be found, is refused", () => {
  for (const [prefix, kind] of [
    ["qrc_", /begins with `qrc_`, which is kept for tokens of connected assistants.*openssl rand -hex 32/],
    ["whsec_", /begins with `whsec_`, which is kept for signing secrets of webhooks/],
  ] as const)
    assert.throws(() => readConfig({ QUERENT_ACCESS_TOKEN: `${prefix}0f3kQw-9ZbT_x2VnR7pLcA` }), kind);
});

test("a process with one role opens fewer connections by default", () => {
  const connections = (roles: readonly string[], environment = {}) =>
    readConfig(environment, roles).databaseConnections;
  assert.deepEqual(
    [["api"], ["worker"], ["notifier"], ["api", "worker"], []].map((roles) => connections(roles)),
    [12, 16, 10, 20, 20],
  );
  assert.equal(connections(["api"], { QUERENT_DATABASE_CONNECTIONS: "33" }), 33);
});

test("every secret can come from a file, without its newline, and is never printed", () => {
  using folder = temporaryFolder();
  const values: Readonly<Record<string, string>> = {
    DATABASE_URL: "postgresql://x:hidden@a/b",
    QUERENT_DATABASE_DIRECT_URL: "postgresql://x:hidden@c/d",
    QUERENT_DATABASE_READ_URL: "postgresql://x:hidden@e/f",
    QUERENT_ACCESS_TOKEN: "hidden-0f3kQw9ZbTx2VnR7pLcA",
    QUERENT_BROWSER_ENDPOINTS: "wss://a/hidden",
    QUERENT_SMTP_URL: "smtps://x:hidden@mail.example.com",
    QUERENT_COUNTRY_PROXIES: "DE=http://x:hidden@a:8080",
  };
  const secrets = Object.entries(variables).filter(([, definition]) => "secret" in definition);
  assert.ok(secrets.length >= 7);
  const environment = Object.fromEntries(
    secrets.map(([, { name }]) => {
      const path = join(folder.path, name);
      writeFileSync(path, `${values[name] ?? "hidden"}\n`);
      return [`${name}_FILE`, path];
    }),
  );
  const config = readConfig(environment);
  assert.equal(config.countryProxies.get("DE")?.hostname, "a");
  assert.equal(config.smtpUrl?.host, "mail.example.com");
  const read = new Set(["countryProxies", "smtpUrl"]);
  for (const [key, { name }] of secrets.filter(([key]) => !read.has(key)))
    assert.deepEqual([config[key as keyof typeof config]].flat(), [values[name] ?? "hidden"], name);
  const described = describeConfig(config);
  assert.doesNotMatch(JSON.stringify(described), /hidden/);
  assert.equal(described.filter(({ value }) => value === "set (not shown)").length, secrets.length);
});

test("the changed settings are those that differ from their defaults, and the data folder", () => {
  const changes = (environment: Record<string, string>, roles: string[] = []) =>
    Object.fromEntries(describeChanges(readConfig(environment, roles), roles).map(({ name, value }) => [name, value]));
  const folder = { QUERENT_DATA_DIR: join(process.cwd(), "data") };
  assert.deepEqual(changes({}), folder);
  // Its number of connections is a default, although another one.
  assert.deepEqual(changes({}, ["api"]), folder);
  assert.deepEqual(changes({ QUERENT_PORT: "8080", QUERENT_MCP: "ask", QUERENT_DATA_DIR: "/srv/querent" }), {
    QUERENT_DATA_DIR: "/srv/querent",
    QUERENT_MCP: "ask",
  });
  assert.deepEqual(changes({ DATABASE_URL: "postgresql://a:hidden@b/c", QUERENT_EGRESS_ALLOW: "127.0.0.0/8" }), {
    ...folder,
    DATABASE_URL: "set (not shown)",
    QUERENT_EGRESS_ALLOW: "127.0.0.0/8",
  });
});

test("a secret's file that can't be used is an error that names the variable and the path, and never the content", () => {
  using folder = temporaryFolder();
  const file = (name: string, content: string) => {
    const path = join(folder.path, name);
    writeFileSync(path, content);
    return path;
  };
  const mistakes: [environment: Record<string, string>, says: RegExp][] = [
    [
      { QUERENT_MASTER_KEY: "hidden", QUERENT_MASTER_KEY_FILE: "/x" },
      /^QUERENT_MASTER_KEY and QUERENT_MASTER_KEY_FILE are both set\. Keep one/,
    ],
    [
      { DATABASE_URL_FILE: "/nowhere/url" },
      /^DATABASE_URL_FILE names a file that cannot be read: \/nowhere\/url \(ENOENT\)\./,
    ],
    [{ DATABASE_URL_FILE: folder.path }, /^DATABASE_URL_FILE names a file that cannot be read: .*\(EISDIR\)/],
    [{ DATABASE_URL_FILE: "/dev/zero" }, /^DATABASE_URL_FILE names a file with more than 64 KiB/],
    [{ DATABASE_URL_FILE: file("empty", "\n") }, /^DATABASE_URL_FILE names a file that is empty/],
    [{ DATABASE_URL_FILE: file("wrong", "hidden") }, /^DATABASE_URL must be an address like/],
    [{ QUERENT_PORT_FILE: "/x" }, /^QUERENT_PORT_FILE is not a variable of this service/],
    [
      { QUERENT_DATABASE_DIRECT_URL_FILE: file("url", "postgresql://a/b") },
      /^QUERENT_DATABASE_DIRECT_URL needs DATABASE_URL beside it/,
    ],
  ];
  for (const [environment, says] of mistakes) {
    assert.throws(
      () => readConfig(environment),
      ({ message }: Error) => says.test(message) && !message.includes("hidden"),
      JSON.stringify(environment),
    );
  }
});

test("the key of a model API can come from a file", async () => {
  using folder = temporaryFolder();
  const path = join(folder.path, "key");
  writeFileSync(path, "a-key\n");
  const settings = new Map([...readPlatformSettings(null)].filter(([code]) => code === "openai"));
  const missing = async (environment: Record<string, string>) => {
    const [platform] = await createPlatforms({
      config: readConfig({}),
      settings,
      environment,
      browsers: { withContext: () => Promise.reject(new Error("no browser")) },
      noBrowser: null,
      onSampleProblem: () => undefined,
    });
    return platform?.missing ?? null;
  };
  assert.match((await missing({})) ?? "", /OPENAI_API_KEY/);
  assert.equal(await missing({ OPENAI_API_KEY_FILE: path }), null);
  await assert.rejects(missing({ OPENAI_API_KEY_FILE: "/nowhere" }), /^ConfigError: OPENAI_API_KEY_FILE names a file/);
});

test("stand-ins answer in a service that somebody tries out, and not in one with a database server unless they are turned on", () => {
  const server = { DATABASE_URL: "postgresql://host/database" };
  assert.equal(readConfig({}).standIns, "on");
  assert.equal(readConfig({ QUERENT_STAND_INS: "off" }).standIns, "off");
  assert.equal(readConfig(server).standIns, "off");
  assert.equal(readConfig({ ...server, QUERENT_STAND_INS: "on" }).standIns, "on");
  for (const value of ["yes", "true", "1", "ON"])
    assert.throws(() => readConfig({ QUERENT_STAND_INS: value }), /QUERENT_STAND_INS must be one of on, off/);
});
