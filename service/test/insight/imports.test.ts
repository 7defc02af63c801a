/** Answers from elsewhere become observations, each once, and nothing else. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { ImportRecord, ObservationPage, Problem } from "@querent/contract";
import { ProblemError } from "../../src/api/problem-error.ts";
import { selectionOf } from "../../src/observations/records/list-rows.ts";
import { timeOfId } from "../../src/kernel/ids.ts";
import { readImported } from "./read-imported.ts";
import { startTestService, type TestAccount } from "../harness/service.ts";

const answer = (n: number, more: object = {}) => ({
  id: `a-${n}`,
  question: `Which shoes? ${n % 3}`,
  platformCode: "chatgpt",
  observedAt: "2025-05-24T15:56:04Z",
  content: `These. ${n}`,
  sources: [{ url: "https://www.example.com/shoes", title: "Shoes" }],
  products: [{ title: `Shoe ${n}` }, { title: "Other shoe", url: "https://shop.example/o" }],
  tags: ["run, 1"],
  ...more,
});
const lines = (values: readonly unknown[]) => values.map((value) => `${JSON.stringify(value)}\n`).join("");
const read = (body: string | Buffer, format: "querent" | "serpapi" | "dataforseo" = "querent") =>
  readImported(body, format);

const serpApi = {
  search_metadata: { id: "s-1", status: "Success", created_at: "2026-06-05 12:00:00 UTC" },
  search_parameters: { engine: "google_ai_mode", q: "best shoes", gl: "de", hl: "de" },
  text_blocks: [
    { type: "heading", snippet: "Shoes" },
    { type: "list", list: [{ title: "First", snippet: "is light", reference_indexes: [0] }, { snippet: "Second" }] },
    { type: "table", table: [["Name", "Price"], ["First", "10"]] }, // prettier-ignore
  ],
  references: [{ title: "Shop", link: "https://shop.example/?utm_source=x", source: "Shop", index: 0 }, { index: 1 }],
};
const dataForSeo = {
  status_code: 20000,
  tasks: [
    {
      id: "d-1",
      path: ["v3", "ai_optimization", "chat_gpt", "llm_responses", "live"],
      data: { user_prompt: "best shoes", model_name: "gpt-4.1-mini" },
      result: [
        {
          model_name: "gpt-4.1-mini-2025-04-14",
          datetime: "2026-06-05 12:00:00 +00:00",
          items: [
            {
              type: "message",
              sections: [
                { type: "text", text: "First.", annotations: [{ title: "Shop", url: "https://shop.example/" }] },
                { type: "text", text: "Second.", annotations: null },
              ],
            },
          ],
        },
      ],
    },
  ],
};

suite("imports", async () => {
  const service = await startTestService();
  after(() => service.stop());
  const send = (account: TestAccount, body: string, query: string) =>
    account.call<ImportRecord & Problem>("POST", `/v1/imports?${query}`, {
      body,
      headers: { "content-type": "application/x-ndjson" },
    });
  const observations = async (account: TestAccount, query = "") =>
    (await account.get<ObservationPage>(`/v1/observations?limit=200${query}`)).body.observations;

  test("an imported answer is an observation: marked, of its own time, free, without a task or a webhook", async () => {
    const account = await service.account();
    const before = await service.counts(account.accountId);
    const { status, body, text } = await send(account, lines([answer(1, { repeat: 2, locale: "US/en" })]), "name=f");
    assert.equal(status, 200, text);
    assert.deepEqual([body.importedCount, body.duplicateCount, body.nextLine], [1, 0, 2]);
    assert.deepEqual((await account.get<ImportRecord>(`/v1/imports/${body.importId}`)).body, body);
    assert.deepEqual((await account.get<{ imports: ImportRecord[] }>("/v1/imports?name=f")).body.imports, [body]);
    const [observation] = await observations(account, `&importId=${body.importId}`);
    assert.ok(observation !== undefined);
    assert.deepEqual(
      [observation.instrument.kind, observation.instrument.reader, observation.taskId, observation.chargedPoints],
      ["imported", 0, null, 0],
    );
    assert.equal(observation.observedAt, "2025-05-24T15:56:04.000Z");
    assert.deepEqual(timeOfId(observation.observationId), new Date(observation.observedAt));
    assert.deepEqual([observation.cell.repeat, observation.cell.locale, observation.tags], [2, "US/en", ["run, 1"]]);
    assert.deepEqual(
      observation.cards.map(({ position, title, url }) => [position, title, url]),
      [
        [1, "Shoe 1", null],
        [2, "Other shoe", "https://shop.example/o"],
      ],
    );
    // Newer answers are not in its way: its index has them alone, so a page is not a scan that may end empty.
    await send(account, lines(Array.from({ length: 20 }, (_, n) => answer(n + 2))), "name=newer");
    const { body: page } = await account.get<ObservationPage>(`/v1/observations?limit=1&importId=${body.importId}`);
    assert.deepEqual([page.observations, page.nextCursor], [[observation], null]);
    assert.equal(selectionOf(account.accountId, { importId: body.importId }).isWhole, true);
    assert.deepEqual(await service.counts(account.accountId), before);
    const other = await service.account();
    assert.equal((await other.get(`/v1/imports/${body.importId}`)).status, 404);
  });

  test("an answer is imported once, in whatever parts, imports and order it is sent", async () => {
    const account = await service.account();
    const all = Array.from({ length: 30 }, (_, n) => answer(n, n % 2 === 0 ? { id: null } : {}));
    await Promise.all(
      [0, 5, 10, 15].map((from) => send(account, lines(all.slice(from, from + 15)), `name=a&firstLine=${from + 1}`)),
    );
    const { body } = await send(account, lines([...all, ...all]), "name=b");
    assert.deepEqual([body.importedCount, body.duplicateCount], [0, 60]);
    assert.equal((await observations(account)).length, 30);
    const first = (await account.get<{ imports: ImportRecord[] }>("/v1/imports?name=a")).body.imports[0];
    assert.deepEqual([first?.importedCount, first?.duplicateCount, first?.nextLine], [30, 30, 31]);
  });

  test("a part with invalid lines is refused with all of them, by their number in the file, and imports nothing", async () => {
    const account = await service.account();
    const body = `${lines([answer(1)])}not JSON\n\n${lines([answer(2, { observedAt: "yesterday", extra: 1 })])}`;
    const { status, body: problem } = await send(account, body, "name=c&firstLine=101");
    assert.equal(status, 422);
    assert.deepEqual(problem.errors?.map(({ pointer }) => pointer).toSorted(), [
      "/102",
      "/104/extra",
      "/104/observedAt",
    ]);
    assert.deepEqual(await observations(account), []);
    const json = await account.call("POST", "/v1/imports?name=c", { body: [answer(1)] });
    assert.equal(json.status, 415);
    assert.equal((await send(account, lines([serpApi]), "name=d&format=serpapi")).status, 200);
    assert.equal((await send(account, lines([answer(1)]), "name=d")).status, 409);
  });

  test("the text of an imported answer is deleted with its observation", async () => {
    const account = await service.account();
    await send(account, lines([answer(1)]), "name=e");
    const texts = async () =>
      (await service.database.query("select from imported_answers where account_id = $1", [account.accountId]))
        .rowCount;
    assert.equal(await texts(), 1);
    const { body } = await account.call("DELETE", "/v1/observations?tag=run,%201");
    assert.deepEqual(body, { deletedCount: 1, deletedFailureCount: 0 });
    assert.equal(await texts(), 0);
  });
});

test("a response of SerpApi is one answer, with the text of its blocks and its references", async () => {
  const answers = await read(lines([serpApi]), "serpapi");
  assert.deepEqual(answers, [
    {
      id: "s-1",
      question: "best shoes",
      platformCode: "google-ai-mode",
      observedAt: "2026-06-05T12:00:00.000Z",
      content: "Shoes\n\n- First: is light\n- Second\n\n| Name | Price |\n| First | 10 |",
      locale: "de/de/",
      sources: [{ url: "https://shop.example/?utm_source=x", title: "Shop" }],
    },
  ]);
  const { text_blocks: blocks, references, ...search } = serpApi;
  const parameters = { ...search.search_parameters, engine: "google" };
  const [overview, none] = await read(
    lines([
      { ...search, search_parameters: parameters, ai_overview: { text_blocks: blocks, references } },
      { ...search, search_parameters: parameters },
    ]),
    "serpapi",
  );
  assert.deepEqual([overview?.platformCode, overview?.content], ["google-ai-overview", answers[0]?.content]);
  assert.deepEqual([none?.content, none?.sources], [null, []]);
});

test("a response of DataForSEO is an answer for each result, of whichever of its APIs", async () => {
  const answers = await read(lines([dataForSeo]), "dataforseo");
  assert.deepEqual(answers, [
    {
      id: "d-1/0",
      question: "best shoes",
      platformCode: "chat-gpt-api",
      observedAt: "2026-06-05T12:00:00.000Z",
      content: "First.\n\nSecond.",
      sources: [{ url: "https://shop.example/", title: "Shop" }],
      products: null,
      modelVersion: "gpt-4.1-mini-2025-04-14",
      locale: null,
      searches: null,
    },
  ]);
  const references = [{ url: "https://shop.example/", title: "Shop" }];
  const mode = {
    tasks: [
      {
        id: "d-2",
        path: ["v3", "serp", "google", "ai_mode", "live", "advanced"],
        data: { keyword: "best shoes", location_code: 2840, language_code: "en" },
        result: [
          { datetime: "2026-06-05 12:00:00 +00:00", items: [{ type: "ai_overview", markdown: "M", references }] },
        ],
      },
    ],
  };
  const [first] = await read(lines([mode]), "dataforseo");
  assert.deepEqual(
    [first?.platformCode, first?.content, first?.locale, first?.sources?.length],
    ["google-ai-mode", "M", "2840/en", 1],
  );
});

test("hostile lines are refused with their position, quickly", async () => {
  const deep = `${"[".repeat(100_000)}${"]".repeat(100_000)}`;
  const hostile: [string, "querent" | "serpapi" | "dataforseo"][] = [
    [deep, "querent"],
    [deep, "serpapi"],
    ['{"__proto__":{"tasks":[]},"tasks":"x"}', "dataforseo"],
    ['{"tasks":[{"result":[{"datetime":"1"}]}]}', "dataforseo"],
    ['{"tasks":[{"result":null}]}', "dataforseo"],
    ['{"search_parameters":{"q":"q"},"search_metadata":{"created_at":"never"}}', "serpapi"],
    ["null", "querent"],
    ['{"id":"\\u0000"}', "querent"],
    ["1".repeat(100_000), "serpapi"],
  ];
  for (const [line, format] of hostile)
    await assert.rejects(read(line, format), (error) => {
      assert.ok(error instanceof ProblemError && error.code === "validation_failed", String(error));
      return error.errors?.every(({ pointer }) => pointer.startsWith("/1")) === true;
    });
  await assert.rejects(read(Buffer.from([0xff, 0xfe])), /UTF-8/);
  await assert.rejects(read("{}\n".repeat(2_001)), /Nothing of this part/);
});
