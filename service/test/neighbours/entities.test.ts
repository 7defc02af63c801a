/** Entities that are made to be slow cost their own account its observations, and nobody else anything. */
import assert from "node:assert/strict";
import { test } from "node:test";
import type {
  EntityMentions,
  ImportRecord,
  MentionRecount,
  ObservationPage,
  PanelRecord,
  Problem,
} from "@querent/contract";
import { setTimeout as sleep } from "node:timers/promises";
import { startTestService, type ServiceAnswer, type TestAccount } from "../harness/service.ts";
import { respelled } from "./respelled.ts";

const service = await startTestService();

async function define(account: TestAccount, entities: readonly object[]): Promise<void> {
  for (let from = 0; from < entities.length; from += 200) {
    const { status, text } = await account.call("PUT", "/v1/entities", { body: entities.slice(from, from + 200) });
    assert.equal(status, 200, text.slice(0, 500));
  }
}

/** As clients do: what is refused because too much is under way is sent again when the answer says so. */
async function served<Body>(send: () => Promise<ServiceAnswer<Body>>): Promise<ServiceAnswer<Body>> {
  for (;;) {
    const answer = await send();
    if (answer.status !== 429 && answer.status !== 503) return answer;
    await sleep(1000 * Number(answer.headers["retry-after"]));
  }
}

/** The most processor time that the main thread takes between two turns of the event loop, whatever else this machine does. */
async function longestStep(work: () => Promise<unknown>): Promise<number> {
  let longest = 0;
  const spent = () => {
    const { user, system } = process.threadCpuUsage();
    return (user + system) / 1000;
  };
  let last = spent();
  const look = () => {
    const now = spent();
    longest = Math.max(longest, now - last);
    last = now;
  };
  const timer = setInterval(look, 1);
  try {
    await work();
    look();
  } finally {
    clearInterval(timer);
  }
  return longest;
}

/** A neighbour that asks one question after another until the work is done; returns how many were answered. */
async function besideNeighbour(work: Promise<void>): Promise<number> {
  const neighbour = await service.account();
  await define(neighbour, [{ name: "Acme" }]);
  let isDone = false;
  const watched = work.finally(() => (isDone = true));
  // Whoever waits for it below sees why it failed.
  watched.catch(() => undefined);
  let answered = 0;
  do {
    const { taskId, state } = await neighbour.answerTo(`Which is better, Acme or Zenith? ${answered}`);
    assert.equal(state, "completed");
    const { body } = await neighbour.get<ObservationPage>(`/v1/observations?taskId=${taskId}`);
    assert.ok((body.observations[0]?.mentions.length ?? 0) > 0, "the neighbour's answers are searched all the while");
    answered++;
  } while (!isDone);
  await watched;
  return answered;
}

const line = (content: string, nth: number) =>
  `${JSON.stringify({ id: `a-${nth}`, question: "Which?", platformCode: "chatgpt", observedAt: "2025-05-24T15:56:04Z", content })}\n`;
const importOf = (account: TestAccount, contents: readonly string[]) =>
  served(() =>
    account.call<ImportRecord>("POST", "/v1/imports?name=attack", {
      body: contents.map(line).join(""),
      headers: { "content-type": "application/x-ndjson" },
    }),
  );
const observationsOf = async (account: TestAccount) =>
  (await account.get<ObservationPage>("/v1/observations?limit=200")).body.observations;

test("a hundred thousand aliases that respell one word stop nobody", async (t) => {
  const attacker = await service.account();
  let answered = 0;
  const longest = await longestStep(async () => {
    // What the simulator's long answers repeat.
    await define(attacker, respelled("this answer is simulated"));
    const text = "This answer is simulated, Thisansweris-simulated. ".repeat(1_300);
    const attack = async () => {
      const tasks = await attacker.submit(
        Array.from({ length: 20 }, (_, nth) => ({ question: `${nth} size=65536`, platformCode: "simulator" })),
      );
      const trials = Array.from({ length: 4 }, () =>
        served(() => attacker.call<EntityMentions>("POST", "/v1/entities/try", { body: { text } })),
      );
      const imported = await importOf(
        attacker,
        Array.from({ length: 20 }, (_, nth) => `${nth} ${text}`),
      );
      assert.equal(imported.body.importedCount, 20, imported.text);
      for (const trial of await Promise.all(trials)) {
        assert.equal(trial.status, 200, trial.text);
        assert.equal(trial.body.mentions.length, 0);
      }
      for (const { taskId } of tasks.tasks) assert.equal((await attacker.ended(taskId)).state, "completed");
    };
    answered = await besideNeighbour(attack());
  });
  const observations = await observationsOf(attacker);
  t.diagnostic(
    `${answered} questions of the neighbour; the main thread was taken for ${Math.round(longest)} ms at the longest; flags ${JSON.stringify(observations.map(({ flags }) => flags.filter((flag) => flag.startsWith("not_searched"))).flat())}`,
  );
  assert.equal(observations.length, 40);
  assert.ok(longest < 400, `${longest} ms`);
  // A slow machine does not search all of them in the time that an answer waits.
  for (const { instrument, flags } of observations)
    assert.ok(instrument.matcher !== null || flags.some((flag) => flag.startsWith("not_searched:")), String(flags));
});

test("a name of 200 signs against a million of them costs a moment, and says that the search is not complete", async (t) => {
  const attacker = await service.account({ scopes: ["panels:read"] });
  const body = { text: "中".repeat(1_000_000), entity: { name: "中".repeat(200) } };
  let answered = 0;
  const longest = await longestStep(async () => {
    const attack = async () => {
      for (let round = 0; round < 3; round++) {
        const trials = await Promise.all(
          Array.from({ length: 4 }, () =>
            served(() => attacker.call<EntityMentions>("POST", "/v1/entities/try", { body })),
          ),
        );
        for (const trial of trials) {
          assert.equal(trial.status, 200, trial.text);
          assert.equal(trial.body.complete, false);
        }
      }
    };
    answered = await besideNeighbour(attack());
  });
  t.diagnostic(`${answered} questions of the neighbour; ${Math.round(longest)} ms at the longest`);
  assert.ok(longest < 400, `${longest} ms`);
});

test("an answer that takes more steps than it may is marked as not searched, and found by a recount once the entities allow it", async () => {
  const account = await service.account();
  // Each of them ends at each sign.
  const nested = Array.from({ length: 100 }, (_, nth) => ({ name: "中".repeat(nth + 1) }));
  await define(account, nested);
  const { body: imported } = await importOf(account, ["中".repeat(100_000), "A short one names 中."]);
  assert.equal(imported.importedCount, 2);
  const flagged = (flag: string) => async () =>
    (await observationsOf(account)).filter(({ flags }) => flags.includes(flag)).length;
  const [long] = (await observationsOf(account)).filter(({ contentLength }) => contentLength === 100_000);
  assert.deepEqual([long?.flags, long?.mentions.length, long?.instrument.matcher], [["not_searched:limit"], 0, null]);
  assert.equal(await flagged("not_searched:limit")(), 1);
  const recount = async () => (await account.call<MentionRecount>("POST", "/v1/observations/recount")).body;
  assert.deepEqual(await recount(), { recounted: 1, changed: 0, notSearched: 1, expired: 0, nextCursor: null });

  const prompts = [{ text: "中".repeat(2_000) }];
  const panel = { name: "Nested", prompts, platforms: ["simulator"] };
  const created = await account.call<PanelRecord>("POST", "/v1/panels", { body: panel });
  assert.equal(created.status, 201, created.text);
  assert.deepEqual([created.body.brandedPrompts, created.body.brandedPromptsUnknown], [[], true]);
  const figures = await account.get<Problem>(`/v1/panels/${created.body.panelId}/figures?measure=presence`);
  assert.equal(figures.status, 503, figures.text);
  assert.match(figures.body.detail ?? "", /Nothing was searched/);

  for (const { entityId } of (await account.get<{ entities: { entityId: string }[] }>("/v1/entities?limit=200")).body
    .entities)
    assert.equal((await account.call("DELETE", `/v1/entities/${entityId}`)).status, 200);
  await define(account, [{ name: "Acme" }]);
  assert.deepEqual(await recount(), { recounted: 2, changed: 2, notSearched: 0, expired: 0, nextCursor: null });
  assert.equal(await flagged("not_searched:limit")(), 0);
});
