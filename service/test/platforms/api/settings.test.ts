/** The file of platforms: what it may say, what it is told when it says something else, and what comes of it. */
import assert from "node:assert/strict";
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, describe, test } from "node:test";
import { Ajv2020 } from "ajv/dist/2020.js";
import { parse } from "yaml";
import { createBrowserPool } from "../../../src/app/browsers.ts";
import { ConfigError, readConfig } from "../../../src/app/config.ts";
import { readPlatformSettings } from "../../../src/app/platform-settings.ts";
import { PlatformsFile } from "../../../src/app/platforms-file.ts";
import { createPlatforms } from "../../../src/app/platforms.ts";
import { bundledRecipes } from "../../../src/platforms/index.ts";
import { startReplayServer } from "../../harness/replay-server.ts";
import { ask, key } from "./ask-api.ts";

const root = join(import.meta.dirname, "../../../..");
const folder = mkdtempSync(join(tmpdir(), "querent-test-"));
after(() => rmSync(folder, { recursive: true, force: true }));

function file(text: string): string {
  const path = join(folder, "platforms.yaml");
  writeFileSync(path, text);
  return path;
}

function refused(text: string): string {
  try {
    readPlatformSettings(file(text));
  } catch (error) {
    assert.ok(error instanceof ConfigError);
    return error.message;
  }
  return assert.fail("the file was taken");
}

async function platformsOf(path: string | null, environment: Record<string, string> = {}) {
  const settings = readPlatformSettings(path);
  const config = readConfig({});
  const browsers = createBrowserPool(config, { onEvent: () => {} });
  const platforms = await createPlatforms({
    config,
    settings,
    environment,
    browsers,
    noBrowser: null,
    onSampleProblem: () => {},
  });
  return new Map(platforms.map((platform) => [platform.code, platform]));
}

describe("the file of platforms", () => {
  test("without one, every platform is there, and those that need a key say which", async () => {
    const platforms = await platformsOf(null, { XAI_API_KEY: key });
    const all = Object.fromEntries([...platforms].map(([code, platform]) => [code, platform.missing]));
    const isPage = (code: string) => bundledRecipes.includes(code);
    for (const code of bundledRecipes) assert.match(String(all[code]), /recipe: built-in/);
    const missing = Object.fromEntries(Object.entries(all).filter(([code]) => !isPage(code)));
    const needs = (name: string) => `No key: add one in the console, or set the environment variable ${name}.`;
    assert.deepEqual(missing, {
      sample: null,
      simulator: null,
      openai: needs("OPENAI_API_KEY"),
      anthropic: needs("ANTHROPIC_API_KEY"),
      gemini: needs("GEMINI_API_KEY"),
      perplexity: needs("PERPLEXITY_API_KEY"),
      xai: null,
      mistral: needs("MISTRAL_API_KEY"),
      groq: needs("GROQ_API_KEY"),
      deepseek: needs("DEEPSEEK_API_KEY"),
      qwen: needs("DASHSCOPE_API_KEY"),
      kimi: needs("MOONSHOT_API_KEY"),
      glm: needs("ZAI_API_KEY"),
      doubao: needs("ARK_API_KEY"),
      openrouter: needs("OPENROUTER_API_KEY"),
    });
  });

  test("the example is a file of platforms, by the service and by the published schema", async () => {
    const path = join(root, "examples/platforms.yaml");
    const settings = readPlatformSettings(path);
    assert.equal(settings.get("openai")?.price.deepAnalysis, 40);
    assert.deepEqual(
      settings.get("anthropic")?.api?.upstreams.map(({ api, model, url }) => [api, model, url]),
      [
        ["anthropic", "claude-sonnet-5-5", "https://api.anthropic.com/v1"],
        ["openrouter", "anthropic/claude-sonnet-5.5", "https://openrouter.ai/api/v1"],
      ],
    );
    assert.equal(settings.has("doubao"), false);
    const published = JSON.parse(readFileSync(join(root, "docs/reference/platforms.schema.json"), "utf8")) as object;
    const validate = new Ajv2020({ strict: false }).compile(published);
    assert.ok(validate(parse(readFileSync(path, "utf8"))), JSON.stringify(validate.errors));
    assert.deepEqual(
      JSON.parse(JSON.stringify(PlatformsFile.properties)),
      (published as { properties: object }).properties,
    );
    const platforms = await platformsOf(path);
    assert.equal(platforms.get("local")?.missing, null);
    assert.equal(
      platforms.get("gateway")?.missing,
      "No key: add one in the console, or set the environment variable GATEWAY_KEY.",
    );
    assert.deepEqual(platforms.get("gateway")?.returns, {
      sources: true,
      products: false,
      videos: false,
      media: false,
      reasoningProcess: true,
      searchProcess: false,
      pageHtml: false,
    });
  });

  test("a platform of the operator's own is there by configuration alone, any number of them", async () => {
    await using server = await startReplayServer({
      body: JSON.stringify({ model: "m", choices: [{ message: { content: "Yes." } }] }),
    });
    const entry = (code: string, path: string) =>
      `  ${code}: { api: openai-compatible, url: "${server.url}${path}/", model: ${code}-model, keyVariable: null }\n`;
    const platforms = await platformsOf(file(`platforms:\n${entry("one", "/a")}${entry("two", "/b")}`));
    for (const [code, path] of [
      ["one", "/a/chat/completions"],
      ["two", "/b/chat/completions"],
    ] as const) {
      const platform = platforms.get(code) ?? assert.fail();
      const outcome = await ask(platform);
      assert.ok(outcome.kind === "answered");
      assert.equal(outcome.answer.endpoint, `${server.url}${path.slice(0, 2)}`);
      assert.equal(server.requests.at(-1)?.path, path);
      assert.equal(((server.requests.at(-1) ?? assert.fail()).body as { model: string }).model, `${code}-model`);
    }
  });

  test("what is wrong in it is told, with its place, and the service does not start", () => {
    const cases: readonly (readonly [string, RegExp])[] = [
      [
        "platforms: { nonesuch: { price: { base: 1 } } }",
        /there is no platform nonesuch\. Known: sample, simulator, openai/,
      ],
      [
        "platforms: { mine: { api: openai-compatible } }",
        /mine speaks an API that anybody may offer: it needs `url` and `model`/,
      ],
      ["platforms: { openai: { url: 'ftp://x' } }", /\/platforms\/openai\/url/],
      ["platforms: { openai: { url: 'https://user:pass@x.example' } }", /\/platforms\/openai\/url/],
      ["platforms: { openai: { url: 'https://x.example/?key=1' } }", /\/platforms\/openai\/url/],
      ["platforms: { openai: { keyVariable: QUERENT_ACCESS_TOKEN } }", /\/platforms\/openai\/keyVariable/],
      [
        "platforms: { openai: { thinking: { deep: hardest } } }",
        /\/platforms\/openai\/thinking\/deep: Allowed: "default"/,
      ],
      ["platforms: { openai: { modell: x } }", /Did you mean `model`\?/],
      ["platforms: { openai: { fallbacks: [{ price: 1 }] } }", /fallbacks\/0/],
      ["platforms: { sample: { model: x } }", /sample answers by itself/],
      ["platforms: { x: { api: nonesuch } }", /\/platforms\/x\/api: Allowed: "openai"/],
      ["platforms: { openai: { apiKey: sk-1 } }", /There is no member `apiKey` here/],
    ];
    for (const [text, message] of cases) assert.match(refused(text), message, text);
  });

  test("every fault is told at once", () => {
    const said = refused("platforms: { a: { price: { base: 1 } }, b: { api: openai-compatible } }");
    assert.match(said, /no platform a/);
    assert.match(said, /b speaks an API/);
  });
});

describe("fallbacks", () => {
  test("are asked in order when the one before is down, and provenance says which answered", async () => {
    await using down = await startReplayServer({ status: 503, body: "away" });
    await using broke = await startReplayServer({ status: 429, body: '{"error":{"code":"insufficient_quota"}}' });
    await using up = await startReplayServer({ body: JSON.stringify({ choices: [{ message: { content: "Yes." } }] }) });
    const entry = `{ api: openai-compatible, url: "${down.url}", model: m, keyVariable: null, fallbacks: [{ api: openai, url: "${broke.url}" }, { url: "${up.url}", model: n }] }`;
    const platforms = await platformsOf(file(`platforms: { mine: ${entry} }`), { OPENAI_API_KEY: key });
    const outcome = await ask(platforms.get("mine") ?? assert.fail());
    assert.ok(outcome.kind === "answered");
    assert.equal(outcome.answer.endpoint, up.url);
    assert.deepEqual(
      [down, broke, up].map(({ requests }) => requests.length),
      [1, 1, 1],
    );
    assert.ok(
      up.requests.every(({ headers }) => !JSON.stringify(headers).includes(key)),
      "a key goes to its own upstream only",
    );
    // Read again, it is known where it came from.
    const again = platforms
      .get("mine")
      ?.reread?.(
        outcome.raw ?? assert.fail(),
        { taskId: "", text: "", options: { deepAnalysis: false, output: "answer", resultFormat: "json" }, attempt: 1 },
        outcome.answer.observedAt,
      );
    assert.deepEqual(again, outcome);
  });

  test("are not asked after a refusal, and are left out without their key", async () => {
    await using refusing = await startReplayServer({
      body: JSON.stringify({ choices: [{ finish_reason: "content_filter", message: { content: "" } }] }),
    });
    await using other = await startReplayServer();
    const entry = `{ api: openai-compatible, url: "${refusing.url}", model: m, keyVariable: null, fallbacks: [{ url: "${other.url}" }] }`;
    const platforms = await platformsOf(file(`platforms: { mine: ${entry} }`));
    const outcome = await ask(platforms.get("mine") ?? assert.fail());
    assert.ok(outcome.kind === "permanent" && outcome.code === "platform_refused");
    assert.equal(other.requests.length, 0);

    await using away = await startReplayServer({ status: 500, body: "" });
    const unkeyed = `{ api: openai-compatible, url: "${away.url}", model: m, keyVariable: null, fallbacks: [{ api: openai, url: "${other.url}" }] }`;
    const second = await ask((await platformsOf(file(`platforms: { mine: ${unkeyed} }`))).get("mine") ?? assert.fail());
    assert.ok(second.kind === "retryable" && second.code === "platform_unavailable");
    assert.equal(other.requests.length, 0);
  });

  test("when all fail, the failure that may pass is told before one that will not", async () => {
    await using barred = await startReplayServer({ status: 401, body: "{}" });
    await using busy = await startReplayServer({ status: 429, headers: { "retry-after": "7" }, body: "{}" });
    const entry = `{ api: openai-compatible, url: "${barred.url}", model: m, keyVariable: null, fallbacks: [{ url: "${busy.url}" }] }`;
    const outcome = await ask((await platformsOf(file(`platforms: { mine: ${entry} }`))).get("mine") ?? assert.fail());
    assert.deepEqual(outcome, { kind: "throttled", retryAfterMs: 7000, platformStatus: 429 });
  });
});

describe("the sessions of a web platform", () => {
  test("are named with their files and limits", () => {
    const path = file(`platforms:
  kimi-web:
    recipe: built-in
    sessions:
      first: { file: ./first.json, runningMax: 1, perHour: 20 }
      second: { perMinute: 2 }`);
    const sessions = readPlatformSettings(path).get("kimi-web")?.web?.sessions;
    assert.deepEqual(Object.fromEntries(sessions ?? []), {
      first: { file: join(folder, "first.json"), runningMax: 1, perHour: 20 },
      second: { file: null, perMinute: 2 },
    });
  });

  test("are refused for other platforms, with bad names or limits, and beside a single session", () => {
    assert.match(refused("platforms: { openai: { sessions: { a: {} } } }"), /openai/);
    assert.match(refused("platforms: { kimi-web: { recipe: built-in, sessions: { ../a: {} } } }"), /sessions/);
    assert.match(refused("platforms: { kimi-web: { recipe: built-in, sessions: { a: { perHour: 0 } } } }"), /perHour/);
    assert.match(
      refused("platforms: { kimi-web: { recipe: built-in, session: a, sessions: { b: {} } } }"),
      /either one/,
    );
  });
});
