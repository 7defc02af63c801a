/** Which of the two answers, the page or its stand-in, and what the stand-in's page lets anybody do. No browser is started. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { request } from "node:http";
import { after, suite, test } from "node:test";
import fc from "fast-check";
import {
  loadBundledRecipe,
  loadExampleRecipe,
  StandInPage,
  webPlatform,
  withStandIn,
  type PageSessions,
  type Platform,
} from "../../../src/platforms/index.ts";
import { observedPlatforms } from "../../../src/app/platforms.ts";
import { toRaw } from "../../../src/platforms/web/page/snapshots.ts";
import { captured } from "./captured.ts";

const noBrowser = { withContext: () => Promise.reject(new Error("no browser in this test")) };
const question = {
  taskId: "task",
  text: "Why?",
  options: { deepAnalysis: false, output: "answer", resultFormat: "all" },
  attempt: 1,
} as const;

/** The platform with its stand-in; `state`: what its stored sessions are. */
function platformWith(state: { missing: string | null | undefined }): { platform: Platform; asked: string[] } {
  const asked: string[] = [];
  const sessions: PageSessions = {
    missing: () => state.missing,
    stored: async () => state.missing !== undefined,
    hold: async () => ({ kind: "none" }),
  };
  const page = webPlatform({
    code: "chatgpt-web",
    loaded: loadBundledRecipe("chatgpt-web"),
    pool: noBrowser,
    missing: null,
    sessions,
    needsSession: true,
  });
  const real: Platform = {
    ...page,
    get missing() {
      return page.missing;
    },
    ask: async () => {
      asked.push("real");
      return { kind: "canceled" };
    },
  };
  const pool = {
    withContext: () => {
      asked.push("stand-in");
      return Promise.reject(new Error("no browser in this test"));
    },
  };
  const standIn = { page: new StandInPage(), pool, countries: [], missing: null, sessions, evidence: [] };
  after(() => standIn.page.close());
  return { platform: withStandIn(real, standIn), asked };
}

const ask = (platform: Platform) =>
  platform.ask(question, { signal: new AbortController().signal }).catch(() => undefined);

test("a stored session replaces the stand-in at once, and a session that is signed out does not bring it back", async () => {
  const state: { missing: string | null | undefined } = { missing: undefined };
  const { platform, asked } = platformWith(state);
  assert.deepEqual([platform.standIn, platform.missing, platform.name], [true, null, "ChatGPT (web): stand-in"]);
  await ask(platform);
  state.missing = null;
  assert.deepEqual([platform.standIn, platform.missing, platform.name], [false, null, "ChatGPT (web)"]);
  await ask(platform);
  state.missing = "Each is signed out.";
  assert.deepEqual([platform.standIn, platform.missing], [false, "Each is signed out."]);
  await ask(platform);
  assert.deepEqual(asked, ["stand-in", "real", "real"]);
});

test("observations name the recipe that read the answer, whichever of the two can be asked when they are written", () => {
  const digests = [undefined, null].map((missing) => {
    const { platform } = platformWith({ missing });
    const { recipeOf, kindOf } = observedPlatforms(new Map([[platform.code, platform]]));
    return {
      kind: kindOf(platform.code),
      web: recipeOf(platform.code, "web"),
      sample: recipeOf(platform.code, "sample"),
    };
  });
  const [standIn, real] = digests;
  assert.deepEqual([standIn?.kind, real?.kind], ["sample", "web"]);
  assert.deepEqual([standIn?.web, standIn?.sample], [real?.web, real?.sample]);
  assert.equal(standIn?.web, loadBundledRecipe("chatgpt-web").sha256);
  assert.equal(standIn?.sample, loadExampleRecipe().sha256);
});

test("without a stand-in, a page that nobody has enabled is asked only with a stored session, and says which command stores one", async () => {
  const sessions = {
    missing: () => undefined,
    stored: async () => false,
    hold: async () => ({ kind: "none" as const }),
  };
  const loaded = loadBundledRecipe("kimi-web");
  const page = webPlatform({ code: "kimi-web", loaded, pool: noBrowser, missing: null, sessions, needsSession: true });
  assert.match(page.missing ?? "", /querentd session sign-in kimi-web$/);
  const outcome = await page.ask(question, { signal: new AbortController().signal });
  assert.ok(outcome.kind === "permanent" && outcome.code === "platform_not_configured");
});

test("an answer of the stand-in is read again as one, also after the page was set up", async () => {
  const { platform } = platformWith({ missing: null });
  const turn =
    '<div class="turn assistant"><div class="text"><p>An answer.</p></div><span class="model">m</span></div>';
  const raw = toRaw(
    captured(turn, {
      startedAt: "2026-11-28T00:00:00Z",
      observedAt: "2026-11-28T00:00:00Z",
      url: "http://chatgpt-web.stand-in.invalid/",
    }),
  );
  const read = await platform.reread?.(raw, question, new Date());
  assert.ok(read?.kind === "answered", JSON.stringify(read));
  assert.deepEqual([read.answer.byStandIn, read.answer.modelVersion], [true, "m"]);
});

suite("the stand-in's page", () => {
  const page = new StandInPage();
  after(() => page.close());

  const call = async (path: string, { host = "gemini-web.stand-in.invalid", method = "GET", body = "" } = {}) => {
    const port = await page.port();
    const sent = request({ host: "127.0.0.1", port, path, method, headers: { host }, agent: false });
    sent.end(body);
    const [response] = (await once(sent, "response")) as [import("node:http").IncomingMessage];
    let text = "";
    for await (const part of response.setEncoding("utf8")) text += String(part);
    return { status: response.statusCode, text };
  };
  const answer = (text: unknown) =>
    call("/api/answer", { method: "POST", body: JSON.stringify({ question: text, deep: false }) });

  test("answers only under the host of a stand-in, so that no other page of this machine's browsers can read it", async () => {
    const port = await page.port();
    for (const host of [
      "127.0.0.1",
      `127.0.0.1:${port}`,
      "localhost",
      "evil.example",
      "stand-in.invalid",
      "a.b.stand-in.invalid",
      "A!.stand-in.invalid",
    ])
      assert.equal((await call("/", { host })).status, 404, host);
    const { status, text } = await call("/");
    assert.equal(status, 200);
    assert.match(text, /<title>Stand-in for gemini-web<\/title>/);
  });

  test("gives a bounded answer to any question", async () => {
    const knob = fc.constantFrom("sources", "paragraphs", "pace", "status", "cut", "x");
    const value = fc.oneof(fc.constantFrom("0", "-1", "1e9", "999999999999", "NaN", "0x10", "100"), fc.string());
    const text = fc.array(fc.tuple(knob, value)).map((knobs) => knobs.map(([name, set]) => `${name}=${set}`).join(" "));
    await fc.assert(
      fc.asyncProperty(text, async (asked) => {
        const read = await answer(`pace=0 ${asked}`.replaceAll(/pace=\d+/g, "pace=0")).catch(() => null);
        if (read !== null) assert.ok(read.text.length < 400_000, `${read.text.length} characters`);
      }),
      { numRuns: 50 },
    );
    const most = await answer("pace=0 sources=999999 paragraphs=999999");
    assert.equal(most.text.match(/Source \d+"/g)?.length, 100 + 2);
  });

  test("survives bodies that are no question, and refuses those that are too large", async () => {
    for (const body of ["", "{", "null", '{"question":7}', "[]"])
      await assert.rejects(call("/api/answer", { method: "POST", body }), body);
    const { status } = await call("/api/answer", { method: "POST", body: "x".repeat(300_000) });
    assert.equal(status, 413);
    assert.equal((await answer("Why?")).status, 200);
  });
});
