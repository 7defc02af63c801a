/** The client against the service itself. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  InvalidRequestError,
  mergeCards,
  NotFoundError,
  PointsShortError,
  Querent,
  resultCells,
  resultColumns,
  UnauthorizedError,
  type Chunk,
} from "@querent/client";
import { parse } from "csv-parse/sync";
import { startReceiver } from "../../service/test/harness/receiver.ts";
import { startTestService, type TestAccount } from "../../service/test/harness/service.ts";

const receiver = await startReceiver();
const service = await startTestService({
  environment: { QUERENT_EGRESS_ALLOW: "127.0.0.0/8", QUERENT_EGRESS_CA: receiver.caFile },
});
test.after(() => receiver.close());
const clientOf = (account: TestAccount) => new Querent({ url: service.address, token: account.token });
const item = (question = "Why?") => ({ question, platformCode: "simulator" });

suite("tasks", () => {
  test("asking waits for the answer, and cards come in one order", async () => {
    const querent = clientOf(await service.account());
    const task = await querent.tasks.ask(item("delay=300ms cards=product,video,image,product sources=2"));
    assert.equal(task.state, "completed");
    assert.equal(task.sources.length, 2);
    const cards = mergeCards(task);
    assert.deepEqual(
      cards.map(({ kind }) => kind),
      ["product", "video", "media", "product"],
    );
    assert.deepEqual(
      cards.map(({ card }) => card.position),
      [1, 2, 3, 4],
    );
    const failed = await querent.tasks.ask(item("fail=platform_refused"));
    assert.deepEqual([failed.state, failed.failure?.code, failed.chargedPoints], ["failed", "platform_refused", 0]);
  });

  test("lists go on over pages, filters hold, a queued task can be canceled, a quote tells the price", async () => {
    const querent = clientOf(await service.account());
    const { tasks, batchId } = await querent.tasks.submit(Array.from({ length: 5 }, () => item("delay=60s")));
    const listed = await Array.fromAsync(querent.tasks.list({ batchId, limit: 2 }));
    assert.deepEqual(new Set(listed.map(({ taskId }) => taskId)), new Set(tasks.map(({ taskId }) => taskId)));
    assert.equal((await querent.tasks.cancel(tasks[0]?.taskId ?? "")).state, "canceled");
    assert.equal((await querent.batches.cancel(batchId)).canceledCount, 4);
    assert.deepEqual(await Array.fromAsync(querent.tasks.list({ batchId, state: "pending" })), []);
    const quote = await querent.tasks.quote([item(), { question: " ", platformCode: "nowhere" }]);
    assert.deepEqual([quote.valid, quote.items[0]?.points, quote.items[1]?.points], [false, 1, null]);
  });

  test("a reading carries the record's exact JSON, and is null while nothing has changed; pages are had one by one", async () => {
    const querent = clientOf(await service.account());
    const { tasks } = await querent.tasks.submit([
      { ...item(), notBefore: new Date(Date.now() + 60_000).toISOString() },
      item("Why not?"),
    ]);
    const [taskId = "", other = ""] = tasks.map((task) => task.taskId);
    const first = await querent.tasks.read(taskId);
    assert.deepEqual(JSON.parse(first?.json ?? ""), first?.record);
    assert.equal(await querent.tasks.read(taskId, { etag: first?.etag, waitSeconds: 1 }), null);
    await querent.tasks.cancel(taskId);
    assert.equal((await querent.tasks.read(taskId, { etag: first?.etag }))?.record.state, "canceled");

    const page = await querent.tasks.page({ limit: 1 });
    assert.deepEqual([page.tasks.map((task) => task.taskId), page.nextCursor === null], [[other], false]);
    const next = await querent.tasks.page({ limit: 1, cursor: page.nextCursor ?? "" });
    assert.deepEqual(
      next.tasks.map((task) => task.taskId),
      [taskId],
    );
    await querent.tasks.wait(other);
    const delivered = await querent.deliveries.page({ taskId: other, limit: 1 });
    assert.deepEqual(
      delivered.deliveries.map(({ taskId }) => taskId),
      [other],
    );
    const ledger = await querent.usage.ledgerPage({ kind: "capture", limit: 1 });
    assert.deepEqual(
      ledger.entries.map(({ taskId }) => taskId),
      [other],
    );
  });

  test("kept text is sent as it is: the same submission, whoever sends it again", async () => {
    const querent = clientOf(await service.account());
    const text = '[ {"platformCode":"simulator", "question":"Why?", "options":{}} ]';
    assert.deepEqual([(await querent.tasks.quote(text)).valid], [true]);
    const first = await querent.tasks.submit(text, { idempotencyKey: "kept" });
    const again = await querent.tasks.submit(text, { idempotencyKey: "kept" });
    assert.deepEqual([again.tasks, again.replayed], [first.tasks, true]);
  });

  test("errors of the service come with what is wrong", async () => {
    const querent = clientOf(await service.account({ points: 1 }));
    await assert.rejects(querent.tasks.submit([item(), item()]), PointsShortError);
    await assert.rejects(
      querent.tasks.submit([item(), { question: "", platformCode: "simulator" }]),
      (error: unknown) => {
        assert.ok(error instanceof InvalidRequestError);
        assert.deepEqual(
          error.errors.map(({ pointer }) => pointer),
          ["/1/question"],
        );
        return true;
      },
    );
  });
});

suite("accounts", () => {
  test("usage is told by day and token, tokens are issued and revoked, and the overview counts what ended", async () => {
    const account = await service.account();
    const querent = clientOf(account);
    const { token, record } = await querent.tokens.issue({ name: "nightly", scopes: ["tasks:write", "tasks:read"] });
    const nightly = new Querent({ url: service.address, token });
    assert.equal((await nightly.tasks.ask(item())).state, "completed");
    const { days } = await querent.usage.days();
    assert.deepEqual(
      days.map(({ tokenName, completed }) => [tokenName, completed]),
      [["nightly", 1]],
    );
    assert.match(await querent.usage.daysCsv(), /^day,platformCode,.*\r\n.*,nightly,1,0,0,1\r\n$/);
    const overview = await querent.usage.overview({ period: "7d" });
    assert.deepEqual([overview.period, overview.current.completed], ["7d", 1]);
    assert.notEqual((await querent.tokens.revoke(record.tokenId)).revokedAt, null);
    await assert.rejects(nightly.tasks.page(), UnauthorizedError);
    assert.ok((await querent.tokens.list()).some(({ tokenId }) => tokenId === record.tokenId));
    await assert.rejects(clientOf(account).tokens.revoke("00000000-0000-4000-8000-000000000000"), NotFoundError);
  });

  test("operators make accounts, grant, bound and issue, and change limits live", async () => {
    const { operator, tokens } = clientOf(await service.account());
    const made = await operator.createAccount({ name: "Blue Harbour", points: 5 });
    assert.equal((await operator.grant(made.accountId, { points: 7 })).balance.available, 12);
    assert.equal((await operator.setUnfinishedMax(made.accountId, 9)).unfinishedMax, 9);
    assert.deepEqual(
      (await operator.accounts({ text: "harbour" })).accounts.map(({ name }) => name),
      ["Blue Harbour"],
    );
    const { record } = await tokens.issue({ name: "first", scopes: ["usage:read"] }, { of: made.accountId });
    assert.deepEqual(
      (await tokens.list({ of: made.accountId })).map(({ name }) => name),
      ["first"],
    );
    assert.notEqual((await tokens.revoke(record.tokenId, { ofAny: true })).revokedAt, null);
    const limits = { runningMax: 2, rate: { perSecond: 0.5, burst: 2 } };
    assert.deepEqual((await operator.setLimits("gemini", limits)).limits, limits);
    assert.equal((await operator.restoreLimits("gemini")).override, null);
    const { nodes, queues } = await operator.engine();
    assert.deepEqual([nodes.length, queues.some(({ platformCode }) => platformCode === "gemini")], [1, true]);
  });
});

suite("many submissions", () => {
  const questions = Array.from({ length: 25 }, (_, index) => item(`Question ${index}?`));

  test("a run that was cut off and begun again gets the same tasks and is charged once", async () => {
    const account = await service.account();
    const querent = clientOf(account);
    const first: string[] = [];
    for await (const { accepted } of querent.tasks.submitAll(questions, { runKey: "run", chunkItems: 10 })) {
      first.push(...accepted.tasks.map(({ taskId }) => taskId));
      if (first.length === 20) break;
    }
    const sent: Chunk[] = [];
    const again = await Array.fromAsync(
      querent.tasks.submitAll(questions, { runKey: "run", chunkItems: 10, onSend: (chunk) => void sent.push(chunk) }),
    );
    const taskIds = again.flatMap(({ accepted }) => accepted.tasks.map(({ taskId }) => taskId));
    assert.deepEqual(taskIds.slice(0, 20), first);
    assert.deepEqual(
      again.map(({ replayed, itemCount, firstItem }) => [replayed, itemCount, firstItem]),
      [
        [true, 10, 0],
        [true, 10, 10],
        [false, 5, 20],
      ],
    );
    assert.deepEqual(
      sent.map(({ idempotencyKey }) => idempotencyKey),
      ["run/0", "run/1", "run/2"],
    );
    await Promise.all(again.map(({ accepted }) => querent.batches.wait(accepted.batchId)));
    const { balance } = await querent.usage.get();
    assert.deepEqual([balance.captured, balance.held], [25, 0]);
    assert.equal((await service.counts(account.accountId))["tasks"], 25);
  });

  test("a chunk whose items have changed is refused, not paid for twice", async () => {
    const account = await service.account();
    const querent = clientOf(account);
    await Array.fromAsync(querent.tasks.submitAll(questions, { runKey: "run" }));
    const changed = querent.tasks.submitAll([...questions, item()], { runKey: "run" });
    await assert.rejects(changed.next(), (error: unknown) => {
      assert.ok(error instanceof InvalidRequestError);
      assert.equal(error.code, "idempotency_key_reused");
      return true;
    });
    assert.equal((await service.counts(account.accountId))["tasks"], 25);
  });

  test("chunks that are known to be accepted are not sent, and chunks keep within their bytes", async () => {
    const querent = clientOf(await service.account());
    const options = { runKey: "run", chunkBytes: 500 };
    const first = await Array.fromAsync(querent.tasks.submitAll(questions, options));
    assert.ok(first.length > 3);
    const digests: string[] = [];
    const again = querent.tasks.submitAll(questions, {
      ...options,
      skip: ({ digest }) => digests.push(digest) > 0,
      onSend: () => assert.fail("sent"),
    });
    assert.deepEqual(await Array.fromAsync(again), []);
    assert.deepEqual(
      digests,
      first.map(({ digest }) => digest),
    );
  });

  test("a full queue is waited for", async () => {
    const account = await service.account();
    await service.database.query("update accounts set unfinished_max = 2 where id = $1", [account.accountId]);
    let waits = 0;
    const chunks = await Array.fromAsync(
      clientOf(account).tasks.submitAll(
        Array.from({ length: 6 }, () => item("delay=200ms")),
        {
          chunkItems: 2,
          onQueueFull: () => waits++,
        },
      ),
    );
    assert.equal(chunks.length, 3);
    assert.ok(waits > 0);
  });
});

suite("batches", () => {
  test("a batch is followed to its end, and its results come in the order of the submission", async () => {
    const querent = clientOf(await service.account());
    const questions = Array.from({ length: 120 }, (_, index) => item(`delay=${(index % 5) * 40}ms size=2000 ${index}`));
    const { batchId } = await querent.tasks.submit(questions);
    const progress: number[] = [];
    await querent.batches.wait(batchId, { onUpdate: (batch) => progress.push(batch.progress) });
    assert.equal(progress.at(-1), 1);
    const results = await Array.fromAsync(querent.batches.results(batchId));
    assert.deepEqual(
      results.map(({ question }) => question),
      questions.map(({ question }) => question),
    );
    const newest = results.reduce(
      (latest, { completedAt }) => ((completedAt ?? "") > latest ? (completedAt ?? "") : latest),
      "",
    );
    const since = await Array.fromAsync(querent.batches.results(batchId, { endedFrom: newest }));
    assert.deepEqual(
      since.map(({ taskId }) => taskId),
      results.filter(({ completedAt }) => completedAt === newest).map(({ taskId }) => taskId),
    );
  });

  test("the columns of results are those of the service's own table", async () => {
    const account = await service.account();
    const { batchId, tasks } = await clientOf(account).tasks.submit([item("cards=product sources=2")]);
    const record = await clientOf(account).tasks.wait(tasks[0]?.taskId ?? "");
    const csv = await service.call("GET", `/v1/batches/${batchId}/results`, {
      headers: { authorization: `Bearer ${account.token}`, accept: "text/csv" },
    });
    const [head, row] = parse(csv.text);
    assert.deepEqual(head, [...resultColumns]);
    assert.deepEqual(
      row,
      resultCells(record).map((cell) => (cell === null ? "" : String(cell))),
    );
  });

  test("batches are listed over pages and one page at a time, newest first", async () => {
    const querent = clientOf(await service.account());
    const made: string[] = [];
    for (let n = 0; n < 5; n++) made.unshift((await querent.tasks.submit([item(`${n}?`)])).batchId);
    const listed = await Array.fromAsync(querent.batches.list({ limit: 2 }));
    assert.deepEqual(
      listed.map(({ batchId }) => batchId),
      made,
    );
    const page = await querent.batches.page({ limit: 2 });
    const next = await querent.batches.page({ limit: 4, cursor: page.nextCursor ?? "" });
    assert.deepEqual(
      [...page.batches, ...next.batches].map(({ batchId }) => batchId),
      made,
    );
    assert.equal(next.nextCursor, null);
  });
});
