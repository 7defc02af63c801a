/** A report as a PDF: the page on paper, with the figures of the JSON, for one account at a time. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { EntityRecord, PanelReport } from "@querent/contract";
import { getDocument } from "pdfjs-dist/legacy/build/pdf.mjs";
import { measureOf } from "@querent/figures";
import { shownMeasures } from "../../src/reports/report/page/figure-sections.ts";
import { startTestService, refused, invalidAt } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { createPanel, runPanel } from "./fixture.ts";

const shown = new Set<string>(shownMeasures);
const hostile = `"><img src=x onerror=alert(1)> \\22 }@page{size:1mm}</style><script>alert(1)</script>`;

suite("a report as a PDF", async () => {
  const service = await startTestService();
  const account = await service.account();
  for (const [name, relation] of [
    ["Acme Mills", "own"],
    [`Globex ${hostile}`, "competitor"],
    ["海尔", "competitor"],
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
  const path = `/v1/panels/${panel.panelId}/report`;
  const pdf = async (query = "") => {
    const response = await fetch(`${service.address}${path}?format=pdf${query}`, {
      headers: { authorization: `Bearer ${account.token}` },
    });
    assert.equal(response.status, 200, response.ok ? "" : await response.text());
    assert.equal(response.headers.get("content-type"), "application/pdf");
    assert.match(response.headers.get("content-disposition") ?? "", /^attachment; filename="report-[\w-]+\.pdf"$/);
    return new Uint8Array(await response.arrayBuffer());
  };

  test("has the figures of the JSON, on A4, tagged, with its names, its client and the page's number on each page", async () => {
    const { body: report } = await account.get<PanelReport>(path);
    const document = await readPdf(await pdf(`&clientName=${encodeURIComponent("Müller & Söhne 海尔")}`));
    const text = document.pages.map((page) => page.text).join("\n");
    const shares = report.summary.filter(
      ({ measure, thesePrompts }) =>
        shown.has(measure) && measureOf(measure).unit === "share" && thesePrompts.value !== null,
    );
    assert.ok(shares.length >= 10, String(shares.length));
    for (const { measure, thesePrompts } of shares) {
      const { value, answers, interval } = thesePrompts;
      const percent = (share: number) => (share * 100).toFixed(1);
      assert.ok(text.includes(`${percent(value ?? 0)} %`), `${measure} ${value}`);
      assert.ok(text.includes(`n ${answers}`), measure);
      if (interval !== null)
        assert.ok(text.includes(`${percent(interval.low)} – ${percent(interval.high)} %`), measure);
    }
    for (const words of ["Acme Mills", "海尔", "Grade: Exploratory", report.panel.digest, hostile])
      assert.ok(text.replaceAll(/\s/g, "").includes(words.replaceAll(/\s/g, "")), words);
    const all = document.pages.length;
    assert.ok(all >= 2, String(all));
    for (const [index, page] of document.pages.entries()) {
      assert.ok(page.text.includes("Müller & Söhne 海尔"), page.text.slice(0, 300));
      assert.ok(page.text.replaceAll(/\s+/g, " ").includes(`${index + 1} / ${all}`));
      assert.ok(page.text.includes(report.window.from.slice(0, 10)));
      assert.deepEqual(page.size, [595, 842]);
    }
    assert.equal(document.isTagged, true);
    for (const role of ["H1", "H2", "Table", "TH", "TD", "P"]) assert.ok(document.roles.has(role), role);
    assert.match(document.title, /^Grinders /);
    assert.ok(document.outline > 3);
    assert.equal(document.scripts, null);
  });

  test("says why somebody who asks may see something else, from its own answers, and how its figures were made", async () => {
    const { body: report } = await account.get<PanelReport>(path);
    const { pages } = await readPdf(await pdf());
    const text = pages
      .map((page) => page.text)
      .join(" ")
      .replaceAll(/\s+/g, " ");
    const from = text.indexOf("Why you may see something else when you ask it yourself");
    const method = text.indexOf("How the figures were made");
    assert.ok(from > 0 && method > from);
    const why = text.slice(from, method);
    assert.ok(why.includes(`this report has ${report.counts.answers} answers of ${report.counts.runs} runs`), why);
    assert.ok(why.includes(`exactly the ${report.counts.prompts} prompts`), why);
    const varied = report.summary.find(({ measure }) => measure === "first_place_changes_between_runs");
    const value = varied?.thesePrompts.value ?? assert.fail();
    assert.ok(why.includes(`another brand came first in ${(value * 100).toFixed(1)} % of the cases`), why);
    assert.match(why, /These were asked without stating one/);
    assert.match(why, /Some answers are of a simulation/);
    assert.doesNotMatch(why, /programming interface|web page|imported/, "only what the report has");
    assert.match(text.slice(method), /They are shares of answers, not of people\./);
  });

  test("is printed on letter paper and in Chinese, without a client's name", async () => {
    const bytes = await pdf("&paper=letter&language=zh-CN");
    assert.doesNotMatch(
      Buffer.from(bytes).toString("latin1"),
      /observations|127\.0\.0\.1|page\.invalid/,
      "no addresses",
    );
    const document = await readPdf(bytes);
    assert.deepEqual(document.pages[0]?.size, [612, 792]);
    assert.match(document.pages.map((page) => page.text).join(""), /等级/);
    assert.match(document.pages.map((page) => page.text).join(""), /为什么您自己提问时可能看到不同的结果/);
    assert.equal(document.language, "zh-CN");
  });

  test("fits on the sheet in each language, with its client's looks, and its words can be read from it", async () => {
    const looks = { name: "Müller & Söhne", color: "#ffe100" };
    const project = `/v1/projects/${account.accountId}/looks`;
    assert.equal((await account.call("PUT", project, { body: looks })).status, 200);
    const said = {
      de: "Warum Sie etwas anderes sehen können",
      fr: "Comment les chiffres ont été établis",
      es: "Cómo se obtuvieron las cifras",
      ja: "数値の算出方法",
    } as const;
    for (const [language, words] of Object.entries(said)) {
      const document = await readPdf(await pdf(`&language=${language}`));
      const text = document.pages
        .map((page) => page.text)
        .join(" ")
        .replaceAll(/\s+/g, "");
      assert.ok(text.includes(words.replaceAll(/\s+/g, "")), language);
      assert.equal(document.language, language);
      for (const { text: ofPage, right, size } of document.pages) {
        assert.ok(ofPage.includes(looks.name), "at the top of each page");
        assert.ok(right <= (size[0] ?? 0), `${language}: ${right}`);
      }
    }
    await account.call("PUT", project, { body: {} });
  });

  test("of an account are printed one at a time, and at the same time others can be read", async () => {
    const several = await Promise.all([pdf(), pdf(), account.get(path)]);
    assert.ok(several[0].length > 1000 && several[1].length > 1000);
    assert.equal(several[2].status, 200);
  });

  test("belongs to its account, and to those who may read panels", async () => {
    const other = await service.account();
    refused(await other.get(`${path}?format=pdf`), "not_found");
    const without = await account.withToken({ scopes: ["tasks:read"] });
    refused(await without.get(`${path}?format=pdf`), "scope_missing");
  });

  test("takes a paper and a client that are valid, and no other format takes them", async () => {
    invalidAt(await account.get(`${path}?format=pdf&paper=a3`), { "?paper": "not_allowed" });
    invalidAt(await account.get(`${path}?format=pdf&clientName=${"x".repeat(101)}`), { "?clientName": "too_long" });
    invalidAt(await account.get(`${path}?format=html&paper=a4`), { "?paper": "not_allowed" });
    invalidAt(await account.get(`${path}?clientName=x`), { "?clientName": "not_allowed" });
  });

  test("is refused in words by a process without a browser, and by one without the role", async () => {
    const { DATABASE_URL: url = "", QUERENT_MASTER_KEY: text = "" } = service.commandEnvironment;
    const on = { url, masterKey: Buffer.from(text, "base64") };
    for (const [options, words] of [
      [{ roles: ["api"] }, /does not have the role worker/],
      [{ environment: { QUERENT_BROWSER_PATH: "/nowhere/chromium" } }, /no browser that works/],
    ] as const) {
      const without = await startTestService({ ...options, on });
      const answer = await without.as(account.accountId, account.token).get(`${path}?format=pdf`);
      const problem = refused(answer, "unavailable");
      assert.equal(answer.status, 503);
      assert.match(problem.detail ?? "", words);
      assert.match(problem.detail ?? "", /`format=html` is the same report/);
      assert.equal(answer.headers["retry-after"], "60");
      assert.doesNotMatch(answer.text, /nowhere/, "what only the operator may see");
      await without.stop();
    }
  });
});

async function readPdf(data: Uint8Array) {
  const loading = getDocument({ data, verbosity: 0 });
  const document = await loading.promise;
  const roles = new Set<string>();
  const collect = (node: unknown): void => {
    if (typeof node !== "object" || node === null) return;
    if ("role" in node && typeof node.role === "string") roles.add(node.role);
    if ("children" in node && Array.isArray(node.children)) node.children.forEach(collect);
  };
  /** `right`: where the text that reaches farthest ends. */
  const pages: { text: string; size: number[]; right: number }[] = [];
  for (let number = 1; number <= document.numPages; number++) {
    const page = await document.getPage(number);
    const content = await page.getTextContent();
    collect(await page.getStructTree());
    const { width, height } = page.getViewport({ scale: 1 });
    const text = content.items.map((item) => ("str" in item ? `${item.str}${item.hasEOL ? "\n" : ""}` : "")).join("");
    const ends = content.items.map((item) =>
      "str" in item && item.str.trim() !== "" ? Number(item.transform[4]) + item.width : 0,
    );
    pages.push({ text, size: [Math.round(width), Math.round(height)], right: Math.max(...ends) });
  }
  const info = (await document.getMetadata()).info as { Title?: string; Language?: string };
  const marked: unknown = await document.getMarkInfo();
  const read = {
    pages,
    roles,
    isTagged: marked instanceof Map && marked.get("Marked") === true,
    title: info.Title ?? "",
    language: info.Language,
    outline: countOf(await document.getOutline()),
    scripts: await document.getJSActions(),
  };
  await loading.destroy();
  return read;
}

/** The entries of an outline, with those below them. */
function countOf(entries: unknown): number {
  if (!Array.isArray(entries)) return 0;
  return entries.reduce((sum: number, { items }: { items: unknown }) => sum + 1 + countOf(items), 0);
}
