/** The page of a report, and links that open it without a token. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { EntityRecord, Measures, Problem, ReportShare, ReportShares } from "@querent/contract";
import { failuresToWarn as clientFailuresToWarn } from "@querent/client";
import { failuresToWarn, gradeRules, measureOf } from "@querent/figures";
import { definitionWords } from "../../src/reports/figures/definition-words.ts";
import { shownMeasures } from "../../src/reports/report/page/figure-sections.ts";
import { reportLanguages } from "@querent/contract";
import { languages } from "../../src/reports/languages/languages.ts";
import { startTestService } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { createPanel, runPanel } from "./fixture.ts";

const service = await startTestService();
const account = await service.account();
const hostile = `"><img src=x onerror=alert(1)><script>alert(1)</script>`;
for (const [name, relation] of [
  ["Acme Mills", "own"],
  [`Globex ${hostile}`, "competitor"],
])
  assert.equal((await account.call<EntityRecord>("POST", "/v1/entities", { body: { name, relation } })).status, 201);
const panel = await createPanel(account, {
  name: `Grinders ${hostile}`,
  prompts: [
    { text: `Which? brands=Acme_Mills:1@1 sources=2 ${hostile}`, promptId: "p1", topic: hostile },
    { text: "Is Acme Mills good?", promptId: "p2" },
  ],
});
for (let run = 0; run < 6; run++) assert.equal((await runPanel(account, panel.panelId)).status, 202);
await until("every answer is observed", async () => {
  const { rows } = await service.database.query<{ count: number }>(
    "select count(*)::int as count from observations where panel_id = $1",
    [panel.panelId],
  );
  return rows[0]?.count === 12;
});
const report = `/v1/panels/${panel.panelId}/report`;
const page = (query = "") => account.get<string>(`${report}?format=html${query}`);

suite("the page of a report", () => {
  test("stands alone: no script, no foreign resource, every text escaped", async () => {
    const { status, text, headers } = await page();
    assert.equal(status, 200, text);
    assert.match(String(headers["content-security-policy"]), /^default-src 'none'.*sandbox/);
    assert.ok(text.includes(`content="default-src &#x27;none&#x27;; style-src &#x27;sha256-`));
    assert.doesNotMatch(text, /<(script|img|iframe|object|embed|link|form)\b|\son\w+="|url\(|@import|\sstyle="/);
    assert.ok(text.includes("&#x3C;script>alert(1)"));
    const all = [...text.matchAll(/href="([^"]+)"/g)].map(([, href]) => href ?? "");
    const links = all.filter((href) => !href.startsWith("#"));
    assert.ok(links.length > 5);
    assert.ok(
      links.every((href) => /^\/v1\/observations(\/failures)?\?panelId=/.test(href.replace(service.address, ""))),
      links[0],
    );
    assert.equal(
      (await account.get((links[0] ?? "").slice(service.address.length).replaceAll("&#x26;", "&"))).status,
      200,
    );
  });

  test("warns of platforms on which many tasks failed, and only of these", async () => {
    assert.doesNotMatch((await page()).text, /failed\. All other figures/);
    const failing = await createPanel(account, {
      prompts: [{ text: "Which kettle?" }, { text: "Which pan? fail=platform_refused" }],
    });
    assert.equal((await runPanel(account, failing.panelId)).status, 202);
    const path = `/v1/panels/${failing.panelId}/report?format=html`;
    const text = await until("both tasks to end", async () => {
      const { text } = await account.get<string>(path);
      return text.includes("(2) failed") ? text : null;
    });
    assert.match(
      text,
      /simulator · sample: 50\.0 % of all tasks \(2\) failed\. All other figures are of the answers alone/,
    );
    assert.match(text, /Failed tasks.*50\.0 %.*Refused questions.*50\.0 %/s);
    assert.match((await account.get<string>(`${path}&language=zh-CN`)).text, /全部任务\(2 个\)中 50\.0 % 失败/);
    // The page and the command line warn from the same share on.
    assert.equal(failuresToWarn, clientFailuresToWarn);
  });

  test("has the grade with what would raise it, a plot with its interval, the heat map and the sources", async () => {
    const { text } = await page();
    assert.match(text, /Grade: Exploratory/);
    for (const { remedy } of gradeRules.filter(({ id }) => id === "prompts" || id === "sealed"))
      assert.ok(text.includes(remedy));
    assert.match(text, /<svg [^>]*role="img"/);
    assert.match(text, /<polygon class="band s0"/);
    assert.match(text, /100 %/);
    assert.match(text, /names it/);
    assert.match(text, /Share of citations/);
  });

  test("has the definition of each measure that it shows one click from its figures, and both scopes", async () => {
    for (const language of reportLanguages) {
      const { text } = await page(`&language=${language}`);
      const linked = new Set([...text.matchAll(/href="#([^"]+)"/g)].map(([, id = ""]) => id));
      assert.deepEqual([...linked].toSorted(), shownMeasures.map((measure) => `definition-${measure}`).toSorted());
      for (const id of linked) assert.ok(text.includes(`id="${id}"`), id);
    }
    const { text } = await page();
    assert.match(text, /these [\d.]+ – [\d.]+ %<\/span><span class="range">alike too few/);
    assert.match(text, /Named first, where it is named.*Named first, of all answers/s);
  });

  test("speaks the languages of the console", async () => {
    const { text } = await page("&language=zh-CN");
    assert.match(text, /<html lang="zh-CN">/);
    assert.match(text, /探索级/);
    for (const measure of [...shownMeasures, "citation_rate", "citation_share"] as const)
      assert.notDeepEqual(definitionWords(measureOf(measure), "zh-CN"), definitionWords(measureOf(measure), "en"));
    const { body } = await account.get<Measures>("/v1/measures?language=zh-CN");
    assert.equal(body.measures.find(({ id }) => id === "presence")?.formula, "提到它的答案 / 答案");
    for (const { rules } of Object.values(languages))
      if (rules !== null) assert.deepEqual(Object.keys(rules).toSorted(), gradeRules.map(({ id }) => id).toSorted());
  });

  test("is in each language without a word of English, with its numbers and dates", async () => {
    const looked = {
      de: [
        /Güte: Explorativ/,
        /\d{2},\d – \d{2,3},\d %/,
        /bis vor \d{2}\.\d{2}\.\d{4}/,
        /Warum Sie etwas anderes sehen/,
      ],
      fr: [/Niveau de fiabilité/, /\d{2},\d – \d{2,3},\d %/, /Part de voix/, /Comment les chiffres ont été établis/],
      es: [/Nivel de fiabilidad/, /\d{2},\d – \d{2,3},\d %/, /Oleadas/, /Cómo se obtuvieron las cifras/],
      ja: [/信頼度/, /\d{2}\.\d – \d{2,3}\.\d%/, /\d{4}\/\d{2}\/\d{2}/, /数値の算出方法/],
    } as const;
    // What the page says in English, in parts that no other language shares with it.
    const english = /\b(answers|the figures|which|Share of citations|not sealed|of these prompts|Runs)\b/;
    for (const [language, expected] of Object.entries(looked)) {
      const { status, text } = await page(`&language=${language}`);
      assert.equal(status, 200, text);
      assert.ok(text.includes(`<html lang="${language}">`));
      for (const one of expected) assert.match(text, one, language);
      const seen = text.slice(text.indexOf("<body")).replace(/<[^>]*>/g, " ");
      assert.doesNotMatch(seen, english, language);
    }
    assert.equal((await page("&language=tlh")).status, 422);
  });

  test("of a window without answers says so", async () => {
    const { text } = await page("&from=2020-01-01T00:00:00Z&to=2020-01-02T00:00:00Z");
    assert.match(text, /There are no answers in this window/);
  });
});

suite("a link to a report", () => {
  const share = async (body: object = {}) => account.call<ReportShare>("POST", `${report}/shares`, { body });
  const open = (url: string | null) => service.call<Problem>("GET", new URL(url ?? "").pathname);

  test("opens the page as it was, without a token, until it is revoked", async () => {
    const { status, body, text } = await share({ days: 2 });
    assert.equal(status, 201, text);
    assert.equal(Date.parse(body.expiresAt) - Date.parse(body.createdAt), 2 * 86_400_000);
    const opened = await open(body.url);
    assert.equal(opened.status, 200, opened.text);
    assert.match(opened.text, /Grade: Exploratory/);
    // Its readers have no token, with which alone the answers could be opened.
    assert.doesNotMatch(opened.text, /<a href="[^#]|access token/);
    assert.match((await page()).text, /access token/);
    assert.match(String(opened.headers["x-robots-tag"]), /noindex/);
    const { body: listed } = await account.get<ReportShares>(`${report}/shares`);
    assert.deepEqual(listed.shares, [body]);
    const path = `${report}/shares/${body.shareId}`;
    const other = await service.account();
    assert.equal((await other.call("DELETE", path)).status, 404);
    assert.equal((await other.get(`${report}/shares`)).status, 404);
    assert.equal((await other.call("POST", `${report}/shares`, { body: {} })).status, 404);
    assert.equal((await account.call("DELETE", path)).status, 204);
    assert.equal((await account.call("DELETE", path)).status, 404);
    assert.equal((await open(body.url)).status, 410);
    assert.deepEqual((await account.get<ReportShares>(`${report}/shares`)).body.shares, []);
  });

  test("expires, and cannot be guessed or changed into another", async () => {
    const { body } = await share();
    await service.database.query("update report_shares set expires_at = now() where id = $1", [body.shareId]);
    assert.equal((await open(body.url)).status, 410);
    const { pathname } = new URL(body.url ?? "");
    const changed = `${pathname.slice(0, -2)}${pathname.endsWith("AA") ? "BB" : "AA"}`;
    assert.equal((await service.call("GET", changed)).status, 404);
    assert.equal((await service.call("GET", pathname.replace("/r/", "/s/"))).status, 404);
  });

  test("is one of a limited number, and goes with its panel", async () => {
    const other = await service.account();
    const { panelId } = await createPanel(other);
    const shares = `/v1/panels/${panelId}/report/shares`;
    const first = await other.call<ReportShare>("POST", shares, { body: {} });
    await service.database.query(
      `insert into report_shares select account_id, gen_random_uuid(), panel_id, window_from, window_to, created_at, expires_at, ''
         from report_shares, generate_series(1, 99) where id = $1`,
      [first.body.shareId],
    );
    assert.equal((await other.call("POST", shares, { body: {} })).status, 409);
    assert.equal((await other.call("DELETE", `/v1/panels/${panelId}`)).status, 204);
    assert.equal((await open(first.body.url)).status, 410);
  });
});
