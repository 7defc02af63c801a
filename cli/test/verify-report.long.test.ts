/** Changes in a report: as they were announced, and computed again from its answers as far as it has them. */
import assert from "node:assert/strict";
import { generateKeyPairSync } from "node:crypto";
import { suite, test } from "node:test";
import type { PanelChanges, PanelReport } from "@querent/client";
import { publicKeyOf, writeReportZip, type ReportFile } from "@querent/evidence";
import { readZip } from "../../evidence/src/read-zip.ts";
import { markDue } from "../../service/src/reports/changes/evaluations.ts";
import { startTestService, type TestAccount } from "../../service/test/harness/service.ts";
import { until } from "../../service/test/harness/wait.ts";
import { createPanel } from "../../service/test/insight/fixture.ts";
import { runWeeks, weeksPanel, type Phase } from "../../service/test/insight/weeks.ts";
import { verifyReport } from "../src/verify-report.ts";

suite("changes in a report", async () => {
  const service = await startTestService({ roles: ["api", "worker"] });
  const { database } = service;
  const dayMs = 86_400_000;

  async function judgedPanel(phases: readonly Phase[]): Promise<{ account: TestAccount; panelId: string }> {
    const account = await service.account({ points: 100_000 });
    for (const [name, relation] of [
      ["Acme Mills", "own"],
      ["Globex Corp", "competitor"],
    ])
      assert.equal((await account.call("POST", "/v1/entities", { body: { name, relation } })).status, 201);
    const { panelId } = await createPanel(account, weeksPanel(phases[0]?.directives ?? ""));
    await runWeeks(service, account, panelId, phases);
    const path = `/v1/panels/${panelId}/changes`;
    const before = (await account.get<PanelChanges>(path)).body.evaluatedAt;
    await markDue(database, { accountId: account.accountId, panelId });
    await until("it is judged", async () => (await account.get<PanelChanges>(path)).body.evaluatedAt !== before);
    return { account, panelId };
  }
  const at = (ms: number) => new Date(Date.now() + ms).toISOString();
  const report = async ({ account, panelId }: { account: TestAccount; panelId: string }, days: number) => {
    const path = `/v1/panels/${panelId}/report?from=${at(-days * dayMs)}&to=${at(dayMs / 24)}`;
    const { status, body, text } = await account.get<PanelReport>(path);
    assert.equal(status, 200, text);
    const response = await fetch(`${service.address}${path}&format=zip`, {
      headers: { authorization: `Bearer ${account.token}` },
    });
    const html = (await account.get<string>(`${path}&format=html`)).text;
    return { body, html, zip: Buffer.from(await response.arrayBuffer()) };
  };

  test("a fall is stated as it was announced, and computed again with the same figures and evidence", async () => {
    const panel = await judgedPanel([
      { days: 12, directives: "brands=Acme_Mills:0.8,Globex_Corp:0.5" },
      { days: 9, directives: "brands=Acme_Mills:0.2,Globex_Corp:0.5" },
    ]);
    const { body, html, zip } = await report(panel, 40);
    const announced = (await panel.account.get<PanelChanges>(`/v1/panels/${panel.panelId}/changes`)).body.changes;
    const change = body.changes?.find(({ measure }) => measure === "presence");
    const { panelId: _, sinceRunId: __, ...fall } = announced.find(({ measure }) => measure === "presence") ?? {};
    assert.ok(change !== undefined && change.direction === "down");
    const { verdict, recomputed, ...stated } = change;
    assert.deepEqual(stated, fall);
    assert.equal(verdict, "changed");
    for (const one of body.changes ?? [])
      assert.deepEqual(one.recomputed, { before: "same", after: "same", evidence: "same" }, one.measure);
    assert.deepEqual(recomputed, { before: "same", after: "same", evidence: "same" });
    assert.match(html, /What has changed.*Acme Mills.*Named in answers.*the same/s);
    const verified = verifyReport(zip, null);
    assert.equal(verified.verdict, "intact", verified.sentence);
    assert.match(verified.sentence, /Of the (\d+) changes that it states, \1 were computed again/);

    // A window that begins later has the answers after, and not all of those before.
    const later = (await report(panel, 10)).body.changes?.find(({ measure }) => measure === "presence");
    assert.deepEqual(later?.recomputed, { before: "not_in_window", after: "same", evidence: "not_in_window" });

    // Whoever states another change is contradicted by the report's own answers.
    const forged = await changed(zip, (text) => text.replace(/"evidence": [\d.e+]+/u, '"evidence": 123456'));
    const claims = verifyReport(forged, null);
    assert.equal(claims.verdict, "refused");
    assert.match(claims.sentence, /\/changes\/0\/(recomputed\/evidence|evidence)/);

    // A version before stated another interval, by another method; nobody states another by today's.
    for (const [method, expected] of [
      ["wilson_t_runs", "same"],
      ["wilson_t_answers_and_runs", "other"],
    ] as const) {
      const interval = JSON.stringify({ low: 0.01, high: 0.99, level: 0.95, method });
      await database.query(
        "update panel_changes set data = jsonb_set(data::jsonb, '{before,interval}', $2::jsonb)::json where panel_id = $1",
        [panel.panelId, interval],
      );
      const restated = (await report(panel, 40)).body.changes?.find(({ measure }) => measure === "presence");
      assert.deepEqual(restated?.recomputed, { before: expected, after: "same", evidence: "same" }, method);
    }

    await database.query("update panel_changes set basis = null where panel_id = $1", [panel.panelId]);
    const old = (await report(panel, 40)).body.changes?.[0];
    assert.equal(old?.recomputed.evidence, "not_recorded");

    // Each change takes a while to compute, so nobody makes a report of many.
    const many = await changed(zip, (text) => {
      const facts = JSON.parse(text) as { found: { changes: unknown[] } };
      const [first] = facts.found.changes;
      return JSON.stringify({ ...facts, found: { ...facts.found, changes: Array.from({ length: 51 }, () => first) } });
    });
    assert.match(verifyReport(many, null).sentence, /No report can be made/);
  });

  test("answers that are gone are noticed, and nothing else is claimed of them", async () => {
    const panel = await judgedPanel([
      { days: 12, directives: "brands=Acme_Mills:0.9" },
      { days: 9, directives: "brands=Acme_Mills:0.1" },
    ]);
    await database.query("delete from observations where panel_id = $1 and prompt_id = 'p3'", [panel.panelId]);
    const { body, zip } = await report(panel, 40);
    const change = body.changes?.find(({ measure }) => measure === "presence");
    assert.deepEqual(change?.recomputed, { before: "other", after: "other", evidence: "other" });
    const verified = verifyReport(zip, null);
    assert.equal(verified.verdict, "intact", verified.sentence);
    assert.match(verified.sentence, /the answers give something else for \d/);
  });

  test("a new model is a change of the instrument, with the figures of both", async () => {
    const panel = await judgedPanel([
      { days: 12, directives: "brands=Acme_Mills:0.3 model=alpha" },
      { days: 3, directives: "brands=Acme_Mills:0.7 model=beta" },
    ]);
    const { body, html, zip } = await report(panel, 40);
    assert.deepEqual(body.changes, []);
    const [change] = body.instrumentChanges ?? [];
    assert.deepEqual(
      [change?.verdict, change?.recomputed.figures, change?.after.map(({ modelVersion }) => modelVersion)],
      ["instrument_changed", "same", ["beta"]],
    );
    assert.match(html, /Changes of what answers are taken with.*alpha.*beta.*the same/s);
    assert.equal(verifyReport(zip, null).verdict, "intact");
    const later = (await report(panel, 5)).body.instrumentChanges?.[0];
    assert.equal(later?.recomputed.figures, "not_in_window");
  });
});

/** The facts of a report, changed, and signed again. */
async function changed(zip: Buffer, change: (facts: string) => string): Promise<Buffer> {
  const { privateKey } = generateKeyPairSync("ed25519");
  const files = new Map(readZip(zip).files);
  const manifest = JSON.parse(String(files.get("manifest.json"))) as Parameters<typeof writeReportZip>[0];
  const before = String(files.get("facts.json"));
  const after = change(before);
  assert.notEqual(after, before);
  files.set("facts.json", Buffer.from(after));
  async function* list(): AsyncGenerator<ReportFile> {
    for (const [name, bytes] of files)
      if (!name.startsWith("manifest.")) yield { name, mediaType: "application/json", bytes };
  }
  return Buffer.concat(
    await Array.fromAsync(writeReportZip({ ...manifest, key: publicKeyOf(privateKey) }, list(), privateKey)),
  );
}
