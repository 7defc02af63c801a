/** `querentd platform` and `querentd doctor`, as an operator runs them. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { runCommand, temporaryFolder } from "../../harness/process.ts";
import { startReplayServer } from "../../harness/replay-server.ts";
import { key } from "./ask-api.ts";

const own = (name: string) => readFileSync(join(import.meta.dirname, "responses", name), "utf8");

function settingsIn(folder: string, text: string): string {
  const path = join(folder, "platforms.yaml");
  writeFileSync(path, text);
  return path;
}

test("`platform test` shows what was sent, what came back and what is made of it, and no key", async () => {
  using folder = temporaryFolder();
  await using server = await startReplayServer({ body: own("perplexity-agent.json"), headers: { "x-echo": key } });
  const environment = {
    QUERENT_CONFIG: settingsIn(folder.path, `platforms: { perplexity: { url: "${server.url}" } }`),
    PERPLEXITY_API_KEY: key,
  };
  const { code, stdout, stderr } = await runCommand(environment, [
    "platform",
    "test",
    "perplexity",
    "Soft water? ".repeat(500),
    "--deep",
  ]);
  assert.equal(code, 0, stderr);
  assert.ok(stdout.includes(`> POST ${server.url}/v1/responses`));
  assert.match(stdout, /^> authorization: \[redacted\]$/m);
  assert.match(stdout, /"preset": "medium"/);
  assert.match(stdout, /^< 200 after \d+ ms$/m);
  assert.match(stdout, /… \d+ more characters/);
  assert.match(stdout, /--- what is made of it/);
  assert.match(stdout, /"title": "Water hardness and taste"/);
  assert.ok(!stdout.includes(key) && !stderr.includes(key));

  const asJson = await runCommand(environment, ["platform", "test", "perplexity", "Soft water?", "--json"]);
  const { steps, outcome, result } = JSON.parse(asJson.stdout) as {
    steps: { sent: { body: string }; end: { body: string } }[];
    outcome: { kind: string; consumption: unknown };
    result: { sources: unknown[] };
  };
  assert.equal(steps[0]?.end.body, own("perplexity-agent.json"));
  assert.deepEqual(outcome, {
    kind: "answered",
    consumption: { inputTokens: 120, outputTokens: 40, searches: 2, cachedTokens: 0, statedUsd: 0.0058 },
  });
  assert.equal(result.sources.length, 3);
});

test("`platform test` shows every upstream that was tried, and ends with 1 when none answered", async () => {
  using folder = temporaryFolder();
  await using away = await startReplayServer({ status: 503, body: "\u001b[2Jaway" });
  const text = `platforms: { mine: { api: openai-compatible, url: "${away.url}/a", model: m, keyVariable: null, fallbacks: [{ url: "${away.url}/b" }] } }`;
  const { code, stdout } = await runCommand({ QUERENT_CONFIG: settingsIn(folder.path, text) }, [
    "platform",
    "test",
    "mine",
    "Why?",
  ]);
  assert.equal(code, 1);
  assert.equal(stdout.match(/^--- openai-compatible at /gm)?.length, 2);
  assert.match(stdout, /"code": "platform_unavailable"/);
  assert.ok(!stdout.includes("\u001b"), "nothing that a terminal would obey");
});

test("`platform test` says what is missing, and what there is", async () => {
  const unkeyed = await runCommand({}, ["platform", "test", "openai", "Why?"]);
  assert.equal(unkeyed.code, 1);
  assert.equal(
    unkeyed.stderr,
    "querentd: openai: No key: add one in the console, or set the environment variable OPENAI_API_KEY.\n",
  );
  const unknown = await runCommand({}, ["platform", "test", "nonesuch", "Why?"]);
  assert.match(unknown.stderr, /^querentd: There is no platform nonesuch\. Known: sample, simulator, openai/);
});

test("`platform models` shows the configured models that the vendor does not list", async () => {
  using folder = temporaryFolder();
  await using server = await startReplayServer({ body: JSON.stringify({ data: [{ id: "m-1" }, { id: "m-2" }] }) });
  const text = `platforms: { mine: { api: openai-compatible, url: "${server.url}", model: m-1, deepModel: gone, keyVariable: null } }`;
  const environment = { QUERENT_CONFIG: settingsIn(folder.path, text) };
  const { code, stdout } = await runCommand(environment, ["platform", "models", "mine"]);
  assert.equal(code, 1);
  assert.match(stdout, /^mine .*m-1, gone +not listed: gone$/m);
  assert.match(stdout, /^m-2$/m);
  const asJson = await runCommand(environment, ["platform", "models", "--json"]);
  const rows = JSON.parse(asJson.stdout) as { platform: string; missing: string[] }[];
  assert.deepEqual(
    rows.map(({ platform, missing }) => [platform, missing]),
    [["mine", ["gone"]]],
  );
  // Those that a question may name are configured as well.
  const more = `platforms: { mine: { api: openai-compatible, url: "${server.url}", model: m-1, models: [m-2, m-0], keyVariable: null } }`;
  const named = await runCommand({ QUERENT_CONFIG: settingsIn(folder.path, more) }, ["platform", "models"]);
  assert.match(named.stdout, /not listed: m-0$/m);
  const unkeyed = await runCommand({}, ["platform", "models", "openai"]);
  assert.match(unkeyed.stdout, /No key: add one in the console, or set the environment variable OPENAI_API_KEY\./);
  assert.equal(unkeyed.code, 1);
});

test("`platform list` tells of each platform where it is asked and what is missing", async () => {
  const { stdout } = await runCommand({ XAI_API_KEY: key }, ["platform", "list"]);
  assert.match(stdout, /^sample +\S.* ready$/m);
  assert.match(stdout, /^xai +xAI Grok +grok-latest +https:\/\/api\.x\.ai\/v1 +ready$/m);
  assert.match(stdout, /^glm .* No key: add one in the console, or set the environment variable ZAI_API_KEY\.$/m);
  const rows = JSON.parse((await runCommand({}, ["platform", "list", "--json"])).stdout) as { code: string }[];
  assert.ok(rows.length >= 15);
});

test("`doctor` says what a wanted platform lacks, and names the others in one line", async () => {
  using folder = temporaryFolder();
  const settings = settingsIn(folder.path, "platforms: { glm: { enabled: false }, openai: { runningMax: 5 } }");
  const environment = { QUERENT_DATA_DIR: folder.path, QUERENT_CONFIG: settings, XAI_API_KEY: key };
  const { stdout } = await runCommand(environment, ["doctor"]);
  assert.match(
    stdout,
    /^missing +platforms +openai, in the file of platforms: No key: .* the environment variable OPENAI_API_KEY\.$/m,
  );
  assert.equal(stdout.match(/^missing +platforms /gm)?.length, 1, stdout);
  assert.match(stdout, /^ok +platforms +not set up, and wanted by nothing: anthropic, gemini, .*openrouter/m);
  assert.match(stdout, /^ok +platforms +xai$/m);
  assert.match(stdout, /^ok +platforms +glm: turned off in /m);
  assert.ok(!stdout.includes(key));
});
