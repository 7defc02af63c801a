/** Two runs of a panel, compared over HTTP. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { EntityRecord, PanelRunDiff, Problem } from "@querent/contract";
import { startTestService, type TestAccount } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { asOneWording, createPanel, panel, runPanel } from "./fixture.ts";

suite("the diff of two runs", async () => {
  const service = await startTestService();
  after(() => service.stop());

  const diff = async (account: TestAccount, panelId: string, runId: string, query = "") => {
    const { status, body, text } = await account.get<PanelRunDiff>(`/v1/panels/${panelId}/runs/${runId}/diff${query}`);
    assert.equal(status, 200, text);
    return body;
  };
  const runAndObserve = async (account: TestAccount, panelId: string) => {
    const { runId, taskCount } = (await runPanel(account, panelId)).body;
    await until("every answer is observed", async () => {
      const { rows } = await service.database.query<{ count: number }>(
        "select count(*)::int as count from observations where account_id = $1 and run_id = $2",
        [account.accountId, runId],
      );
      return rows[0]?.count === taskCount;
    });
    return runId;
  };
  const prompts = (named: string) => [
    { text: `Which grinder? brands=${named}:1@1`, promptId: "grinder" },
    { text: "Which kettle? brands=Globex_Corp:1@1", promptId: "kettle" },
  ];

  test("says what differs, and how often reruns differ as much; runs that brought the same have no changes", async () => {
    const account = await service.account();
    for (const name of ["Acme Mills", "Globex Corp"])
      await account.call<EntityRecord>("POST", "/v1/entities", { body: { name, relation: "own" } });
    const { panelId } = await createPanel(account, { prompts: prompts("Acme_Mills") });
    const runs = [];
    for (let run = 0; run < 3; run++) runs.push(await runAndObserve(account, panelId));
    const edited = panel({ prompts: prompts("Globex_Corp") });
    assert.equal((await account.call("PUT", `/v1/panels/${panelId}`, { body: edited })).status, 200);
    runs.push(await runAndObserve(account, panelId));
    // A prompt that was reworded is another cell in each of the runs.
    const reworded = await diff(account, panelId, runs[3] ?? "");
    assert.deepEqual(
      reworded.changes.map(({ promptId, answers }) => [promptId, answers.before + answers.after]),
      [
        ["grinder", 1],
        ["grinder", 1],
      ],
    );
    assert.deepEqual(reworded.cells, { both: 1, onlyBefore: 1, onlyAfter: 1 });
    await asOneWording(service.database, panelId);

    const same = await diff(account, panelId, runs[2] ?? "");
    assert.equal(same.before.runId, runs[1]);
    assert.deepEqual([same.changes, same.cells.both, same.nextCursor], [[], 2, null]);

    const changed = await diff(account, panelId, runs[3] ?? "", "?results=true");
    assert.deepEqual([changed.before.revision, changed.after.revision, changed.otherRuns], [1, 2, 2]);
    const [cell] = changed.changes;
    assert.ok(cell !== undefined && changed.changes.length === 1);
    assert.deepEqual([cell.promptId, cell.answers], ["grinder", { before: 1, after: 1 }]);
    const noise = { differ: 0, pairs: 1 };
    assert.deepEqual(
      cell.brands.map(({ label, before, after: now, reruns }) => [label, before, now, reruns]),
      [
        ["Acme Mills", 1, 0, noise],
        ["Globex Corp", 0, 1, noise],
      ],
    );
    assert.equal(cell.first.length, 2);
    assert.deepEqual(cell.text?.reruns, noise);
    const added = cell.text.words?.filter(({ change }) => change === "added").map(({ text }) => text.trim());
    assert.ok(added?.includes("Globex"), JSON.stringify(cell.text));
    assert.deepEqual(
      changed.aspects.find(({ aspect }) => aspect === "brands"),
      { aspect: "brands", changed: 1, cells: 2, reruns: { differ: 0, pairs: 2 } },
    );

    const first = await diff(account, panelId, runs[3] ?? "", `?with=${runs[0]}&promptId=kettle`);
    assert.deepEqual([first.changes, first.cells.both, first.before.runId], [[], 1, runs[0]]);
    const backwards = await diff(account, panelId, runs[0] ?? "", `?with=${runs[3]}`);
    assert.deepEqual(
      backwards.changes[0]?.brands.map(({ label, before }) => [label, before]),
      [
        ["Globex Corp", 1],
        ["Acme Mills", 0],
      ],
    );
    assert.equal(backwards.changes[0]?.text, null);
  });

  test("pages through the changes", async () => {
    const account = await service.account();
    const many = (brand: string) =>
      Array.from({ length: 3 }, (_, index) => ({ text: `Which ${index}? brands=${brand}:1@1`, promptId: `p${index}` }));
    await account.call("POST", "/v1/entities", { body: { name: "Acme Mills", relation: "own" } });
    const { panelId } = await createPanel(account, { prompts: many("Acme_Mills") });
    await runAndObserve(account, panelId);
    await account.call("PUT", `/v1/panels/${panelId}`, { body: panel({ prompts: many("Globex_Corp") }) });
    const runId = await runAndObserve(account, panelId);
    await asOneWording(service.database, panelId);
    const seen: string[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const page: PanelRunDiff = await diff(
        account,
        panelId,
        runId,
        `?limit=2${cursor === "" ? "" : `&cursor=${cursor}`}`,
      );
      seen.push(...page.changes.map(({ promptId }) => promptId));
      cursor = page.nextCursor;
    }
    assert.deepEqual(seen, ["p0", "p1", "p2"]);
  });

  test("a run that is not there, or has none before it, is not found; what is malformed is refused", async () => {
    const account = await service.account();
    const { panelId } = await createPanel(account);
    const runId = await runAndObserve(account, panelId);
    const status = async (path: string) => (await account.get<Problem>(`/v1/panels/${panelId}/runs/${path}`)).status;
    assert.equal(await status(`${runId}/diff`), 404);
    assert.equal(await status(`${panelId}/diff?with=${runId}`), 404);
    assert.equal(await status(`${runId}/diff?with=nonsense`), 422);
    assert.equal(await status(`${runId}/diff?cursor=nonsense`), 422);
    const other = await service.account();
    assert.equal((await other.get(`/v1/panels/${panelId}/runs/${runId}/diff?with=${runId}`)).status, 404);
    assert.deepEqual((await diff(account, panelId, runId, `?with=${runId}&results=true`)).changes, []);
  });
});
