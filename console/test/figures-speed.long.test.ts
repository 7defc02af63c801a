/** How long the page of figures takes to draw 28 days of 100,800 answers, once their figures are there. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { EntityPage, MeasureId, PanelRecord } from "@querent/contract";
import { figureSteps, measureOf, type Answer, type FigureRequest, type PanelDefinition } from "@querent/figures";
import { runInSlices } from "../../service/src/runtime/slices.ts";
import { until, waiting } from "../../service/test/harness/wait.ts";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole } from "./harness/console.ts";

const prompts = 300;
const repeats = 6;
const days = 28;
const drawnMsMax = 200;
/** Or so many times as long as a plain table takes, on a slower machine than those on which that is a third of it. */
const drawnTablesMax = 3;
/** On a machine with other work, more are needed until one is drawn without it. */
const visitsMin = 3;
const visitsMax = 8;
const dayMs = 86_400_000;
const platforms = ["simulator", "sample"];

/** Runs in the page: notes when the heat map, which comes last, has been painted. */
const watcher = `new MutationObserver((_, watching) => {
  if (document.querySelector("[data-prompt]") === null) return;
  watching.disconnect();
  requestAnimationFrame(() => setTimeout(() => { window.drawnAt = performance.now(); }));
}).observe(document, { childList: true, subtree: true });`;
const spent = `drawnAt - Math.max(...performance.getEntriesByType("resource")
  .filter(({ name }) => name.includes("/figures?")).map(({ responseEnd }) => responseEnd))`;

/** Replaces the page: how long a plain table of 3,000 cells takes. */
const plainTable = `(async () => {
  const row = document.createElement("tr");
  for (let cell = 0; cell < 20; cell++) row.insertCell().textContent = "cell " + cell;
  const table = document.createElement("table");
  const from = performance.now();
  for (let count = 0; count < 150; count++) table.append(row.cloneNode(true));
  document.body.replaceChildren(table);
  await new Promise((done) => requestAnimationFrame(() => setTimeout(done)));
  return performance.now() - from;
})()`;

suite("the speed of the figures", { skip: noBrowser }, async () => {
  const { service, visit } = await startTestConsole();
  const account = await service.account({ points: 100 });
  await account.call("PUT", "/v1/entities", {
    body: [
      { name: "Ours", relation: "own" },
      ...["Theirs", "Others", "More"].map((name) => ({ name, relation: "competitor" })),
    ],
  });
  const { body: known } = await account.get<EntityPage>("/v1/entities");
  const { body: panel } = await account.call<PanelRecord>("POST", "/v1/panels", {
    body: {
      name: "Large",
      prompts: Array.from({ length: prompts }, (_, index) => ({
        text: `Which tool is best for ${index}?`,
        topic: `t${index % 30}`,
      })),
      platforms,
      repeats,
    },
  });

  const now = Date.now();
  const definition = {
    panelId: panel.panelId,
    name: panel.name,
    revision: 1,
    digest: panel.digest,
    prompts: panel.prompts.map(({ promptId, topic, intent }) => ({ promptId, topic, intent, branded: [] })),
    platforms,
    locales: [],
    personas: [],
    repeats,
    entities: known.entities.map(({ entityId, name, kind, relation, domains }) => ({
      entityId,
      name,
      kind,
      relation,
      domains,
      createdAt: new Date(now - 100 * dayMs).toISOString(),
    })),
  } satisfies PanelDefinition;
  const steps = figureSteps(definition, answersTo(definition, now));
  // The service is in this process, and loses its connections if nothing else runs for seconds. The figures are the same at every
  // visit, and computing them is no part of what is measured.
  const computed = new Map<string, Promise<object[]>>();
  const compute = (request: FigureRequest) => {
    const key = JSON.stringify(request);
    const figures = computed.get(key) ?? runInSlices(steps(request));
    computed.set(key, figures);
    return figures;
  };

  test(`${prompts * platforms.length * repeats * days} answers are drawn within ${drawnMsMax} ms`, async (t) => {
    const times: number[] = [];
    const tables: number[] = [];
    const msMax = () => Math.max(drawnMsMax, drawnTablesMax * Math.min(...tables));
    for (let count = 0; count < visitsMax && (count < visitsMin || Math.min(...times) > msMax()); count++) {
      const { page, close } = await visit("/tokens", { token: account.token });
      await page.addInitScript(watcher);
      await page.route(`**/v1/panels/${panel.panelId}/figures?*`, async (route) => {
        const query = Object.fromEntries(new URL(route.request().url()).searchParams);
        const { measure: named = "", ...filters } = query;
        // Without dates, the page asks for the latest runs.
        const { from = new Date(now - days * dayMs).toISOString(), to = new Date(now).toISOString() } = filters;
        const window = { from, to };
        const rows = [];
        for (const id of named.split(",")) rows.push(...(await rowsOf(id as MeasureId, { by: "none", ...filters })));
        await route.fulfill({ json: { panelId: panel.panelId, revision: 1, window, rows } });
      });
      await page.goto(`${service.address}/console/panels/${panel.panelId}`);
      const isDrawn = () => page.evaluate<boolean>("window.drawnAt !== undefined");
      await until("the figures to be computed and drawn", isDrawn);
      times.push(Number(await page.evaluate(spent)));
      assert.equal(await page.locator("[data-prompt]").count(), 60);
      tables.push(Number(await page.evaluate(plainTable)));
      await close();
    }
    const list = (all: readonly number[]) => all.map((ms) => ms.toFixed(0)).join(", ");
    t.diagnostic(`drawn ${list(times)} ms after the last figures; plain tables in ${list(tables)} ms`);
    // The best of them: what else the machine does is no part of the page. If it never rests, the page gets its share of the time.
    assert.ok(
      Math.min(...times) <= msMax() * waiting(),
      `${list(times)} ms of ${msMax()}, ${waiting()} for each processor`,
    );
  });

  async function rowsOf(measure: MeasureId, filters: Omit<FigureRequest, "measure">) {
    const { per } = measureOf(measure);
    const abouts =
      per === "domain"
        ? Array.from({ length: 10 }, (_, index) => ({ domain: `site-${index}.example` }))
        : per === "answer"
          ? [{}]
          : filters.entityId === undefined
            ? definition.entities.map(({ entityId }) => ({ entityId }))
            : [{ entityId: filters.entityId }];
    const rows = [];
    for (const about of abouts)
      for (const row of await compute({ ...filters, ...about, measure }))
        rows.push({ measure, definition: `${measure}/1`, ...row });
    return rows;
  }
});

/** The same ones each time: each entity is named by a share of its own. */
function answersTo({ prompts: asked, entities, platforms: codes }: PanelDefinition, now: number): Answer[] {
  const answers: Answer[] = [];
  for (let day = 0; day < days; day++)
    for (const [index, { promptId }] of asked.entries())
      for (const platformCode of codes)
        for (let repeat = 1; repeat <= repeats; repeat++) {
          const at = new Date(now - (days - day) * dayMs + 3_600_000).toISOString();
          const drawn = (subject: number) => ((index * 7 + day * 13 + repeat * 29 + subject * 17) % 100) / 100;
          answers.push({
            observationId: `${answers.length}`,
            taskId: null,
            runId: `00000000-0000-7000-8000-${String(day).padStart(12, "0")}`,
            observedAt: at,
            recordedAt: at,
            promptId,
            platformCode,
            locale: "",
            persona: "",
            repeat,
            panelRevision: 1,
            instrument: {
              kind: "sample",
              modelVersion: day < 14 ? "1" : "2",
              recipe: null,
              reader: 1,
              matcher: "2",
              sourceRules: "1",
            },
            mentions: entities
              .filter((_, subject) => drawn(subject) < 0.3 + subject / 10)
              .map(({ entityId }, rank) => ({
                entityId,
                count: 1,
                rank: rank + 1,
                listPosition: rank + 1,
              })),
            sources: Array.from({ length: 10 }, (_, site) => site)
              .filter((site) => drawn(site) < 0.4)
              .map((site) => ({
                host: `site-${site}.example`,
                domain: `site-${site}.example`,
                type: "other",
              })),
            cards: 0,
            contentLength: 100,
            searchCount: null,
            durationMs: 1000,
            chargedPoints: 0,
            flags: [],
          });
        }
  return answers;
}
