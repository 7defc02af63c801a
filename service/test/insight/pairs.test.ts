/** The pairs of answers behind figures of stability, and who is named first. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { EntityRecord, PanelFigures, PanelPairs } from "@querent/contract";
import { place } from "../../../cli/test/place.ts";
import { startTestService } from "../harness/service.ts";
import { march, send } from "./imported-answers.ts";

suite("pairs of answers", async () => {
  const service = await startTestService();
  after(() => service.stop());

  test("those that disagree are listed with what each names; their mean is the figure, also of runs of one day", async () => {
    using here = await place(service);
    const { account } = here;
    const ids = new Map<string, string>();
    for (const [name, relation] of [
      ["Acme Mills", "own"],
      ["Globex", "competitor"],
    ] as const)
      ids.set(
        name,
        (await account.call<EntityRecord>("POST", "/v1/entities", { body: { name, relation } })).body.entityId,
      );
    const [acme = "", globex = ""] = ids.values();
    // Four runs of one day. Prompt 0 always has the same brand first, prompt 1 another one in the second run, prompt 2 names none once.
    const contents = [
      ["Acme Mills, Globex.", "Acme Mills.", "Acme Mills.", "Acme Mills."],
      ["Acme Mills, Globex.", "Globex, Acme Mills.", "Globex.", "Globex."],
      ["Acme Mills.", "Nobody.", "Acme Mills.", "Globex."],
    ];
    const lines = contents.flatMap((ofPrompt, prompt) =>
      ofPrompt.map((content, run) => ({
        ...{ question: `Which, ${prompt}?`, promptId: `p${prompt}`, platformCode: "alpha", run: `run ${run}`, content },
        id: `${prompt} ${run}`,
        observedAt: `2026-03-02T1${run}:00:00Z`,
        sources: [{ url: run === 0 ? "https://a.example/" : "https://b.example/" }],
      })),
    );
    const { status, body: record, text } = await send(account, lines, "name=f&panel=Pairs");
    assert.equal(status, 200, text);
    const { panelId } = record;
    const pairsOf = async (query: string) =>
      (await account.get<PanelPairs>(`/v1/panels/${panelId}/pairs?${march}&${query}`)).body;
    const figure = async (measure: string) =>
      (await account.get<PanelFigures>(`/v1/panels/${panelId}/figures?measure=${measure}&${march}`)).body.rows;

    const listed = await pairsOf("");
    assert.deepEqual(await pairsOf("kind=imported"), listed);
    const ofWeb = await pairsOf("kind=web");
    assert.deepEqual([ofWeb.pairCount, ofWeb.pairs], [0, []]);
    assert.equal(listed.measure, "first_place_changes_between_runs");
    assert.deepEqual(
      listed.pairs.map(({ promptId, value, one, other }) => [promptId, value, one.items, other.items]),
      [
        ["p1", 1, [acme], [globex]],
        ["p2", 1, [acme], [globex]],
      ],
    );
    assert.deepEqual(
      [listed.pairs[0]?.one.observedAt, listed.pairs[0]?.other.observedAt],
      ["2026-03-02T10:00:00.000Z", "2026-03-02T11:00:00.000Z"],
    );
    // Each prompt has two pairs, but one of prompt 2 has nothing to compare.
    assert.deepEqual([listed.pairCount, listed.differingCount], [5, 2]);
    const [changes] = await figure("first_place_changes_between_runs");
    assert.equal(changes?.thesePrompts.value, 2 / 5);
    assert.deepEqual(
      [changes?.thesePrompts.reason?.code, changes?.thesePrompts.reason?.missing],
      ["too_few_pairs_of_runs", 3],
    );
    // Of one day, no two days can be compared.
    assert.deepEqual(
      (await figure("first_place_changes")).map(({ thesePrompts }) => thesePrompts.value),
      [null],
    );
    const first = await figure("first_place_of_all");
    assert.deepEqual(
      new Map(first.map(({ group, thesePrompts }) => [group.entityId, thesePrompts.value])),
      new Map([
        [acme, (1 + 1 / 4 + 2 / 4) / 3],
        [globex, (0 + 3 / 4 + 1 / 4) / 3],
      ]),
    );

    const all = await pairsOf("all=true&promptId=p0");
    assert.deepEqual([all.pairCount, all.differingCount, all.pairs.length], [2, 0, 2]);
    const sources = await pairsOf("measure=source_agreement_within_days&promptId=p0");
    assert.deepEqual([sources.pairCount, sources.differingCount], [6, 3]);
    assert.deepEqual([sources.pairs[0]?.one.items, sources.pairs[0]?.other.items], [["a.example"], ["b.example"]]);
    assert.equal((await account.get(`/v1/panels/${account.accountId}/pairs`)).status, 404);

    const shown = await here.run([
      "panel",
      "pairs",
      panelId ?? "",
      "--from",
      "2026-03-01",
      "--to",
      "2026-03-29",
      "--text",
    ]);
    assert.equal(shown.code, 0, shown.stderr);
    assert.match(shown.stdout, /^first_place_changes_between_runs: 2 of 5 pairs of answers differ/);
    assert.match(shown.stdout, /p1 +alpha +Acme Mills +Globex +2026-03-02T10:00 and 2026-03-02T11:00/);
  });
});
