/** The DuckDB queries of docs/how-to/export-observations.md over an exported file, beside the figures of the service. */
import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import type { EntityRecord, PanelFigures } from "@querent/contract";
import { rowsInDuckDb } from "../harness/duckdb.ts";
import { temporaryFolder } from "../harness/process.ts";
import { startTestService } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { createPanel, runPanel } from "./fixture.ts";

const page = join(import.meta.dirname, "../../../docs/how-to/export-observations.md");
const part = /## DuckDB\n(.*?)\n## /s.exec(readFileSync(page, "utf8"))?.[1] ?? "";
const queries = [...part.matchAll(/```sql\n(.*?)```/gs)].map(([, sql = ""]) => sql);

suite("the queries of the page about exports", async () => {
  const service = await startTestService();
  const account = await service.account();
  const { body: entity } = await account.call<EntityRecord>("POST", "/v1/entities", {
    body: { name: "Acme Mills", relation: "own" },
  });
  const { panelId } = await createPanel(account, {
    prompts: [
      { text: "Which grinder? brands=Acme_Mills:1@1 sources=2", promptId: "p1" },
      { text: "Which kettle? sources=1", promptId: "p2" },
      { text: "Which pan? empty=1", promptId: "p3" },
    ],
  });
  for (let run = 0; run < 2; run++) assert.equal((await runPanel(account, panelId)).status, 202);
  await until("every answer is observed", async () => {
    const { rows } = await service.database.query("select from observations where panel_id = $1", [panelId]);
    return rows.length === 6;
  });
  const folder = temporaryFolder();
  after(() => folder[Symbol.dispose]());
  const file = join(folder.path, "observations.parquet");
  const response = await fetch(`${service.address}/v1/observations?panelId=${panelId}`, {
    headers: { authorization: `Bearer ${account.token}`, accept: "application/vnd.apache.parquet" },
  });
  writeFileSync(file, Buffer.from(await response.arrayBuffer()));
  const run = (sql = "") =>
    rowsInDuckDb(
      sql
        .replaceAll("$panel", `'${panelId}'`)
        .replaceAll("$entity", `'${entity.entityId}'`)
        .replaceAll("observations.parquet", file)
        .replaceAll("weeks.csv", join(folder.path, "weeks.csv")),
    );
  const figures = async (query: string) =>
    (await account.get<PanelFigures>(`/v1/panels/${panelId}/figures?${query}`)).body.rows;

  test("count how often an entity is named as the service does", async () => {
    const rows = await run(queries[0]);
    const [figure] = await figures(`measure=presence&entityId=${entity.entityId}`);
    assert.equal(rows.length, 1, JSON.stringify(rows));
    assert.equal(rows[0]?.["presence"], figure?.thesePrompts.value);
    assert.equal(Number(rows[0]?.["answers"]), figure?.thesePrompts.answers);
    assert.equal(Number(rows[0]?.["naming"]), 2);
  });

  test("count which sites are cited as the service does", async () => {
    const rows = await run(queries[1]);
    const ofFigures = await figures("measure=citation_rate");
    assert.deepEqual(
      rows.map((row) => [row["domain"], Number(row["answers"])]),
      ofFigures
        .map(
          ({ group, thesePrompts: { value, answers } }) => [group.domain, Math.round((value ?? 0) * answers)] as const,
        )
        .toSorted(([a, more], [b, less]) => less - more || String(a).localeCompare(String(b))),
    );
    assert.ok(rows.length >= 2);
  });

  test("write a file for a spreadsheet", async () => {
    await run(queries[2]);
    const lines = readFileSync(join(folder.path, "weeks.csv"), "utf8").trim().split("\n");
    assert.equal(lines[0], "week,platformCode,answers");
    assert.match(lines[1] ?? "", /,simulator,6$/);
  });

  test("are all run", () => assert.equal(queries.length, 3));
});
