/** Streams that break where it hurts most. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { ConnectionError, GoneError, UnexpectedReplyError } from "@querent/client";
import { answerProblem, startFakeService } from "./fake-service.ts";

const event = (id: number, lineEnd = "\n") =>
  [
    `id: c-${id}`,
    "event: task.finished",
    `delivery: d-${id}`,
    `data: {"task":{"taskId":"t-${id}","ü":"答"}}`,
    "",
    "",
  ].join(lineEnd);

suite("the feed", () => {
  test("cut into single bytes, with comments, odd line ends and events of other kinds, it reads the same", async () => {
    for (const lineEnd of ["\n", "\r\n", "\r"]) {
      await using service = await startFakeService((_asked, response) => {
        response.writeHead(200, { "content-type": "text/event-stream" });
        const text = `\uFEFFretry: 3000${lineEnd}${lineEnd}:${lineEnd}${lineEnd}${event(1, lineEnd)}event: other${lineEnd}data: x${lineEnd}${lineEnd}${event(2, lineEnd)}data: cut off`;
        const bytes = Buffer.from(text);
        let at = 0;
        const next = () => {
          if (at < bytes.length) response.write(bytes.subarray(at, ++at), () => setImmediate(next));
          else response.end();
        };
        next();
      });
      const got: string[] = [];
      const stream = service.client({ maxRetries: 0 }).events.stream();
      await assert.rejects(async () => {
        for await (const entry of stream)
          got.push(`${entry.cursor} ${entry.deliveryId} ${entry.notification.task.taskId}`);
      }, ConnectionError);
      assert.deepEqual(got, ["c-1 d-1 t-1", "c-2 d-2 t-2"]);
    }
  });

  test("each time it breaks it goes on after the last event, also from refusals that pass", async () => {
    await using service = await startFakeService((asked, response, count) => {
      if (count % 3 === 0) return answerProblem(response, 503, "unavailable");
      const from = Number(String(asked.headers["last-event-id"] ?? "c-0").slice(2)) + 1;
      response.writeHead(200, { "content-type": "text/event-stream" });
      response.write(event(from) + event(from + 1).slice(0, 30), () => response.destroy());
    });
    const breaks: string[] = [];
    const got: string[] = [];
    for await (const { cursor } of service.client().events.stream({ onBreak: (error) => breaks.push(error.name) })) {
      if (got.push(cursor) === 5) break;
    }
    assert.deepEqual(got, ["c-1", "c-2", "c-3", "c-4", "c-5"]);
    assert.ok(breaks.includes("ConnectionError") && breaks.includes("UnavailableError"), breaks.join());
  });

  test("when the last event was lost by a restore, it goes back to one that still exists, and says so; once only", async () => {
    const gone = { code: "events_replaced", title: "t", status: 410, detail: "d", resumeAfter: "c-3" };
    await using service = await startFakeService((asked, response) => {
      if (asked.headers["last-event-id"] !== "c-3" || service.asked.length > 2)
        return void response.writeHead(410, { "content-type": "application/problem+json" }).end(JSON.stringify(gone));
      response.writeHead(200, { "content-type": "text/event-stream" }).end(event(4));
    });
    const replaced: string[] = [];
    const onReplaced = (resumeAfter: string, error: GoneError) => replaced.push(`${resumeAfter} ${error.resumeAfter}`);
    const stream = service.client().events.stream({ after: "c-9", onReplaced });
    assert.equal((await stream.next()).value?.cursor, "c-4");
    assert.deepEqual(replaced, ["c-3 c-3"]);
    // A service that sends it back to where it is, again and again, is an error.
    await assert.rejects(stream.next(), GoneError);
    await assert.rejects(service.client().events.stream({ after: "c-9", reconnect: false }).next(), GoneError);
  });

  test("what connecting again can't mend is thrown", async () => {
    await using service = await startFakeService((_asked, response) =>
      response.writeHead(200, { "content-type": "text/html" }).end("<p>"),
    );
    await assert.rejects(service.client().events.stream().next(), UnexpectedReplyError);
    assert.equal(service.asked.length, 1);
  });
});

suite("results", () => {
  test("when the connection breaks in the middle of a record, they go on with that record", async () => {
    const line = (n: number) => `{"taskId":"t-${n}"}\n`;
    await using service = await startFakeService((_asked, response, count) => {
      response.writeHead(200, { "content-type": "application/x-ndjson" });
      const all = [1, 2, 3, 4].map(line).join("");
      if (count === 3) response.end(all);
      else response.write(all.slice(0, count * 25), () => response.destroy());
    });
    const got = await Array.fromAsync(service.client().batches.results("b-1"));
    assert.deepEqual(
      got.map(({ taskId }) => taskId),
      ["t-1", "t-2", "t-3", "t-4"],
    );
    assert.equal(service.asked.length, 3);
  });

  test("a stream that always breaks at the same place is an error after the retries", async () => {
    await using service = await startFakeService((_asked, response) => {
      response.writeHead(200, { "content-type": "application/x-ndjson" });
      response.write('{"taskId":"t-1"}\n{"task', () => response.destroy());
    });
    const got: string[] = [];
    await assert.rejects(async () => {
      for await (const { taskId } of service.client({ maxRetries: 2 }).batches.results("b-1")) got.push(taskId);
    }, ConnectionError);
    assert.deepEqual(got, ["t-1"]);
    assert.equal(service.asked.length, 4);
  });
});
