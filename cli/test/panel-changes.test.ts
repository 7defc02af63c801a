import assert from "node:assert/strict";
import { test } from "node:test";
import type {
  EntityRecord,
  Figure,
  FoundChange,
  FoundInstrumentChange,
  PanelChanges,
  PanelRecord,
} from "@querent/client";
import { startTestService } from "../../service/test/harness/service.ts";
import { place } from "./place.ts";

const service = await startTestService();
const panelId = "019b76da-a800-7000-8000-000000000001";
const [changeId, instrumentId] = ["019b76da-a800-7000-8000-000000000002", "019b76da-a800-7000-8000-000000000003"];
const foundAt = "2026-01-20T06:00:00.000Z";
const instrument = { kind: "api", recipe: null, reader: 1, matcher: "2", sourceRules: null } as const;

const figure = (value: number): Figure => ({
  value,
  interval: null,
  scope: "these_prompts",
  cells: 1,
  answers: 1,
  window: { from: null, to: null },
  instrument: [],
  definition: "presence/1",
  reason: null,
  observations: "/v1/observations",
});

test("each verdict is a line that says why, and a change of the instrument stands apart", async () => {
  using here = await place(service);
  const { account } = here;
  const entity = { name: "Acme \u001b[31mMills", relation: "own" };
  const acme = (await account.call<EntityRecord>("POST", "/v1/entities", { body: entity })).body.entityId;
  const body = { name: "Coffee", prompts: [{ text: "Which grinder?" }], platforms: ["simulator"] };
  const panel = (await account.call<PanelRecord>("POST", "/v1/panels", { body })).body.panelId;
  const unjudged = await here.run(["panel", "changes", panel, "--text"]);
  assert.equal(unjudged.stdout, "no run of it has been judged yet\n");

  const about = { platformCode: "simulator", kind: "api" } as const;
  const presence = { measure: "presence", definition: "presence/1", entityId: acme, domain: null } as const;
  const series = { ...about, ...presence, persona: "" } as const;
  const nothing = { from: null, to: null, prompts: 1, evidence: null, threshold: null, changeId: null };
  const none = { ...series, ...nothing, smallestChange: null, missingDays: null, paused: null };
  const paused: PanelChanges["series"][number]["paused"] = {
    reason: "recipe_drift",
    since: foundAt,
    signs: [{ what: "extract.answer", sign: "unmatched" }],
  };
  const verdicts: PanelChanges["series"] = [
    { ...none, locale: "DE", verdict: "changed", changeId },
    {
      ...none,
      locale: "FR",
      verdict: "not_distinguishable",
      smallestChange: { difference: 0.183, since: "2026-01-13" },
    },
    { ...none, locale: "IT", verdict: "not_enough_data", missingDays: 1 },
    { ...none, locale: "US", verdict: "instrument_changed", missingDays: 5 },
    { ...none, locale: "ES", verdict: null, paused },
    {
      ...{ ...none, measure: "citation_rate", definition: "citation_rate/1", entityId: null, domain: "tests.example" },
      ...{ locale: "DE", verdict: "not_enough_data", missingDays: 2 },
    },
  ];
  const change: FoundChange = {
    ...{ ...series, locale: "DE", changeId, panelId, direction: "down", difference: -0.21, since: "2026-01-15" },
    ...{ sinceRunId: null, foundAt, evidence: 90, threshold: 40, before: figure(0.52), after: figure(0.31) },
  };
  const models: FoundInstrumentChange = {
    ...{ ...about, changeId: instrumentId, panelId, since: "2026-01-18", sinceRunId: null, foundAt, figures: [] },
    before: [{ ...instrument, modelVersion: "alpha" }],
    after: [{ ...instrument, modelVersion: "beta" }],
  };
  await service.database.query(
    "insert into panel_evaluations (account_id, panel_id, evaluated_at, verdicts) values ($1, $2, $3, $4)",
    [account.accountId, panel, foundAt, JSON.stringify(verdicts)],
  );
  for (const [kind, data] of [
    ["change", change],
    ["instrument", models],
  ] as const)
    await service.database.query(
      `insert into panel_changes (account_id, panel_id, id, kind, series, day, found_at, data)
       values ($1, $2, $3, $4, 's', now(), now(), $5)`,
      [account.accountId, panel, data.changeId, kind, JSON.stringify(data)],
    );

  const { stdout, stderr, code } = await here.run(["panel", "changes", panel, "--text"]);
  assert.equal(code, 0, stderr);
  const lines = stdout.trimEnd().split("\n");
  assert.equal(lines[0], `judged at ${foundAt}`);
  assert.equal(lines[1], "simulator changed its instrument on 2026-01-18: model alpha to beta");
  assert.ok(!stdout.includes("\u001b"));
  assert.deepEqual(
    lines.slice(3).map((line) => line.split("  ").at(-1)),
    [
      "down 21 points since 2026-01-15 (52 % to 31 %)",
      "no change; 18 points since 2026-01-13 would be found",
      "too early: 1 more day with a run",
      "new instrument: 5 more days with a run",
      "paused, the page does not match: extract.answer",
      "too early: 2 more days with a run",
    ],
  );
  assert.match(lines.at(-1) ?? "", /^citation_rate +tests\.example +simulator, DE /);
});
