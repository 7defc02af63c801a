/** Observations: written with a task's end, unchanged when its result expires, listed, exported, counted and deleted. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { after, suite, test } from "node:test";
import type { EntityRecord, EntitySpanPage, ObservationPage, ObservationRecord, SourceCounts } from "@querent/contract";
import { parse } from "csv-parse/sync";
import { parquetReadObjects } from "hyparquet";
import { request } from "undici";
import { forgetObservations, keepObservations } from "../../src/observations/index.ts";
import { describeAnswer } from "../../src/observations/records/describe-answer.ts";
import { idAt, timeOfId } from "../../src/kernel/ids.ts";
import { startTestService, type TestAccount } from "../harness/service.ts";

suite("observations", async () => {
  const service = await startTestService();
  after(() => service.stop());
  const { database } = service;
  const list = async (account: TestAccount, query = "") => {
    const { status, body, text } = await account.get<ObservationPage>(`/v1/observations${query}`);
    assert.equal(status, 200, text);
    return body;
  };
  const stream = async (account: TestAccount, accept: string, query = "") => {
    const response = await request(`${service.address}/v1/observations${query}`, {
      headers: { authorization: `Bearer ${account.token}`, accept },
    });
    assert.equal(response.statusCode, 200);
    return Buffer.from(await response.body.arrayBuffer());
  };
  const count = async (account: TestAccount) => {
    const { rows } = await database.query<{ count: number }>(
      "select count(*)::int as count from observations where account_id = $1",
      [account.accountId],
    );
    return rows[0]?.count;
  };

  test("a completed task has one observation, without its question and its answer; a failed one has none", async () => {
    const account = await service.account();
    const question = "Which shoes? sources=3 cards=product,product";
    const task = await account.answerTo(question, { tags: ["shoes"], clientReference: "r-1" });
    await account.answerTo("fail=platform_refused");
    const { observations, nextCursor } = await list(account);
    assert.equal(nextCursor, null);
    const [observation] = observations;
    assert.ok(observation !== undefined && observations.length === 1);
    assert.equal(observation.taskId, task.taskId);
    assert.equal(observation.observationId, idAt(new Date(task.completedAt ?? ""), task.taskId));
    assert.equal(observation.observedAt, task.completedAt);
    assert.deepEqual([observation.tags, observation.clientReference], [["shoes"], "r-1"]);
    assert.equal(observation.cell.promptDigest, createHash("sha256").update(question).digest("hex"));
    assert.equal(observation.contentLength, task.content?.length);
    assert.equal(observation.chargedPoints, task.chargedPoints);
    assert.deepEqual(
      observation.sources.map(({ url }) => url),
      task.sources.map(({ url }) => url),
    );
    assert.deepEqual(
      observation.cards.map(({ kind, title }) => [kind, title]),
      task.products.map(({ title }) => ["product", title]),
    );
    const { text } = await account.get("/v1/observations");
    for (const secret of [question, task.content ?? ""]) assert.ok(!text.includes(secret));
  });

  test("lists and figures are byte for byte the same after the results have expired", async () => {
    const account = await service.account();
    for (const n of [1, 2, 3]) await account.answerTo(`Which? ${n} sources=${n}`);
    const window = "observedFrom=2026-01-01T00:00:00Z&observedBefore=2100-01-01T00:00:00Z";
    const paths = ["/v1/observations", `/v1/sources?${window}`, `/v1/sources?by=address&${window}`];
    const read = () => Promise.all(paths.map(async (path) => (await account.get(path)).text));
    const before = await read();
    assert.ok(before.every((text) => text.length > 100));
    await database.query("delete from task_results where account_id = $1", [account.accountId]);
    await database.query("update tasks set expires_at = now() where account_id = $1", [account.accountId]);
    assert.deepEqual(await read(), before);
  });

  test("pages, filters and the three streams contain the same observations", async () => {
    const account = await service.account();
    const { tasks } = await account.submit(
      Array.from({ length: 7 }, (_, index) => ({
        question: `Which? ${index} sources=${index}`,
        platformCode: "simulator",
        options: {},
        tags: [index % 2 === 0 ? "even" : "odd", 'a "quoted", tag'],
      })),
    );
    for (const { taskId } of tasks) await account.ended(taskId);
    const all: ObservationRecord[] = [];
    for (let cursor: string | null = ""; cursor !== null;) {
      const page: ObservationPage = await list(account, `?limit=3${cursor === "" ? "" : `&cursor=${cursor}`}`);
      all.push(...page.observations);
      cursor = page.nextCursor;
    }
    assert.equal(new Set(all.map(({ observationId }) => observationId)).size, 7);
    assert.equal((await list(account, "?tag=even")).observations.length, 4);
    assert.equal((await list(account, `?taskId=${tasks[2]?.taskId}`)).observations.length, 1);
    assert.equal((await list(account, "?platformCode=other")).observations.length, 0);
    assert.equal((await list(account, "?observedBefore=2020-01-01T00:00:00Z")).observations.length, 0);
    const domain = all.flatMap((each) => each.sources)[0]?.domain ?? "";
    assert.ok((await list(account, `?domain=${domain}`)).observations.length > 0);

    const lines = (await stream(account, "application/x-ndjson")).toString().trim().split("\n");
    assert.deepEqual(
      lines.map((line) => JSON.parse(line) as unknown),
      all,
    );
    const csv = parse((await stream(account, "text/csv")).toString(), { columns: true }) as Record<string, string>[];
    assert.deepEqual(
      csv.map((row) => [row["observationId"], row["tags"]]),
      all.map((each) => [each.observationId, JSON.stringify(each.tags)]),
    );
    const parquet = await stream(account, "application/vnd.apache.parquet");
    const rows = await parquetReadObjects({ file: new Uint8Array(parquet).buffer });
    assert.deepEqual(
      rows.map((row) => [row["observationId"], row["contentLength"], row["sources"], row["observedAt"]]),
      all.map((each) => [
        each.observationId,
        each.contentLength,
        JSON.stringify(each.sources),
        new Date(each.observedAt),
      ]),
    );
    const none = await stream(account, "application/vnd.apache.parquet", "?tag=none");
    assert.deepEqual(await parquetReadObjects({ file: new Uint8Array(none).buffer }), []);
  });

  test("a source counts once per answer, and shares are of all citations", async () => {
    const account = await service.account();
    for (const n of [0, 1, 3]) await account.answerTo(`sources=${n}`);
    const { body } = await account.get<SourceCounts>("/v1/sources?by=address&limit=1");
    const { observations } = await list(account);
    const cited = observations.flatMap((each) => [...new Set(each.sources.map(({ canonicalUrl }) => canonicalUrl))]);
    assert.deepEqual([body.answers, body.answersWithSources, body.citations], [3, 2, cited.length]);
    const [first] = body.sources;
    assert.equal(body.sources.length, 1);
    assert.equal(first?.answers, cited.filter((url) => url === first?.canonicalUrl).length);
    assert.equal(first?.share, (first?.citations ?? 0) / cited.length);
    const times = observations
      .filter(({ sources }) => sources.some(({ canonicalUrl }) => canonicalUrl === first?.canonicalUrl))
      .map(({ observedAt }) => observedAt)
      .toSorted();
    assert.deepEqual([first?.firstCitedAt, first?.lastCitedAt], [times[0], times.at(-1)]);
    const nobody = await service.account();
    for (const by of ["address", "domain"]) {
      const { body: none } = await nobody.get<SourceCounts>(`/v1/sources?by=${by}`);
      assert.deepEqual([none.answers, none.answersWithSources, none.citations, none.sources], [0, 0, 0, []]);
    }
  });

  test("domains are counted as their addresses are, also of answers that were not counted when they were written", async () => {
    const account = await service.account();
    for (const n of [0, 2, 3, 5]) await account.answerTo(`sources=${n}`);
    const [latest] = (await list(account)).observations;
    const urls = [
      "https://a.example/1",
      "https://a.example/1?utm_source=x",
      "https://b.a.example/2",
      "https://b.example/",
    ];
    const imported = {
      platformCode: "else",
      question: "Which?",
      content: "These.",
      observedAt: latest?.observedAt ?? "",
      sources: [...urls, "https://www.google.com/url?hidden=1", "urn:isbn:0451450523"].map((url) => ({
        url,
        title: url,
      })),
    };
    const { status, text } = await account.call("POST", "/v1/imports?name=here", {
      body: `${JSON.stringify(imported)}\n`,
      headers: { "content-type": "application/x-ndjson" },
    });
    assert.equal(status, 200, text);
    const byDomain = async () => (await account.get<SourceCounts>("/v1/sources")).body;
    const counted = await byDomain();
    const { body: addresses } = await account.get<SourceCounts>("/v1/sources?by=address&limit=1000");
    assert.deepEqual(
      [counted.answers, counted.answersWithSources, counted.citations],
      [addresses.answers, addresses.answersWithSources, addresses.citations],
    );
    const perDomain = new Map<string, number>();
    for (const { domain, citations } of addresses.sources)
      perDomain.set(domain, (perDomain.get(domain) ?? 0) + citations);
    assert.deepEqual(new Map(counted.sources.map(({ domain, citations }) => [domain, citations])), perDomain);
    for (const { domain, firstCitedAt, lastCitedAt } of counted.sources) {
      const ofAddresses = addresses.sources.filter((one) => one.domain === domain);
      assert.equal(firstCitedAt, ofAddresses.map((one) => one.firstCitedAt).toSorted()[0]);
      assert.equal(
        lastCitedAt,
        ofAddresses
          .map((one) => one.lastCitedAt)
          .toSorted()
          .at(-1),
      );
    }
    assert.equal(counted.sources.find(({ domain }) => domain === "a.example")?.answers, 1);
    await database.query(
      "update observations set domain_types = null, domain_citations = null where account_id = $1 and task_id is not null",
      [account.accountId],
    );
    assert.deepEqual({ ...(await byDomain()), to: counted.to, from: counted.from }, counted);
    await database.query("update observations set domain_types = null, domain_citations = null where account_id = $1", [
      account.accountId,
    ]);
    assert.deepEqual({ ...(await byDomain()), to: counted.to, from: counted.from }, counted);
  });

  test("a tag's observations are deleted, and those of other tags and accounts are not; without a filter nothing is", async () => {
    const [account, other] = [await service.account(), await service.account()];
    for (const one of [account, other]) {
      await one.answerTo("Which? sources=1", { tags: ["person-7"] });
      await one.answerTo("Which? sources=1", { tags: ["person-8"] });
    }
    const refused = await account.call("DELETE", "/v1/observations");
    assert.equal(refused.status, 422, refused.text);
    const deleted = await account.call("DELETE", "/v1/observations?tag=person-7");
    assert.deepEqual(deleted.body, { deletedCount: 1, deletedFailureCount: 0 });
    assert.deepEqual([await count(account), await count(other)], [1, 2]);
    assert.deepEqual((await account.call("DELETE", "/v1/observations?tag=person-7")).body, {
      deletedCount: 0,
      deletedFailureCount: 0,
    });
  });

  test("a count of mentions opens its spans, and a new alias recounts what is still there and says what is not", async () => {
    const account = await service.account();
    const text = "Which is better, Acme or Zenith Labs?";
    const [kept, gone] = [await account.answerTo(text), await account.answerTo(`${text} Again.`)];
    const { status, body: entity } = await account.call<EntityRecord>("POST", "/v1/entities", {
      body: { name: "Acme" },
    });
    assert.equal(status, 201);
    const paths = `/v1/entities/${entity.entityId}/mentions`;
    assert.deepEqual((await account.get<EntitySpanPage>(paths)).body.mentions, []);
    await database.query("delete from task_results where task_id = $1", [gone.taskId]);
    await database.query("update tasks set expires_at = now() where id = $1", [gone.taskId]);
    const recount = async () => (await account.call("POST", "/v1/observations/recount")).body;
    assert.deepEqual(await recount(), { recounted: 1, changed: 1, expired: 1, notSearched: 0, nextCursor: null });
    assert.deepEqual(await recount(), { recounted: 1, changed: 0, expired: 1, notSearched: 0, nextCursor: null });
    const { mentions } = (await account.get<EntitySpanPage>(paths)).body;
    assert.ok(mentions.length > 0);
    for (const mention of mentions) {
      assert.deepEqual([mention.taskId, mention.text], [kept.taskId, "Acme"]);
      assert.equal(kept.content?.slice(mention.start, mention.end), "Acme");
      assert.ok(kept.content?.includes(`${mention.before}Acme${mention.after}`));
    }
    const [observation] = (await list(account, `?entityId=${entity.entityId}`)).observations;
    // The same in the view for tools that read the database.
    const { rows } = await database.query(
      `select entity_id as "entityId", start_offset as start, end_offset as end, list_position as "listPosition"
         from bi_mentions where account_id = $1`,
      [account.accountId],
    );
    assert.deepEqual(rows, observation?.mentions);
    assert.equal((await account.get(paths.replace(/[0-9a-f]{12}\//, "000000000000/"))).status, 404);
  });

  test("observations are kept for the account's own number of days, or else for that of the service", async () => {
    const [own, usual, forever] = [await service.account(), await service.account(), await service.account()];
    for (const one of [own, usual, forever]) {
      const { completedAt, taskId } = await one.answerTo("Which?");
      // As if it had been asked 30 days earlier.
      await database.query("update observations set id = $3 where account_id = $1 and task_id = $2", [
        one.accountId,
        taskId,
        idAt(new Date(Date.parse(completedAt ?? "") - 30 * 86_400_000), taskId),
      ]);
      await one.answerTo("And now?");
    }
    await keepObservations(database, own.accountId, 10);
    await keepObservations(database, forever.accountId, null);
    assert.deepEqual(await forgetObservations(database, null), { deleted: 1, emptied: [] });
    assert.deepEqual([await count(own), await count(usual), await count(forever)], [1, 2, 2]);
    await forgetObservations(database, 20);
    assert.deepEqual([await count(own), await count(usual), await count(forever)], [1, 1, 2]);
    await keepObservations(database, forever.accountId, "default");
    await forgetObservations(database, 20);
    assert.equal(await count(forever), 1);
  });
});

test("an observation's id has the time it is given, and is a UUIDv7 whatever the other id is", () => {
  const at = new Date("2025-05-24T15:56:04.123Z");
  for (const id of ["00000000-0000-0000-0000-000000000000", "ffffffff-ffff-ffff-ffff-ffffffffffff"]) {
    assert.match(idAt(at, id), /^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    assert.deepEqual(timeOfId(idAt(at, id)), at);
  }
});

test("an answer with hostile lists is described within bounds, and without half characters", () => {
  const url = `https://example.com/${"a".repeat(3000)}`;
  const answer = {
    content: null,
    availability: null,
    searchProcess: null,
    sources: Array.from({ length: 1000 }, () => ({ title: "", url, summary: null, site: "", publishedAt: null })),
    products: [],
    videos: [],
    media: [{ position: 1, title: `${"x".repeat(499)}😀`, url: null }],
  };
  const described = describeAnswer(answer, { entities: null, notSearched: "busy" });
  assert.deepEqual([described.sources.length, described.sources[0]?.url.length], [200, 2048]);
  assert.equal(described.cards[0]?.title, "x".repeat(499));
  assert.deepEqual(described.flags, ["empty", "truncated:sources", "not_searched:busy"]);
});
