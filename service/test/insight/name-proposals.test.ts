/** Proposals for the names of entities, from the answers of an account to what a person decides. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type {
  EntityRecord,
  MentionRecount,
  NameProposals,
  ObservationPage,
  PanelPage,
  Problem,
} from "@querent/contract";
import { startTestService, type TestAccount } from "../harness/service.ts";
import { send } from "./imported-answers.ts";

suite("proposals", async () => {
  const service = await startTestService();
  after(() => service.stop());

  const create = async (account: TestAccount, entity: object): Promise<string> => {
    const { status, body, text } = await account.call<EntityRecord>("POST", "/v1/entities", { body: entity });
    assert.equal(status, 201, text);
    return `/v1/entities/${body.entityId}/proposals`;
  };
  const sendTexts = async (account: TestAccount, texts: readonly string[], query = "name=answers") => {
    const answers = texts.map((content, index) => ({
      ...{ id: `${index}`, question: "q", platformCode: "elsewhere", content },
      observedAt: `2026-11-20T10:00:${String(index).padStart(2, "0")}Z`,
    }));
    const { status, text } = await send(account, answers, query);
    assert.equal(status, 200, text);
  };
  const proposed = async (account: TestAccount, path: string) => {
    const { status, body, text } = await account.get<NameProposals>(path);
    assert.equal(status, 200, text);
    return body;
  };
  const decide = (account: TestAccount, path: string, body: object) =>
    account.call<EntityRecord & Problem>("POST", path, { body });

  test("what answers suggest is proposed with its evidence, approved with a new revision, and counted after a recount", async () => {
    const account = await service.account();
    const path = await create(account, { name: "网易", aliases: [{ text: "Lenta" }, { text: "Apple" }] });
    await create(account, { name: "Apple Music" });
    await sendTexts(account, ["網易雲音樂和网易游戏", "Apple Music, Apple juice", "nothing", ""]);
    const { proposals, answers, mentions, notSearched } = await proposed(account, path);
    assert.deepEqual({ answers, mentions, notSearched }, { answers: 3, mentions: 2, notSearched: 0 });
    assert.deepEqual(
      proposals.map(({ evidence, ...rest }) => ({ ...rest, evidence: evidence.map(({ snippet, start, end }) => [snippet, start, end]) })), // prettier-ignore
      [
        {
          ...{ kind: "alias", text: "網易", caseSensitive: false, alsoAliases: [], reason: "script" },
          ...{ mentions: 1, answers: 1, evidence: [["網易雲音樂和网易游戏", 0, 2]] },
        },
        {
          ...{ kind: "negative_context", text: "Apple juice", caseSensitive: false, alsoAliases: [], reason: "sense" },
          ...{ mentions: 1, answers: 1, evidence: [["Apple Music, Apple juice", 13, 18]] },
        },
      ],
    );
    // A proposal is sent back as what it is, or with all that it has said.
    const [alias, context] = proposals;
    assert.ok(alias !== undefined && context !== undefined);
    const { kind, text } = context;
    const { status, body } = await decide(account, path, { approve: [pick(alias), { kind, text }] });
    assert.equal(status, 200);
    assert.deepEqual([body.revision, body.aliases.map((each) => each.text), body.negativeContexts], [2, ["Lenta", "Apple", "網易"], ["Apple juice"]]); // prettier-ignore
    assert.deepEqual((await proposed(account, path)).proposals, []);
    const again = await decide(account, path, { approve: [pick(alias)] });
    assert.deepEqual([again.status, again.body.revision], [200, 2]);
    const { body: recount } = await account.call<MentionRecount>("POST", "/v1/observations/recount");
    assert.equal(recount.changed, 2);
    const { body: page } = await account.get<ObservationPage>("/v1/observations");
    assert.deepEqual(
      page.observations.map((each) => each.mentions.length),
      [0, 0, 1, 2],
    );
  });

  test("what was declined is not proposed again, and declining is no change of the entity", async () => {
    const account = await service.account();
    const path = await create(account, { name: "Магнит" });
    await sendTexts(account, ["В Магните дешевле, у Магнита карта, магнит притягивает"]);
    const { proposals } = await proposed(account, path);
    assert.deepEqual(
      proposals.map(({ kind, text }) => [kind, text]),
      [
        ["alias", "Магните"],
        ["alias", "Магнита"],
        ["own_case", "Магнит"],
      ],
    );
    const first = await decide(account, path, { decline: [{ kind: "alias", text: " Магните " }] });
    assert.deepEqual([first.status, first.body.revision], [200, 1]);
    const both = await decide(account, path, {
      approve: [{ kind: "own_case", text: "Магнит" }],
      decline: [{ kind: "alias", text: "Магнита" }],
    });
    assert.deepEqual([both.body.revision, both.body.caseSensitive, both.body.aliases], [2, true, []]);
    assert.deepEqual((await proposed(account, path)).proposals, []);
    // Each account has its own.
    const { status } = await (await service.account()).get(path);
    assert.equal(status, 404);
  });

  test("only answers of a panel are searched if one is named, and neighbours are asked for", async () => {
    const account = await service.account();
    const path = await create(account, { name: "理想" });
    await sendTexts(account, ["理想汽车很大"]);
    const { status, text } = await send(
      account,
      [{ id: "p", question: "q", platformCode: "elsewhere", observedAt: "2026-11-20T11:00:00Z", content: "他的理想" }],
      "name=cars&panel=Cars",
    );
    assert.equal(status, 200, text);
    const { body: panels } = await account.get<PanelPage>("/v1/panels");
    const panelId = panels.panels[0]?.panelId;
    assert.deepEqual((await proposed(account, path)).proposals, []);
    assert.equal((await proposed(account, `${path}?panelId=${panelId}`)).answers, 1);
    const { proposals } = await proposed(account, `${path}?neighbours=true`);
    assert.deepEqual(
      proposals.map(({ reason, text: phrase }) => [reason, phrase]),
      [["neighbour", "他的理想"]],
    );
  });

  test("what cannot be found or has no room is refused with its place, and nothing changes", async () => {
    const account = await service.account();
    const aliases = Array.from({ length: 49 }, (_, index) => ({ text: `Alias ${index}` }));
    const path = await create(account, { name: "Acme", aliases });
    const empty = await decide(account, path, {
      approve: [{ kind: "alias", text: " - " }],
      decline: [{ kind: "own_case", text: "Acme", alsoAliases: ["*"] }],
    });
    assert.equal(empty.status, 422);
    assert.deepEqual(
      empty.body.errors?.map(({ pointer }) => pointer),
      ["/approve/0/text", "/decline/0/alsoAliases/0"],
    );
    const full = await decide(account, path, {
      approve: [
        { kind: "alias", text: "Acmes" },
        { kind: "alias", text: "Acmen" },
      ],
    });
    assert.deepEqual([full.status, full.body.code], [409, "state_conflict"]);
    const { body } = await decide(account, path, {});
    assert.deepEqual([body.revision, body.aliases.length], [1, 49]);
    const reader = await account.withToken({ scopes: ["tasks:read"] });
    assert.equal((await reader.get(path)).status, 200);
    assert.equal((await decide(reader, path, {})).status, 403);
  });
});

const pick = ({ kind, text, caseSensitive, alsoAliases }: NameProposals["proposals"][number]) => ({ kind, text, caseSensitive, alsoAliases }); // prettier-ignore
