/** Entities: created, changed with revisions, merged by name, deleted, and tried on a text. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type {
  EntityMentions,
  EntityPage,
  EntityRecord,
  EntityRevisions,
  ObservationPage,
  Problem,
  TaskRecord,
} from "@querent/contract";
import { startTestService, type TestAccount } from "../harness/service.ts";

suite("entities", async () => {
  const service = await startTestService();
  after(() => service.stop());

  const create = async (account: TestAccount, entity: object) => {
    const { status, body, text } = await account.call<EntityRecord>("POST", "/v1/entities", { body: entity });
    assert.equal(status, 201, text);
    return body;
  };

  test("an entity is created with defaults, changed with a revision, and deleted", async () => {
    const account = await service.account();
    const made = await create(account, { name: "Totême", domains: ["toteme.com"] });
    assert.deepEqual(
      [made.revision, made.kind, made.relation, made.caseSensitive, made.aliases, made.domains],
      [1, "brand", "other", false, [], ["toteme.com"]],
    );
    const path = `/v1/entities/${made.entityId}`;
    const change = { name: "Totême", relation: "own", domains: ["toteme.com"] };
    const { body: changed } = await account.call<EntityRecord>("PUT", path, { body: change });
    assert.deepEqual([changed.revision, changed.relation], [2, "own"]);
    const { body: same } = await account.call<EntityRecord>("PUT", path, { body: change });
    assert.deepEqual(same, changed);
    const { body: revisions } = await account.get<EntityRevisions>(`${path}/revisions`);
    assert.deepEqual(
      revisions.revisions.map(({ revision, relation }) => [revision, relation]),
      [
        [2, "own"],
        [1, "other"],
      ],
    );
    assert.deepEqual((await account.get(path)).body, changed);
    assert.equal((await account.call("DELETE", path)).status, 200);
    for (const [method, gone] of [
      ["GET", path],
      ["GET", `${path}/revisions`],
      ["DELETE", path],
    ] as const)
      assert.equal((await account.call(method, gone)).status, 404);
  });

  test("a name is unique in its account, and other accounts see nothing of it", async () => {
    const [one, other] = [await service.account(), await service.account()];
    const { entityId } = await create(one, { name: "Acme" });
    const second = await one.call<Problem>("POST", "/v1/entities", { body: { name: "Acme" } });
    assert.deepEqual([second.status, second.body.code], [409, "state_conflict"]);
    assert.equal((await other.get(`/v1/entities/${entityId}`)).status, 404);
    assert.equal((await other.call("PUT", `/v1/entities/${entityId}`, { body: { name: "x" } })).status, 404);
    assert.deepEqual((await other.get<EntityPage>("/v1/entities")).body, { entities: [], nextCursor: null });
    await create(other, { name: "Acme" });
  });

  test("a list is merged by name: all of it or nothing, and every error has its pointer", async () => {
    const account = await service.account();
    await create(account, { name: "Nike" });
    const put = (body: object) => account.call<Problem>("PUT", "/v1/entities", { body });
    const refused = await put([
      { name: "Nike", relation: "mine" },
      { name: "™", negativeContexts: ["-"] },
      { name: "adidas" },
      { name: "adidas", domains: ["https://adidas.com"] },
    ]);
    assert.equal(refused.status, 422);
    assert.deepEqual(
      refused.body.errors?.map(({ pointer }) => pointer),
      ["/0/relation", "/1/name", "/1/negativeContexts/0", "/3/domains/0"],
    );
    const long = await put([...Array.from({ length: 498 }, (_, index) => ({ name: `n${index}` })), {}, { name: 1 }]);
    assert.deepEqual(
      long.body.errors?.map(({ pointer }) => pointer),
      ["/498/name", "/499/name"],
    );
    const unfit = await put([{ name: "™", negativeContexts: ["-"] }, { name: "adidas" }, { name: "adidas" }]);
    assert.deepEqual(
      unfit.body.errors?.map(({ pointer }) => pointer),
      ["/0/name", "/0/negativeContexts/0", "/2/name"],
    );
    const merged = await put([{ name: "Nike", relation: "own" }, { name: "adidas" }]);
    assert.deepEqual(merged.body, { created: 1, updated: 1, unchanged: 0 });
    const again = await put([{ name: "Nike", relation: "own" }, { name: "adidas" }]);
    assert.deepEqual(again.body, { created: 0, updated: 0, unchanged: 2 });
    const { body: own } = await account.get<EntityPage>("/v1/entities?relation=own");
    assert.deepEqual(
      own.entities.map(({ name, revision }) => [name, revision]),
      [["Nike", 2]],
    );
  });

  test("entities are listed in pages, newest first", async () => {
    const account = await service.account();
    for (const name of ["a1", "b2", "c3"]) await create(account, { name });
    const { body: first } = await account.get<EntityPage>("/v1/entities?limit=2");
    const { body: second } = await account.get<EntityPage>(`/v1/entities?limit=2&cursor=${first.nextCursor}`);
    assert.deepEqual(
      [...first.entities, ...second.entities].map(({ name }) => name),
      ["c3", "b2", "a1"],
    );
    assert.equal(second.nextCursor, null);
  });

  test("a text is tried with the account's entities as they are now, or with the one in the request", async () => {
    const account = await service.account();
    const tried = async (body: object) =>
      (await account.call<EntityMentions>("POST", "/v1/entities/try", { body })).body;
    assert.deepEqual((await tried({ text: "Acme" })).mentions, []);
    const { entityId } = await create(account, { name: "Acme", aliases: [{ text: "ACM", caseSensitive: true }] });
    const { mentions, complete, matcher } = await tried({ text: "Ácme's acm and ACM; see https://acme.com" });
    assert.deepEqual(mentions, [
      { entityId, name: "Acme", variant: "Acme", start: 0, end: 4 },
      { entityId, name: "Acme", variant: "ACM", start: 15, end: 18 },
    ]);
    assert.ok(complete && matcher.startsWith("3-icu"));
    await account.call("PUT", `/v1/entities/${entityId}`, { body: { name: "Umbrella" } });
    assert.deepEqual((await tried({ text: "Acme" })).mentions, []);
    const draft = await tried({ text: "Monday, or monday.com?", entity: { name: "monday.com" } });
    assert.deepEqual(draft.mentions, [
      { entityId: null, name: "monday.com", variant: "monday.com", start: 11, end: 21 },
    ]);
  });

  test("a token needs the scopes of panels", async () => {
    const account = await service.account({ scopes: ["panels:read"] });
    assert.equal((await account.get("/v1/entities")).status, 200);
    assert.equal((await account.call("POST", "/v1/entities", { body: { name: "x" } })).status, 403);
  });

  test("observations have the mentions that were found in the answer, and the canonical sources", async () => {
    const account = await service.account();
    const before = await account.answerTo("Is Acme good?");
    const { entityId } = await create(account, { name: "Acme" });
    const task = await account.answerTo("Are Ácme and acme-like tools good? sources=1");
    const observed = async ({ taskId }: TaskRecord) => {
      const { body } = await account.get<ObservationPage>(`/v1/observations?taskId=${taskId}`);
      return body.observations[0];
    };
    assert.deepEqual([(await observed(before))?.mentions, (await observed(before))?.instrument.matcher], [[], null]);
    const observation = await observed(task);
    const content = task.content ?? "";
    assert.deepEqual(
      observation?.mentions.map(({ start, end }) => content.slice(start, end)),
      ["Ácme", "acme"],
    );
    assert.ok(observation?.mentions.every((mention) => mention.entityId === entityId));
    assert.match(observation?.instrument.matcher ?? "", /^3-icu/u);
    assert.deepEqual(observation?.sources, [
      {
        url: "https://source-1.example/article",
        canonicalUrl: "https://source-1.example/article",
        domain: "source-1.example",
        type: "other",
      },
    ]);
    const { body } = await account.get<ObservationPage>(`/v1/observations?entityId=${entityId}`);
    assert.deepEqual(
      body.observations.map((each) => each.taskId),
      [task.taskId],
    );
  });
});
