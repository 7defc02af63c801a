/** docs/reference/api.md#create-a-panel: what a panel is, and what is refused. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { PanelPage, PanelQuote, PanelRecord, PanelRevisions } from "@querent/contract";
import { refused, startTestService } from "../harness/service.ts";
import { createPanel, panel, runPanel } from "./fixture.ts";

const service = await startTestService();

suite("panels", () => {
  test("a panel is stored complete, and its digest does not depend on the order of members", async () => {
    const account = await service.account();
    const one = await createPanel(account);
    assert.equal(one.revision, 1);
    assert.deepEqual([one.promptCount, one.cellCount, one.taskCount, one.repeats], [2, 2, 2, 1]);
    assert.equal(one.prompts[1]?.topic, null);
    const { name, prompts, platforms } = panel();
    const other = await account.call<PanelRecord>("POST", "/v1/panels", {
      body: {
        platforms,
        tags: null,
        repeats: 1,
        prompts: prompts.map(({ text, ...rest }) => ({ ...rest, text })),
        name,
      },
    });
    assert.equal(other.body.digest, one.digest);
    assert.notEqual((await createPanel(account, { repeats: 2 })).digest, one.digest);
  });

  test("an edit of what is asked makes a revision, one of the name or the schedule makes none, and all are kept", async () => {
    const account = await service.account();
    const { panelId } = await createPanel(account);
    const path = `/v1/panels/${panelId}`;
    const renamed = await account.call<PanelRecord>("PUT", path, { body: panel({ name: "Renamed" }) });
    assert.deepEqual([renamed.body.revision, renamed.body.name], [1, "Renamed"]);
    const schedule = { cron: "0  6 * * MON", timeZone: "Europe/Berlin" };
    const scheduled = await account.call<PanelRecord>("PUT", path, { body: panel({ schedule }) });
    assert.equal(scheduled.body.revision, 1);
    assert.equal(scheduled.body.schedule?.cron, "0 6 * * MON");
    assert.ok(Date.parse(scheduled.body.nextRunAt ?? "") > Date.now());
    const edited = await account.call<PanelRecord>("PUT", path, { body: panel({ repeats: 3, schedule }) });
    assert.equal(edited.body.revision, 2);
    const { body } = await account.get<PanelRevisions>(`${path}/revisions`);
    assert.deepEqual(
      body.revisions.map(({ revision, taskCount }) => [revision, taskCount]),
      [
        [2, 6],
        [1, 2],
      ],
    );
    assert.equal((await account.get<PanelRecord>(`${path}?revision=1`)).body.repeats, 1);
    assert.equal((await account.get(`${path}?revision=3`)).status, 404);
  });

  test("a pause ends the next run, and going on counts from then", async () => {
    const account = await service.account();
    const schedule = { cron: "0 6 * * *", timeZone: "Europe/Berlin" };
    const { panelId, nextRunAt } = await createPanel(account, { schedule });
    assert.notEqual(nextRunAt, null);
    const put = (paused: boolean) =>
      account.call<PanelRecord>("PUT", `/v1/panels/${panelId}`, { body: panel({ schedule: { ...schedule, paused } }) });
    assert.equal((await put(true)).body.nextRunAt, null);
    assert.equal((await put(false)).body.nextRunAt, nextRunAt);
  });

  test("every bad place is named at once, with a pointer", async () => {
    const account = await service.account();
    const body = panel({
      prompts: [
        { text: "   " },
        { text: "Same?" },
        { text: "Same?" },
        { text: "x".repeat(10_001) },
        { text: "Fine?", promptId: "same" },
        { text: "Fine too?", promptId: "same" },
      ],
      schedule: { cron: "61 * * * *", timeZone: "Mars/Phobos" },
    });
    const answer = await account.call("POST", "/v1/panels", { body });
    const { errors } = refused(answer, "validation_failed");
    assert.deepEqual(errors?.map(({ pointer }) => pointer).toSorted(), [
      "/prompts/0/text",
      "/prompts/2",
      "/prompts/3/text",
      "/prompts/5",
      "/schedule/cron",
      "/schedule/timeZone",
    ]);
  });

  test("the rows of a long list are all checked: each of 90 bad prompts is named", async () => {
    const account = await service.account();
    const prompts = Array.from({ length: 900 }, (_, index) =>
      index % 10 === 0 ? { text: 5, topc: "x" } : { text: `Question ${index}?` },
    );
    const { errors } = refused(
      await account.call("POST", "/v1/panels", { body: panel({ prompts }) }),
      "validation_failed",
    );
    assert.equal(errors?.length, 100);
    assert.ok(errors.some(({ pointer }) => pointer === "/prompts/490/text"));
    assert.ok(errors.some(({ pointer }) => pointer === "/prompts/490/topc"));
  });

  test("what the platforms refuse is named where the panel has it", async () => {
    const account = await service.account();
    const body = panel({ platforms: ["simulator", "nobody"] });
    const { errors } = refused(await account.call("POST", "/v1/panels", { body }), "validation_failed");
    assert.deepEqual(
      errors?.map(({ pointer, code }) => [pointer, code]),
      [["/platforms/1", "unknown_platform"]],
    );
  });

  test("an option that is not valid is named in its locale or its persona", async () => {
    const account = await service.account();
    const body = panel({
      platforms: ["simulator", "sample"],
      locales: [{ country: "DE" }, { country: "XX" }, { language: "??" }, { location: { latitude: 5 } }],
      personas: [
        { name: "a", text: "x" },
        { name: "a", text: "\u0007" },
      ],
    });
    const first = refused(await account.call("POST", "/v1/panels", { body }), "validation_failed");
    assert.deepEqual(first.errors?.map(({ pointer }) => pointer).toSorted(), [
      "/locales/1/country",
      "/locales/2/language",
      "/personas/1/text",
    ]);
    const better = { ...body, locales: [{ country: "DE" }, { location: { latitude: 5 } }], personas: [] };
    const second = refused(await account.call("POST", "/v1/panels", { body: better }), "validation_failed");
    assert.ok(second.errors?.some(({ pointer }) => pointer === "/locales/1/location/longitude"));
  });

  test("hostile bodies are refused", async () => {
    const account = await service.account();
    const bodies = [
      [],
      '"panel"',
      "5",
      {},
      panel({ prompts: [] }),
      panel({ prompts: {} }),
      panel({ prompts: [null, [], 5, "text"] }),
      panel({ prompts: Array.from({ length: 1001 }, (_, index) => ({ text: `${index}?` })) }),
      panel({ platforms: [] }),
      panel({ platforms: Array.from({ length: 51 }, (_, index) => `p${index}`) }),
      panel({ locales: [{}] }),
      panel({ locales: "DE" }),
      panel({ personas: [{ name: "", text: "" }] }),
      panel({ repeats: 101 }),
      panel({ repeats: 0.5 }),
      panel({ options: { output: "everything" } }),
      panel({ name: "\u0000" }),
      panel({ tags: Array.from({ length: 11 }, String) }),
      panel({ schedule: { cron: "* * * * * *" } }),
      panel({ schedule: { cron: "@reboot ab" } }),
      panel({ schedule: { cron: "0 0 30 2 *" } }),
      panel({ schedule: { cron: "0 6 * * *", timeZone: "+02:00" } }),
      panel({ schedule: { cron: `${"1,".repeat(99)}1 * * * *` } }),
      Object.fromEntries(Array.from({ length: 100 }, (_, index) => [`m${index}`, index])),
      panel({ prompts: Array.from({ length: 1000 }, (_, index) => ({ text: `${index}?` })), repeats: 11 }),
    ];
    for (const body of bodies) {
      const answer = await account.call("POST", "/v1/panels", { body });
      assert.equal(answer.status, 422, JSON.stringify(body).slice(0, 200));
      assert.equal((await account.call<PanelQuote>("POST", "/v1/panels/quote", { body })).body.valid, false);
    }
    assert.deepEqual((await account.get<PanelPage>("/v1/panels")).body.panels, []);
  });

  test("a quote says cells, tasks and price, also of a panel that is not stored", async () => {
    const account = await service.account({ points: 5 });
    const body = panel({ repeats: 3, schedule: { cron: "0 6 * * MON", timeZone: "Europe/Berlin" } });
    const { body: quote } = await account.call<PanelQuote>("POST", "/v1/panels/quote", { body });
    assert.deepEqual(
      [quote.valid, quote.cellCount, quote.taskCount, quote.estimatedPoints, quote.availablePoints, quote.affordable],
      [true, 2, 6, 6, 5, false],
    );
    assert.equal(quote.nextSlots.length, 60);
    const { panelId } = await createPanel(account, { repeats: 2 });
    const { body: stored } = await account.call<PanelQuote>("POST", `/v1/panels/${panelId}/quote`);
    assert.deepEqual([stored.taskCount, stored.estimatedPoints, stored.affordable], [4, 4, true]);
  });

  test("panels are listed newest first, in pages; another account sees none of them", async () => {
    const [account, other] = [await service.account(), await service.account()];
    const ids: string[] = [];
    for (let number = 0; number < 3; number++) ids.unshift((await createPanel(account)).panelId);
    const first = await account.get<PanelPage>("/v1/panels?limit=2");
    const second = await account.get<PanelPage>(`/v1/panels?limit=2&cursor=${first.body.nextCursor}`);
    assert.deepEqual(
      [...first.body.panels, ...second.body.panels].map(({ panelId }) => panelId),
      ids,
    );
    assert.equal(second.body.nextCursor, null);
    assert.deepEqual((await other.get<PanelPage>("/v1/panels")).body.panels, []);
    const path = `/v1/panels/${ids[0]}`;
    for (const [method, below] of [
      ["GET", ""],
      ["DELETE", ""],
      ["GET", "/runs"],
      ["GET", "/revisions"],
      ["POST", "/quote"],
    ] as const)
      assert.equal((await other.call(method, path + below)).status, 404);
    assert.equal((await other.call("PUT", path, { body: panel() })).status, 404);
    assert.equal((await runPanel(other, ids[0] ?? "")).status, 404);
  });

  test("scopes: reading needs panels:read, changing and running panels:write", async () => {
    const account = await service.account();
    const { panelId } = await createPanel(account);
    const reader = await account.withToken({ scopes: ["panels:read"] });
    const writer = await account.withToken({ scopes: ["panels:write"] });
    assert.equal((await reader.get("/v1/panels")).status, 200);
    assert.equal((await reader.get("/v1/caps")).status, 200);
    refused(await reader.call("POST", "/v1/panels", { body: panel() }), "scope_missing");
    refused(await reader.call("PUT", "/v1/caps", { body: { caps: [] } }), "scope_missing");
    refused(await runPanel(reader, panelId), "scope_missing");
    refused(await writer.get("/v1/panels"), "scope_missing");
  });
});
