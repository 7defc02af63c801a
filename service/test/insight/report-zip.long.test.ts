/** The zip of a report whose answers are computed in a thread, and written while they are read. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { ObservationRecord, PanelReport } from "@querent/contract";
import { readZip } from "../../../evidence/src/read-zip.ts";
import { startTestService, type TestAccount } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { createPanel, runPanel } from "./fixture.ts";

const answers = 10_000;

suite("the zip of a large report", async () => {
  const service = await startTestService();
  after(() => service.stop());
  const account = await service.account();
  const { panelId } = await createPanel(account, { prompts: [{ text: "Which grinder?", promptId: "which" }] });
  await runPanel(account, panelId);
  await until("the answer is observed", async () => (await observed()) === 1);
  await multiply();
  assert.equal(await observed(), answers);

  async function observed(): Promise<number> {
    const { rows } = await service.database.query<{ count: number }>(
      "select count(*)::int as count from observations where panel_id = $1",
      [panelId],
    );
    return rows[0]?.count ?? 0;
  }

  /** Copies the observation, each with other sources, which compression can't shorten, and without sites, as earlier versions wrote it. */
  async function multiply(): Promise<void> {
    await service.database.query(
      `insert into observations
       select copy.*
         from observations o, generate_series(1, $2::int) n,
              lateral (select jsonb_agg(jsonb_build_object('url', url, 'canonicalUrl', url, 'domain', 'a.example', 'type', null)) as sources
                         from (select 'https://a.example/' || md5(n::text || s) || md5(s::text || n) as url
                                 from generate_series(1, 12) s) urls) cited,
              lateral jsonb_populate_record(o, jsonb_build_object(
                        'id', left(o.id::text, 24) || lpad(to_hex(n), 12, '0'),
                        'client_reference', E'line 1\\nline 2',
                        'sources', cited.sources, 'cited_sites', null)) copy
        where o.panel_id = $1`,
      [panelId, answers - 1],
    );
  }

  const report = (format: string, signal?: AbortSignal) =>
    fetch(`${service.address}/v1/panels/${panelId}/report?format=${format}&to=${to}`, {
      headers: { authorization: `Bearer ${account.token}` },
      signal: signal ?? null,
    });
  const to = new Date(Date.now() + 3_600_000).toISOString();

  test("has every observation, and the figures that the report has", async () => {
    const { files } = readZip(Buffer.from(await (await report("zip")).arrayBuffer()));
    const ids = [...files].flatMap(([name, bytes]) =>
      name.startsWith("observations/")
        ? bytes
            .toString()
            .trimEnd()
            .split("\n")
            .map((line) => (JSON.parse(line) as ObservationRecord).observationId)
        : [],
    );
    assert.equal(new Set(ids).size, answers);
    assert.deepEqual(ids, ids.toSorted());
    assert.deepEqual(
      JSON.parse(String(files.get("report.json"))),
      (await (await report("json")).json()) as PanelReport,
    );
  });

  test("ends with its process when the client stops reading", async () => {
    const client = new AbortController();
    const response = await report("zip", client.signal);
    const reader = response.body?.getReader();
    assert.ok((await reader?.read())?.value);
    assert.equal(await processes(account), 1);
    client.abort();
    await until("the process is gone", async () => (await processes(account)) === 0);
  });

  async function processes({ get }: TestAccount): Promise<number> {
    const { text } = await get("/metrics");
    return Number(/querent_figures_processes (\d+)\n/.exec(text)?.[1]);
  }
});
