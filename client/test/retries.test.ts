/** What the client repeats, what it must not repeat, and how long it waits, against a server that misbehaves. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import {
  ConflictError,
  ConnectionError,
  ForbiddenError,
  GoneError,
  InvalidRequestError,
  NotFoundError,
  PointsShortError,
  Querent,
  QuerentError,
  RateLimitedError,
  RequestTimeoutError,
  UnauthorizedError,
  UnavailableError,
  UnexpectedReplyError,
  type ClientOptions,
} from "@querent/client";
import { answerJson, answerProblem, startFakeService } from "./fake-service.ts";

const item = { question: "Why?", platformCode: "simulator" };
const accepted = { acceptedCount: 1, tasks: [], batchId: "b", createdAt: "", estimatedPoints: 1 };

/** What a promise is rejected with. */
async function failure(promise: Promise<unknown>): Promise<unknown> {
  return promise.then(
    () => assert.fail("it should have failed"),
    (error: unknown) => error,
  );
}

suite("retries", () => {
  test("zero retries means none", async () => {
    await using service = await startFakeService((_asked, response) => answerProblem(response, 503, "unavailable"));
    assert.ok((await failure(service.client({ maxRetries: 0 }).platforms.list())) instanceof UnavailableError);
    assert.equal(service.asked.length, 1);
    assert.ok((await failure(service.client().platforms.list({ maxRetries: 0 }))) instanceof UnavailableError);
    assert.equal(service.asked.length, 2);
    assert.throws(() => service.client({ maxRetries: -1 }), TypeError);
    assert.throws(() => service.client({ maxRetries: Number.NaN }), TypeError);
  });

  test("there are as many as allowed, and the last error comes out", async () => {
    await using service = await startFakeService((_asked, response) => answerProblem(response, 503, "unavailable"));
    assert.ok((await failure(service.client({ maxRetries: 3 }).platforms.list())) instanceof UnavailableError);
    assert.equal(service.asked.length, 4);
  });

  test("a full queue is waited for when that is asked for, and is an error at once otherwise", async () => {
    await using service = await startFakeService((_asked, response, count) =>
      count === 1 || count === 2 ? answerProblem(response, 503, "queue_full") : answerJson(response, 202, accepted),
    );
    const { tasks } = service.client();
    assert.ok((await failure(tasks.submit([item]))) instanceof UnavailableError);
    await tasks.submit([item], { waitWhileFull: true, idempotencyKey: "k" });
    assert.deepEqual(
      service.asked.slice(1).map(({ headers }) => headers["idempotency-key"]),
      ["k", "k"],
    );
  });

  test("an answer that says unchanged to who did not ask is no answer of the service's", async () => {
    await using service = await startFakeService((_asked, response) => response.writeHead(304).end());
    assert.ok((await failure(service.client().tasks.read("t"))) instanceof UnexpectedReplyError);
  });

  test("a submission is sent again with the same key and the same bytes, whatever broke", async () => {
    await using service = await startFakeService((_asked, response, count) => {
      if (count === 1) response.destroy();
      else if (count === 2) answerProblem(response, 503, "unavailable");
      else if (count === 3) answerProblem(response, 409, "idempotency_key_in_use", { "retry-after": "0" });
      else if (count === 4) response.writeHead(202, { "content-type": "application/json" }).write('{"accep');
      else answerJson(response, 202, accepted, { "idempotent-replayed": "true" });
      if (count === 4) setTimeout(() => response.destroy(), 20);
    });
    const submitted = await service.client().tasks.submit([item]);
    assert.equal(service.asked.length, 5);
    const keys = new Set(service.asked.map(({ headers }) => headers["idempotency-key"]));
    assert.deepEqual([...keys], [submitted.idempotencyKey]);
    assert.equal(new Set(service.asked.map(({ body }) => body)).size, 1);
    assert.equal(submitted.replayed, true);
  });

  test("what must not be done twice is not repeated when nobody knows whether it was done", async () => {
    await using service = await startFakeService((_asked, response) => void response.destroy());
    const client = service.client();
    for (const call of [
      () => client.webhook.rotate(),
      () => client.webhook.test(),
      () => client.deliveries.redeliver("d-1"),
      () => client.tasks.cancel("t-1"),
    ]) {
      service.asked.length = 0;
      assert.ok((await failure(call())) instanceof ConnectionError);
      assert.equal(service.asked.length, 1);
    }
  });

  test("Retry-After is waited for, and one that is too long is an error at once", async () => {
    await using service = await startFakeService((_asked, response, count) => {
      if (count === 1) answerProblem(response, 429, "rate_limited", { "retry-after": "0" });
      else if (count === 2) answerJson(response, 200, { platforms: [] });
      else answerProblem(response, 429, "rate_limited", { "retry-after": "3600" });
    });
    await service.client().platforms.list();
    assert.equal(service.asked.length, 2);
    const error = await failure(service.client().platforms.list());
    assert.ok(error instanceof RateLimitedError);
    assert.equal(error.retryAfterMs, 3_600_000);
    assert.equal(service.asked.length, 3);
  });

  test("an attempt that takes too long is an error that the caller can catch, and another attempt follows", async () => {
    // Without a network, a reply that is there needs no turn of the event loop: no limit is too short for it.
    let asked = 0;
    const fetch = (_url: string | URL | Request, { signal }: RequestInit = {}): Promise<Response> => {
      asked++;
      const late = new Promise<never>((_, reject) =>
        signal?.addEventListener("abort", () => reject(new Error("aborted", { cause: signal.reason }))),
      );
      if (asked === 1) return late;
      if (asked === 2)
        return Promise.resolve(
          jsonReply(
            new ReadableStream<Uint8Array>({ start: (body) => void late.catch((error: unknown) => body.error(error)) }),
          ),
        );
      return Promise.resolve(jsonReply(JSON.stringify({ platforms: [] })));
    };
    const client = (options: Partial<ClientOptions>) =>
      new Querent({ url: "http://service.invalid", token: "qrt_test", random: () => 0, fetch, ...options });
    assert.deepEqual(await client({ timeoutMs: 1 }).platforms.list(), []);
    assert.equal(asked, 3);
    asked = 0;
    const error = await failure(client({ timeoutMs: 1, maxRetries: 0 }).tasks.submit([item]));
    assert.ok(error instanceof RequestTimeoutError);
    assert.match(error.idempotencyKey ?? "", /^[0-9a-f-]{36}$/);
  });

  test("an abort ends a wait between attempts at once, with the caller's own reason", async () => {
    await using service = await startFakeService((_asked, response) =>
      answerProblem(response, 503, "unavailable", { "retry-after": "7200" }),
    );
    const abort = new AbortController();
    const reason = new Error("enough");
    // It is called as the wait begins.
    const random = () => {
      setImmediate(() => abort.abort(reason));
      return 0;
    };
    const client = service.client({ random, retryAfterMsMax: 7_200_000 });
    const listing = failure(client.platforms.list({ signal: abort.signal }));
    assert.equal(await listing, reason);
    assert.equal(service.asked.length, 1);
  });
});

const jsonReply = (body: string | ReadableStream<Uint8Array>) =>
  new Response(body, { headers: { "content-type": "application/json" } });

suite("errors", () => {
  const kinds = [
    [400, "malformed_json", InvalidRequestError],
    [401, "unauthorized", UnauthorizedError],
    [402, "points_short", PointsShortError],
    [403, "scope_missing", ForbiddenError],
    [404, "not_found", NotFoundError],
    [409, "state_conflict", ConflictError],
    [410, "gone", GoneError],
    [422, "validation_failed", InvalidRequestError],
    [429, "rate_limited", RateLimitedError],
    [500, "internal", UnavailableError],
    [503, "queue_full", UnavailableError],
  ] as const;
  for (const [status, code, kind] of kinds) {
    test(`${status} ${code} is a ${kind.name} with problem, request and key`, async () => {
      await using service = await startFakeService((_asked, response) => answerProblem(response, status, code));
      const error = await failure(service.client({ maxRetries: 0 }).tasks.submit([item], { idempotencyKey: "k-1" }));
      assert.ok(error instanceof kind && error instanceof QuerentError);
      assert.deepEqual(
        [error.name, error.status, error.code, error.requestId, error.idempotencyKey, error.problem?.detail],
        [kind.name, status, code, "r-1", "k-1", "D"],
      );
    });
  }

  test("an answer of something else is told as that, and no answer is told with its cause", async () => {
    await using service = await startFakeService((asked, response) => {
      if (asked.path === "/v1/platforms")
        response.writeHead(200, { "content-type": "text/html" }).end("<html>Welcome to nginx</html>");
      else response.writeHead(301, { location: "https://elsewhere.example/" }).end();
    });
    const page = await failure(service.client().platforms.list());
    assert.ok(page instanceof UnexpectedReplyError);
    assert.match(page.message, /not from a Querent service.*Welcome to nginx/);
    const moved = await failure(service.client().usage.get());
    assert.ok(moved instanceof UnexpectedReplyError);
    assert.match(moved.message, /redirects to https:\/\/elsewhere\.example/);
    assert.equal(service.asked.length, 2, "a token is sent nowhere else");
    const nobody = await failure(service.client({ url: "http://127.0.0.1:9", maxRetries: 0 }).platforms.list());
    assert.ok(nobody instanceof ConnectionError);
    assert.match(nobody.message, /127\.0\.0\.1:9/);
  });

  test("an answer without end is cut off", async () => {
    await using service = await startFakeService((_asked, response) => {
      response.writeHead(200, { "content-type": "application/json" });
      const more = () => {
        while (response.writable && response.write("x".repeat(65_536)));
        response.once("drain", more);
      };
      more();
    });
    const error = await failure(service.client({ responseBytesMax: 1_000_000 }).platforms.list());
    assert.ok(error instanceof UnexpectedReplyError);
    assert.match(error.message, /larger than 1000000 bytes/);
  });

  test("addresses that can't be right are refused when the client is made", async () => {
    await using service = await startFakeService((_asked, response) => answerJson(response, 200, { platforms: [] }));
    for (const url of ["", "localhost:8080", "ftp://x", "http://u:p@x/", "http://x/?a=1"])
      assert.throws(() => service.client({ url }), TypeError);
    await service.client({ url: `${service.url}/behind/a/proxy/` }).platforms.list();
    assert.equal(service.asked[0]?.path, "/behind/a/proxy/v1/platforms");
  });
});

suite("waiting", () => {
  test("a task that is not there is an error at once", async () => {
    await using service = await startFakeService((_asked, response) => answerProblem(response, 404, "not_found"));
    assert.ok((await failure(service.client().tasks.wait("t-1"))) instanceof NotFoundError);
    assert.ok((await failure(service.client().batches.wait("b-1"))) instanceof NotFoundError);
    assert.equal(service.asked.length, 2);
  });

  test("a state that this version does not know is no end and no hot loop", async () => {
    await using service = await startFakeService((asked, response) => {
      const state = asked.path.includes("batches") ? "paused" : "sleeping";
      answerJson(response, 200, { state, counts: { completed: 0, failed: 0, canceled: 0 } });
    });
    const client = service.client({ random: () => 0.5 });
    const task = await failure(client.tasks.wait("t-1", { timeoutMs: 1_500 }));
    assert.match(String(task), /WaitTimeoutError/);
    assert.ok(service.asked.length < 6, `${service.asked.length} requests in 1.5 s`);
    service.asked.length = 0;
    const batch = await failure(client.batches.wait("b-1", { timeoutMs: 1_500 }));
    assert.match(String(batch), /WaitTimeoutError/);
    assert.ok(service.asked.length < 8, `${service.asked.length} requests in 1.5 s`);
  });

  test("an answer that was held is asked for again without a pause", async () => {
    await using service = await startFakeService((_asked, response, count) => {
      const state = count < 3 ? "pending" : "completed";
      setTimeout(() => answerJson(response, 200, { state }), 1_050);
    });
    const seen: string[] = [];
    // Each pause is as long as this says.
    let pauses = 0;
    const random = () => {
      pauses++;
      return 1;
    };
    const task = await service.client({ random }).tasks.wait("t-1", { onUpdate: ({ state }) => seen.push(state) });
    assert.equal(task.state, "completed");
    assert.deepEqual(seen, ["pending", "pending", "completed"]);
    assert.equal(service.asked[0]?.headers["prefer"], "wait=25");
    assert.equal(pauses, 0);
  });
});
