/** The feed and the settings of the account, by the client against the service itself. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { GoneError, Querent, webhooks } from "@querent/client";
import { startReceiver } from "../../service/test/harness/receiver.ts";
import { startTestService, type TestAccount } from "../../service/test/harness/service.ts";

const receiver = await startReceiver();
const service = await startTestService({
  environment: { QUERENT_EGRESS_ALLOW: "127.0.0.0/8", QUERENT_EGRESS_CA: receiver.caFile },
});
test.after(() => receiver.close());
const clientOf = (account: TestAccount) => new Querent({ url: service.address, token: account.token });
const item = (question = "Why?") => ({ question, platformCode: "simulator" });

suite("the feed", () => {
  test("it gives each end once with the bytes that are signed, and goes on after a cursor", async () => {
    const account = await service.account();
    const querent = clientOf(account);
    await querent.webhook.set(receiver.url());
    const stop = new AbortController();
    const opened = Promise.withResolvers<void>();
    const stream = querent.events.stream({ after: "latest", signal: stop.signal, onOpen: opened.resolve });
    const first = stream.next();
    // What ends before the latest event has been read is not in the stream.
    await opened.promise;
    const { tasks } = await querent.tasks.submit(Array.from({ length: 3 }, () => item("cards=product ü")));
    const entries = [(await first).value, (await stream.next()).value, (await stream.next()).value];
    assert.deepEqual(
      new Set(entries.map((entry) => entry?.notification.task.taskId)),
      new Set(tasks.map(({ taskId }) => taskId)),
    );
    const of = (id: string | undefined) => receiver.requests.find((one) => one.headers["x-service-delivery"] === id);
    const { signingSecret } = await querent.webhook.get();
    for (const entry of entries) {
      await receiver.received(3);
      assert.equal(of(entry?.deliveryId)?.body.toString(), entry?.body);
      const signature = of(entry?.deliveryId)?.headers["x-service-signature"];
      assert.equal(await webhooks.sign(entry?.body ?? "", signingSecret), signature);
    }
    stop.abort();
    assert.equal((await stream.next()).done, true);
    const rest = querent.events.stream({ ...(entries[0] === undefined ? {} : { after: entries[0]?.cursor }) });
    assert.deepEqual((await rest.next()).value, entries[1]);
    await rest.return();
  });

  test("a position that is no longer kept is an error, not a silent jump", async () => {
    const account = await service.account();
    const querent = clientOf(account);
    await querent.tasks.ask(item());
    const page = await querent.events.page();
    await service.database.query("update webhooks set events_pruned_to = 1000000 where account_id = $1", [
      account.accountId,
    ]);
    await assert.rejects(querent.events.stream({ after: page.nextCursor }).next(), GoneError);
  });
});

suite("the account", () => {
  test("address, secret, deliveries and points are all within reach", async () => {
    const querent = clientOf(await service.account());
    const set = await querent.webhook.set(receiver.url("/ours"));
    assert.equal((await querent.webhook.get()).url, receiver.url("/ours"));
    const rotated = await querent.webhook.rotate({ previousSecretValidSeconds: 60 });
    assert.equal(rotated.secretVersion, set.secretVersion + 1);
    assert.equal((await querent.webhook.test()).passed, true);
    const { taskId } = await querent.tasks.ask(item());
    const [delivery] = await Array.fromAsync(querent.deliveries.list({ taskId }));
    assert.equal((await querent.deliveries.get(delivery?.deliveryId ?? "")).taskId, taskId);
    await receiver.received(1);
    const recovered = await querent.webhook.recover({ since: new Date(Date.now() - 60_000).toISOString() });
    assert.equal(recovered.redeliveredCount, 0);
    const kinds = (await Array.fromAsync(querent.usage.ledger({ limit: 1 }))).map(({ kind }) => kind);
    assert.deepEqual(kinds, ["capture", "hold", "grant"]);
    assert.ok((await querent.platforms.list()).some(({ platformCode }) => platformCode === "sample"));
  });
});
