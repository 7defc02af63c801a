/** Panels that imports make of their questions: what they are, their limits, and their end. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { PanelQuote, PanelRecord, Problem } from "@querent/contract";
import { startTestService } from "../harness/service.ts";
import { runPanel } from "./fixture.ts";
import { addOwnBrand, answer, figures, lines, march, observations, send } from "./imported-answers.ts";

suite("panels of imports", async () => {
  const service = await startTestService();
  after(() => service.stop());

  test("a panel is made of the questions, part by part and also by parts at once; it has figures, and is never asked", async () => {
    const account = await service.account();
    await addOwnBrand(account);
    const all = Array.from({ length: 12 }, (_, n) =>
      answer(1 + (n % 6), { id: `q-${n}`, question: `Which grinder, ${n % 4}? `, topic: `t${n % 2}` }),
    );
    const parts = await Promise.all(
      [0, 4, 8].map((from) =>
        send(account, all.slice(from, from + 4), `name=f&panel=Old%20answers&firstLine=${from + 1}`),
      ),
    );
    assert.deepEqual(new Set(parts.map(({ status }) => status)), new Set([200]));
    const ids = new Set(parts.map(({ body }) => body.panelId));
    assert.equal(ids.size, 1);
    const panelId = [...ids][0] ?? "";
    const { body: panel } = await account.get<PanelRecord>(`/v1/panels/${panelId}`);
    assert.deepEqual(
      [panel.name, panel.platforms, panel.schedule, panel.promptCount, panel.cellCount, panel.taskCount],
      ["Old answers", [], null, 4, 0, 0],
    );
    assert.deepEqual(
      panel.prompts.map(({ text, topic }) => [text, topic]),
      [0, 1, 2, 3].map((n) => [`Which grinder, ${n}?`, `t${n % 2}`]),
    );
    const [row] = await figures(account, panelId, `measure=presence&${march}`);
    assert.deepEqual([row?.group.kind, row?.thesePrompts.answers, row?.thesePrompts.cells], ["imported", 12, 4]);
    // Again: nothing new, and no revision.
    const again = await send(account, all, "name=again&panel=Old%20answers");
    assert.deepEqual([again.body.importedCount, again.body.duplicateCount], [0, 12]);
    const more = await send(account, [answer(7, { id: "q-x", question: "And now?" })], "name=more&panel=Old%20answers");
    assert.equal(more.body.importedCount, 1);
    const { body: later } = await account.get<PanelRecord>(`/v1/panels/${panelId}`);
    assert.deepEqual([later.promptCount, later.revision], [5, 2]);
    const run = await runPanel(account, panelId);
    assert.equal(run.status, 422, run.text);
    const { body: quote } = await account.call<PanelQuote>("POST", `/v1/panels/${panelId}/quote`);
    assert.deepEqual([quote.valid, quote.taskCount, quote.errors[0]?.pointer], [false, 0, "/platforms"]);
    const { prompts: asked, name } = later;
    const topics = await account.call("PUT", `/v1/panels/${panelId}`, {
      body: { name, platforms: [], prompts: asked.map((prompt) => ({ ...prompt, topic: "all" })) },
    });
    assert.equal(topics.status, 200, topics.text);
    const scheduled = await account.call<Problem>("PUT", `/v1/panels/${panelId}`, {
      body: { name, platforms: [], prompts: asked, schedule: { cron: "0 6 * * MON" } },
    });
    assert.deepEqual([scheduled.status, scheduled.body.errors?.[0]?.pointer], [422, "/schedule"]);
  });

  test("products of imports are searched for brands, and more imports give their figures", async () => {
    const account = await service.account();
    const { body: entity } = await account.call<{ entityId: string }>("POST", "/v1/entities", {
      body: { name: "Acme Mills", relation: "own" },
    });
    const shown = (n: number) => [
      { title: "Globex [Two]", url: "https://shop.example/2", price: "$5" },
      ...(n % 2 === 0 ? [{ title: "Acme Mills One", url: "https://mills.example/1", shop: "Corner" }] : []),
    ];
    const all = Array.from({ length: 6 }, (_, n) =>
      answer(n + 1, { content: "Two are good.", products: shown(n + 1) }),
    );
    const { body } = await send(account, all, "name=products&panel=Products");
    const about = `${march}&entityId=${entity.entityId}`;
    const panelId = body.panelId ?? "";
    const rows = await figures(account, panelId, `measure=product_rate,product_position,product_share&${about}`);
    assert.deepEqual(
      rows.map(({ measure, thesePrompts, leftOut }) => [measure, thesePrompts.value, leftOut["not_searched"] ?? 0]),
      [
        ["product_rate", 1 / 2, 0],
        ["product_position", 2, 0],
        ["product_share", 3 / 9, 0],
      ],
    );
    const [observation] = (await observations(account, `panelId=${panelId}`)).filter(({ cards }) => cards.length === 2);
    assert.deepEqual(
      observation?.cards.map(({ title, start, domain }) => [title, start !== undefined, domain]),
      [
        ["Globex [Two]", true, "shop.example"],
        ["Acme Mills One", true, "mills.example"],
      ],
    );
    const again = await send(account, all, "name=again&panel=Products");
    assert.deepEqual([again.body.importedCount, again.body.duplicateCount], [0, 6]);
  });

  test("a panel of imports has its limits: prompts with ids and texts that a panel can have, at most 1000", async () => {
    const account = await service.account();
    const wrong = await send(
      account,
      [
        answer(1, { promptId: "of spaces" }),
        answer(2, { question: " " }),
        answer(3, { question: "a".repeat(10_001) }),
        answer(4),
      ],
      "name=w&panel=P",
    );
    assert.deepEqual(
      [wrong.status, wrong.body.errors?.map(({ pointer }) => pointer)],
      [422, ["/1/promptId", "/2/question", "/3/question"]],
    );
    const many = Array.from({ length: 1_001 }, (_, n) => answer(1, { id: `m-${n}`, question: `Which, ${n}?` }));
    const over = await send(account, many, "name=m&panel=P");
    assert.deepEqual([over.status, over.body.errors?.map(({ pointer }) => pointer)], [422, ["/1001/question"]]);
    assert.deepEqual((await account.get<{ panels: unknown[] }>("/v1/panels")).body.panels, []);
    const manyPanels = Array.from({ length: 21 }, (_, n) =>
      answer(1, { panelId: `00000000-0000-7000-8000-0000000000${String(n).padStart(2, "0")}` }),
    );
    const panels = await send(account, manyPanels, "name=p");
    assert.deepEqual([panels.status, panels.body.errors?.[0]?.code], [422, "too_many"]);
  });

  test("an overview that was only announced is there and unread: no figure about texts counts it, and a warning names it", async () => {
    const account = await service.account();
    await addOwnBrand(account);
    const search = (id: string, n: number, overview: object) => ({
      search_metadata: { id, status: "Success", created_at: `2026-03-0${n} 12:00:00 UTC` },
      search_parameters: { engine: "google", q: "which grinder" },
      ai_overview: overview,
    });
    const { body, text } = await send(
      account,
      [
        search("s-1", 1, { text_blocks: [{ type: "paragraph", snippet: "Acme Mills." }] }),
        search("s-2", 2, { page_token: "t" }),
        search("s-3", 3, {}),
      ],
      "name=s&format=serpapi&panel=Overviews&firstLine=11",
    );
    assert.equal(body.importedCount, 3, text);
    assert.deepEqual(body.warnings?.map(({ pointer }) => pointer), ["/12"]); // prettier-ignore
    const panelId = body.panelId ?? "";
    const of = async (measure: string) => {
      const [row] = await figures(account, panelId, `measure=${measure}&${march}`);
      return [row?.thesePrompts.value, row?.thesePrompts.answers, row?.leftOut];
    };
    assert.deepEqual(await of("empty_rate"), [1 / 3, 3, {}]);
    assert.deepEqual(await of("presence"), [1, 1, { no_text: 2 }]);
    assert.deepEqual(await of("cited_answers"), [0, 1, { no_text: 2 }]);
    assert.deepEqual(await of("answer_length"), [11, 1, { no_text: 2 }]);
    const flags = (await observations(account, `panelId=${panelId}`)).map((one) => one.flags);
    assert.deepEqual(flags, [["empty"], ["unread"], []]);
  });

  test("the panel is deleted with its imported answers and its imports, and what it held is free again", async () => {
    const account = await service.account();
    const used = async () => {
      const { rows } = await service.database.query<{ kind: string; row_count: number }>(
        "select kind, row_count::int from account_storage where account_id = $1 and kind in ('imports', 'panels') order by kind",
        [account.accountId],
      );
      return rows.map(({ kind, row_count: count }) => [kind, count]);
    };
    const { body } = await send(account, [answer(1), answer(2)], "name=d&panel=Gone");
    // Two observations, their two texts, and the import; the revision of the panel.
    assert.deepEqual(await used(), [["imports", 5], ["panels", 1]]); // prettier-ignore
    assert.equal((await account.call("DELETE", `/v1/panels/${body.panelId}`)).status, 204);
    assert.deepEqual(await observations(account, ""), []);
    assert.deepEqual((await account.get<{ imports: unknown[] }>("/v1/imports")).body.imports, []);
    assert.deepEqual(await used(), [["imports", 0], ["panels", 0]]); // prettier-ignore
    const again = await send(account, [answer(1), answer(2)], "name=d&panel=Gone");
    assert.deepEqual([again.status, again.body.importedCount], [200, 2]);
  });

  test("an account that has used up its storage makes no panel of imports, and a token without the scope neither", async () => {
    const account = await service.account();
    const { body: token } = await account.call<{ token: string }>("POST", "/v1/tokens", {
      body: { name: "t", scopes: ["tasks:write", "tasks:read"] },
    });
    const reply = await fetch(`${service.address}/v1/imports?name=s&panel=P`, {
      method: "POST",
      headers: { authorization: `Bearer ${token.token}`, "content-type": "application/x-ndjson" },
      body: lines([answer(1)]),
    });
    assert.deepEqual([reply.status, ((await reply.json()) as Problem).code], [403, "scope_missing"]);
    assert.deepEqual((await account.get<{ panels: unknown[] }>("/v1/panels")).body.panels, []);
    // One answer: its observation, its text, the import, and the revision of the panel.
    await service.database.query("update accounts set storage_rows_max = 4 where id = $1", [account.accountId]);
    assert.equal((await send(account, [answer(1)], "name=s&panel=P")).status, 200);
    const { body } = await send(account, [answer(2)], "name=q&panel=Q");
    assert.equal(body.code, "storage_quota_exceeded");
    assert.deepEqual((await account.get<{ panels: PanelRecord[] }>("/v1/panels")).body.panels.map(({ name }) => name), ["P"]); // prettier-ignore
  });
});
