/** Addresses at which programs read figures without a token. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { EntityRecord, FigureLink, FigureLinks, PanelFigures, Problem } from "@querent/contract";
import { figureColumns } from "@querent/client";
import { CsvRecords } from "../../../client/src/csv.ts";
import { startTestService } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { createPanel, runPanel } from "./fixture.ts";

const service = await startTestService();
const account = await service.account();
const hostile = `=HYPERLINK("http://evil.example","x")`;
for (const [name, relation] of [
  ["Acme Mills", "own"],
  [hostile, "competitor"],
])
  assert.equal((await account.call<EntityRecord>("POST", "/v1/entities", { body: { name, relation } })).status, 201);
const panel = await createPanel(account, {
  name: "Grinders",
  prompts: [
    { text: "Which? brands=Acme_Mills:1@1", promptId: "p1" },
    { text: "Which other? brands=Acme_Mills:1@1", promptId: "p2" },
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
const path = `/v1/panels/${panel.panelId}/figures`;
const link = (body: object = {}) => account.call<FigureLink>("POST", `${path}/links`, { body });
const open = (url: string | null, query = "") =>
  service.call<Problem & PanelFigures>("GET", `${new URL(url ?? "").pathname}${query}`);

/** The rows by their columns, as the reader of the client sees them: it takes away what guards against formulas. */
function readCsv(text: string): Record<string, string | undefined>[] {
  const reader = new CsvRecords(() => true);
  const [head, ...rows] = [...reader.push(text), ...reader.end()].map(({ cells }) => cells ?? assert.fail("a fault"));
  return rows.map((cells) => Object.fromEntries((head ?? []).map((name, at) => [name, cells[at]])));
}

test("an address answers without a token with the figures that the API computes, as CSV and as JSON", async () => {
  const { status, body, text } = await link({ measure: "presence,failure_rate", by: "run", days: 3 });
  assert.equal(status, 201, text);
  assert.equal(Date.parse(body.expiresAt) - Date.parse(body.createdAt), 3 * 86_400_000);
  assert.deepEqual(body.figures, { measure: "presence,failure_rate", by: "run" });
  const json = await open(body.url, "?format=json");
  assert.equal(json.status, 200, json.text);
  const { window } = json.body;
  const computed = await account.get<PanelFigures>(
    `${path}?measure=presence,failure_rate&by=run&from=${window.from}&to=${window.to}`,
  );
  assert.deepEqual(json.body, computed.body);

  const csv = await open(body.url);
  assert.equal(csv.status, 200);
  assert.match(String(csv.headers["content-type"]), /^text\/csv/);
  assert.match(String(csv.headers["x-robots-tag"]), /noindex/);
  const rows = readCsv(csv.text);
  assert.deepEqual(Object.keys(rows[0] ?? {}), [...figureColumns]);
  assert.equal(rows.length, 2 * json.body.rows.length);
  for (const [n, row] of json.body.rows.entries()) {
    const read = rows[2 * n];
    assert.equal(read?.["measure"], row.measure);
    assert.equal(read["value"], String(row.thesePrompts.value ?? ""));
    assert.equal(read["low"], String(row.thesePrompts.interval?.low ?? ""));
    assert.equal(read["runId"], row.group.runId);
  }
  assert.ok(rows.some((row) => row["entityName"] === "Acme Mills"));
  // A name that a spreadsheet would take for a formula.
  assert.ok(rows.some((row) => row["entityName"] === hostile));
  assert.ok(csv.text.includes(`"'=HYPERLINK(""http`) && !csv.text.includes(`"=HYPERLINK`));
});

test("with a token, figures are CSV if the client asks for it", async () => {
  const { status, text, headers } = await account.call<string>("GET", `${path}?measure=presence`, {
    headers: { accept: "text/csv" },
  });
  assert.equal(status, 200, text);
  assert.match(String(headers["content-type"]), /^text\/csv/);
  assert.equal(readCsv(text)[0]?.["measure"], "presence");
});

test("who reads an address often is answered with what was computed before, until it is revoked", async () => {
  const { body } = await link();
  const first = await open(body.url);
  assert.equal(first.status, 200);
  assert.equal((await runPanel(account, panel.panelId)).status, 202);
  await until("the run to be observed", async () => {
    const { rows } = await service.database.query<{ count: number }>(
      "select count(*)::int as count from observations where panel_id = $1",
      [panel.panelId],
    );
    return rows[0]?.count === 14;
  });
  assert.equal((await open(body.url)).text, first.text);
  assert.deepEqual(
    (await account.get<FigureLinks>(`${path}/links`)).body.links.find(({ linkId }) => linkId === body.linkId),
    body,
  );
  const other = await service.account();
  assert.equal((await other.call("DELETE", `${path}/links/${body.linkId}`)).status, 404);
  assert.equal((await other.get(`${path}/links`)).status, 404);
  assert.equal((await other.call("POST", `${path}/links`, { body: {} })).status, 404);
  assert.equal((await account.call("DELETE", `${path}/links/${body.linkId}`)).status, 204);
  assert.equal((await open(body.url)).status, 410);
});

test("addresses end: by their time, and with their panel", async () => {
  const gone = await createPanel(account, { name: "Gone", prompts: [{ text: "Which kettle?" }] });
  const of = (panelId: string) =>
    account.call<FigureLink>("POST", `/v1/panels/${panelId}/figures/links`, { body: { lastDays: 7 } });
  const { body } = await of(gone.panelId);
  assert.equal((await open(body.url)).status, 200);
  await service.database.query("update figure_links set expires_at = now() where id = $1", [body.linkId]);
  assert.equal((await open(body.url)).status, 410);
  const { body: second } = await of(gone.panelId);
  assert.equal((await account.call("DELETE", `/v1/panels/${gone.panelId}`)).status, 204);
  assert.equal((await open(second.url)).status, 410);
});

test("wrong requests and forged addresses are refused", async () => {
  for (const body of [
    { measure: "profit" },
    { by: "moon" },
    { lastDays: 0 },
    { days: 100_000 },
    { entityId: "00000000-0000-7000-8000-000000000000" },
    { from: "2026-01-01T00:00:00Z" },
  ])
    assert.equal((await link(body)).status, 422, JSON.stringify(body));
  const { body } = await link();
  const token = new URL(body.url ?? "").pathname.split("/").at(-1) ?? "";
  for (const forged of ["x", token.slice(1), `${token.slice(0, -1)}${token.endsWith("A") ? "B" : "A"}`])
    assert.equal((await service.call("GET", `/f/${forged}`)).status, 404);
  // The address of a report's purpose does not open figures, and the other way round.
  assert.equal((await service.call("GET", `/r/${token}`)).status, 404);
  assert.equal((await open(body.url, "?format=xml")).status, 422);
  assert.equal((await open(body.url, "?format=json&utm_source=sheet")).status, 200, "what others add is passed over");
});

test("the longest window is read, and who reads at the same time is answered from one computation", async () => {
  const { body } = await link({ lastDays: 366, measure: "presence" });
  const both = await Promise.all([open(body.url, "?format=json"), open(body.url, "?format=json")]);
  for (const { status, text } of both) assert.equal(status, 200, text);
  const [{ body: one }, { body: other }] = both;
  assert.deepEqual(one, other);
  assert.equal(Date.parse(one.window.to) - Date.parse(one.window.from), 366 * 86_400_000);
});

test("the address of a brand that was deleted is gone", async () => {
  const { body: brand } = await account.call<EntityRecord>("POST", "/v1/entities", {
    body: { name: "Short Lived", relation: "own" },
  });
  const { status, body, text } = await link({ entityId: brand.entityId });
  assert.equal(status, 201, text);
  assert.equal((await account.call("DELETE", `/v1/entities/${brand.entityId}`)).status, 200);
  assert.equal((await open(body.url)).status, 410);
  const unknown = await account.call<Problem>("POST", `${path}/links`, { body: { entityId: brand.entityId } });
  assert.equal(unknown.body.errors?.[0]?.pointer, "/entityId");
});

test("an account has at most a hundred addresses that work", async () => {
  const { body } = await link();
  await service.database.query(
    `insert into figure_links select account_id, gen_random_uuid(), panel_id, figures, created_at, expires_at
       from figure_links, generate_series(1, 100) where id = $1`,
    [body.linkId],
  );
  const { status, text } = await link();
  assert.equal(status, 409, text);
  assert.match(text, /Revoke one/);
});
