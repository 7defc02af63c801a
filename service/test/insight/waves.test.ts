/** Runs that ask in waves: how they stop, and what they hold, charge and record. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type { PanelRecord, PanelRun } from "@querent/contract";
import { startTestService, type TestAccount } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { createPanel, panel, runPanel } from "./fixture.ts";

const service = await startTestService();
const answers = (rates: readonly number[]) =>
  rates.map((rate, index) => ({ text: `Question ${index}? brands=Acme_Mills:${rate}`, promptId: `p${index}` }));

async function ended(account: TestAccount, { panelId, runId }: PanelRun): Promise<PanelRun> {
  return until("the run to end", async () => {
    const { body } = await account.get<PanelRun>(`/v1/panels/${panelId}/runs/${runId}`);
    return body.endedAt === null ? null : body;
  });
}

async function ownBrand(account: TestAccount): Promise<void> {
  const brand = { name: "Acme Mills", relation: "own" };
  assert.equal((await account.call("POST", "/v1/entities", { body: brand })).status, 201);
}

test("a run stops at the most points, at a cap of the whole run, for lack of points, and without answers", async () => {
  const prompts = answers([0.5, 0.5]);
  const askUntil = { width: 0.01, repeatsMax: 15 };
  const stopOf = async (more: object, given: { points?: number; runPoints?: number } = {}) => {
    const account = await service.account({ points: given.points ?? 1000 });
    await ownBrand(account);
    const { panelId } = await createPanel(account, { prompts, askUntil, ...more });
    const { runPoints } = given;
    if (runPoints !== undefined) {
      const caps = [{ kind: "panel", subject: panelId, runPoints }];
      assert.equal((await account.call("PUT", "/v1/caps", { body: { caps } })).status, 200);
    }
    const { body } = await runPanel(account, panelId);
    const run = await ended(account, body);
    return [run.waves?.stopped, run.waves?.problem?.code ?? null, run.points];
  };
  assert.deepEqual(
    await Promise.all([
      stopOf({ askUntil: { ...askUntil, pointsMax: 3 } }),
      stopOf({}, { runPoints: 3 }),
      stopOf({}, { points: 3 }),
      stopOf({ prompts: [{ text: "fail=platform_refused" }] }),
    ]),
    [
      ["points_max", null, 2],
      ["refused", "cap_exceeded", 2],
      ["refused", "points_short", 2],
      ["no_answers", null, 1],
    ],
  );
});

test("canceling a run stops its waves; without a brand there is one wave", async () => {
  const account = await service.account();
  const askUntil = { width: 0.1 };
  const { panelId } = await createPanel(account, { prompts: [{ text: "delay=30m" }], askUntil });
  const { body } = await runPanel(account, panelId);
  await account.call("POST", `/v1/batches/${body.batches[0]?.batchId}/cancellation`);
  assert.deepEqual((await ended(account, body)).waves?.stopped, "canceled");
  const other = await createPanel(account, { askUntil });
  const alone = await ended(account, (await runPanel(account, other.panelId)).body);
  assert.deepEqual([alone.waves?.stopped, alone.taskCount, alone.tasks?.completed], ["nothing_to_measure", 2, 2]);
});

test("what cannot stop in time is refused, with the place", async () => {
  const account = await service.account();
  const errorsOf = async (more: object) => {
    const answer = await account.call<{ errors: { pointer: string; code: string }[] }>("POST", "/v1/panels", {
      body: panel(more),
    });
    assert.equal(answer.status, 422, answer.text);
    return answer.body.errors.map(({ pointer, code }) => `${pointer} ${code}`);
  };
  assert.deepEqual(await errorsOf({ repeats: 3, askUntil: { width: 0.1 } }), ["/askUntil/repeatsMax out_of_range"]);
  assert.equal((await errorsOf({ askUntil: { width: 0 } }))[0]?.split(" ")[0], "/askUntil/width");
  assert.equal((await errorsOf({ askUntil: {} }))[0]?.split(" ")[0], "/askUntil/width");
  const prompts = Array.from({ length: 400 }, (_, index) => ({ text: `Question ${index}` }));
  assert.deepEqual(await errorsOf({ prompts, askUntil: { width: 0.1 } }), [" too_many"]);
  const made = await createPanel(account, { askUntil: { width: 0.1 } });
  const same = await account.call<PanelRecord>("PUT", `/v1/panels/${made.panelId}`, {
    body: panel({ askUntil: made.askUntil }),
  });
  assert.deepEqual([same.body.revision, same.body.digest], [1, made.digest]);
});
