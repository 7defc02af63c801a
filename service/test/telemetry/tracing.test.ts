/** docs/how-to/monitor.md#traces: real exports to a collector that works, is slow, refuses, or is not there. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { randomBytes } from "node:crypto";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { migrate } from "../../src/db/index.ts";
import { readTraceParent } from "../../src/kernel/trace.ts";
import { startTracing, type Tracing } from "../../src/telemetry/index.ts";
import { startTraceCollector, type CollectedSpan, type TraceCollector } from "../harness/collector.ts";
import { testDatabase } from "../harness/database.ts";
import { startReceiver } from "../harness/receiver.ts";
import { startReplayServer } from "../harness/replay-server.ts";
import { item, startTestService } from "../harness/service.ts";
import { until } from "../harness/wait.ts";

const traceId = "0af7651916cd43dd8448eb211c80319c";
const clientSpanId = "b7ad6b7169203331";
const traceparent = `00-${traceId}-${clientSpanId}-01`;
const failures: { spans: number; error: string }[] = [];

/** Starts tracing as a process would: the exporter reads the process's environment. */
async function tracingTo(url: string, environment: Readonly<Record<string, string>> = {}): Promise<Tracing> {
  const given = { OTEL_EXPORTER_OTLP_ENDPOINT: url, OTEL_BSP_SCHEDULE_DELAY: "50", ...environment };
  Object.assign(process.env, given);
  const tracing = await startTracing({
    environment: given,
    version: "1",
    onExportFailed: (failure) => void failures.push(failure),
  });
  for (const name of Object.keys(given)) delete process.env[name];
  assert.ok(tracing !== null);
  return tracing;
}

suite("a traced submission", async () => {
  let stop = async () => {};
  // Before the database's own: hooks run in the order in which they were set.
  after(() => stop());
  const collector = await startTraceCollector();
  const receiver = await startReceiver();
  const model = await startReplayServer({
    body: JSON.stringify({
      model: "m-2026",
      choices: [{ message: { content: "A secret answer." } }],
      usage: { prompt_tokens: 11, completion_tokens: 7 },
    }),
  });
  const folder = mkdtempSync(join(tmpdir(), "querent-test-"));
  const config = join(folder, "platforms.yaml");
  writeFileSync(
    config,
    `platforms:\n  model: { api: openai-compatible, url: "${model.url}/v1/hidden", model: m, keyVariable: MODEL_KEY, attempts: 1 }\n`,
  );
  const environment = {
    QUERENT_CONFIG: config,
    MODEL_KEY: "key-that-no-trace-may-show",
    QUERENT_EGRESS_ALLOW: "127.0.0.0/8",
    QUERENT_EGRESS_CA: receiver.caFile,
  };
  const { database, url } = await testDatabase();
  await migrate(database);
  const on = { url, masterKey: randomBytes(32) };
  const tracings = [await tracingTo(collector.url, { OTEL_SERVICE_NAME: "api" }), await tracingTo(collector.url)];
  const [apiTracing, workTracing] = tracings;
  assert.ok(apiTracing && workTracing);
  const api = await startTestService({ on, environment, roles: ["api"], tracer: apiTracing.tracer });
  const work = await startTestService({
    on,
    environment: { ...environment, QUERENT_TRACE_WEBHOOKS: "true" },
    roles: ["worker", "notifier"],
    tracer: workTracing.tracer,
  });
  stop = async () => {
    // First, since the services' own check is that nothing is left.
    for (const tracing of tracings) await tracing.stop();
    await api.stop();
    await work.stop();
    for (const server of [receiver, model, collector]) await server.close();
    rmSync(folder, { recursive: true, force: true });
  };
  const account = await api.account();

  const submitTraced = async (items: object[]) => {
    const answer = await account.post(items, { traceparent });
    assert.equal(answer.status, 202, answer.text);
    return answer.body.tasks.map(({ taskId }) => taskId);
  };
  const spanOf = (name: string, taskId: string) =>
    until(`the span ${name} of ${taskId}`, () =>
      collector.spans.find((span) => span.name === name && span.attributes["querent.task.id"] === taskId),
    );

  test("leads from the client through the wait, the run and the model to the webhook, over processes", async () => {
    const webhookUrl = receiver.url("/hook?token=hidden-in-query");
    const [taskId = ""] = await submitTraced([item("A secret question?", { platformCode: "model", webhookUrl })]);
    const delivery = await spanOf("POST webhook", taskId);
    const [wait, run] = [await spanOf("wait", taskId), await spanOf("run model", taskId)];
    const find = (name: string) =>
      until(name, () => collector.spans.find((span) => span.name === name && span.traceId === traceId));
    const [submission, chat] = [await find("POST /v1/tasks/batch"), await find("chat m")];

    assert.deepEqual([submission.traceId, submission.parentSpanId, submission.kind], [traceId, clientSpanId, 2]);
    for (const span of [wait, run, delivery]) assert.deepEqual(parentOf(span), parentTo(submission));
    assert.deepEqual(parentOf(chat), parentTo(run));
    assert.deepEqual([wait.kind, run.kind, chat.kind, delivery.kind], [1, 5, 3, 3]);
    assert.ok(wait.seconds >= 0);
    assert.equal(submission.attributes["http.response.status_code"], 202);
    assert.equal(delivery.attributes["http.response.status_code"], 204);
    assert.deepEqual([...collector.services].toSorted(), ["api", "querent"]);

    const [received] = await receiver.received(1);
    assert.equal(received?.headers["traceparent"], `00-${traceId}-${delivery.spanId}-01`);
  });

  test("describes the call of the model by the conventions for generative AI, without contents, keys, paths or queries", async () => {
    const chat = collector.spans.find(({ name }) => name === "chat m");
    assert.deepEqual(chat?.attributes, {
      "gen_ai.operation.name": "chat",
      "gen_ai.provider.name": "openai-compatible",
      "gen_ai.request.model": "m",
      "server.address": "127.0.0.1",
      "server.port": Number(new URL(model.url).port),
      "gen_ai.response.model": "m-2026",
      "gen_ai.usage.input_tokens": 11,
      "gen_ai.usage.output_tokens": 7,
    });
    for (const secret of ["secret question", "secret answer", "key-that-no-trace", "hidden", account.token])
      assert.ok(!collector.text().includes(secret), secret);
  });

  test("shows failed attempts as errors", async () => {
    model.reply = { status: 401, body: "{}" };
    const [taskId = ""] = await submitTraced([item("Why?", { platformCode: "model" })]);
    const run = await spanOf("run model", taskId);
    assert.deepEqual([run.failed, run.attributes["error.type"]], [true, "platform_auth"]);
  });

  test("a submission without a trace context starts a trace", async () => {
    const taskId = await account.ask("Why?");
    const run = await spanOf("run simulator", taskId);
    assert.notEqual(run.traceId, traceId);
    const above = await until("the submission", () =>
      collector.spans.find(({ spanId }) => spanId === run.parentSpanId),
    );
    assert.deepEqual([above.name, above.parentSpanId], ["POST /v1/tasks/batch", ""]);
  });
});

suite("a collector in trouble", () => {
  const troubles: Readonly<Record<string, () => Promise<TraceCollector | null>>> = {
    "a collector that never answers neither fails nor holds up tasks or a stop": () =>
      startTraceCollector(() => undefined),
    "a collector that refuses everything neither fails nor holds up tasks or a stop": () =>
      startTraceCollector((response) => void response.writeHead(400).end()),
    "a collector that is not there neither fails nor holds up tasks or a stop": async () => null,
  };
  for (const [trouble, start] of Object.entries(troubles))
    test(trouble, async () => {
      const collector = await start();
      // The queue is full after the first spans.
      const limits = {
        OTEL_EXPORTER_OTLP_TIMEOUT: "1000",
        OTEL_BSP_MAX_QUEUE_SIZE: "10",
        OTEL_BSP_MAX_EXPORT_BATCH_SIZE: "5",
      };
      const tracing = await tracingTo(collector?.url ?? "http://127.0.0.1:1", limits);
      const service = await startTestService({ tracer: tracing.tracer });
      const account = await service.account();
      const { tasks } = await account.submit(Array.from({ length: 20 }, () => item()));
      for (const { state } of await Promise.all(tasks.map(({ taskId }) => account.ended(taskId))))
        assert.equal(state, "completed");
      if (!trouble.includes("never answers")) {
        await until("the failure to be reported", () => failures.some(({ spans }) => spans > 0));
        failures.length = 0;
      } else await until("a request to the collector", () => (collector?.requests ?? 0) > 0);
      const from = performance.now();
      await tracing.stop();
      // It waits two seconds at most; the rest is for a slow machine.
      assert.ok(performance.now() - from < 30_000);
      await service.stop();
      await collector?.close();
    });
});

suite("tracing", () => {
  const start = (environment: Readonly<Record<string, string>>) =>
    startTracing({ environment, version: "1", onExportFailed: () => undefined });

  test("is off unless the standard variables ask for it", async () => {
    const endpoint = { OTEL_EXPORTER_OTLP_ENDPOINT: "http://127.0.0.1:1" };
    assert.equal(await start({}), null);
    assert.equal(await start({ ...endpoint, OTEL_SDK_DISABLED: "true" }), null);
    assert.equal(await start({ ...endpoint, OTEL_TRACES_EXPORTER: "none" }), null);
    for (const environment of [endpoint, { OTEL_TRACES_EXPORTER: "otlp" }]) {
      const tracing = await start(environment);
      assert.ok(tracing !== null);
      await tracing.stop();
    }
  });

  test("writes nothing with the batches when it is off", async () => {
    const service = await startTestService();
    const account = await service.account();
    const answer = await account.post([item()], { traceparent });
    assert.equal(answer.status, 202);
    const { rows } = await service.database.query("select traceparent from batches");
    assert.deepEqual(rows, [{ traceparent: null }]);
  });

  test("refuses samplers that do not exist, and follows the one that is set", async () => {
    await assert.rejects(start({ OTEL_TRACES_EXPORTER: "otlp", OTEL_TRACES_SAMPLER: "sometimes" }), /sometimes/);
    const tracing = await start({ OTEL_TRACES_EXPORTER: "otlp", OTEL_TRACES_SAMPLER: "parentbased_always_off" });
    assert.ok(tracing !== null);
    const sampled = (parent: string | null) => {
      const span = tracing.tracer.start("s", { kind: "internal", parent, attributes: {} });
      return readTraceParent(span.traceParent)?.sampled;
    };
    assert.deepEqual([sampled(null), sampled(traceparent)], [false, true]);
    await tracing.stop();
  });

  test("gives log lines the ids of the span that they belong to", async () => {
    const tracing = await start({ OTEL_TRACES_EXPORTER: "otlp" });
    assert.ok(tracing !== null);
    const span = tracing.tracer.start("s", { kind: "internal", parent: traceparent, attributes: {} });
    const inside = await tracing.tracer.within(span, async () => {
      await Promise.resolve();
      return tracing.logFields();
    });
    const ids = readTraceParent(span.traceParent);
    assert.deepEqual(inside, { trace_id: traceId, span_id: ids?.spanId });
    assert.deepEqual(tracing.logFields(), {});
    await tracing.stop();
  });
});

test("a trace context is read only if it is valid", () => {
  assert.deepEqual(readTraceParent(traceparent), { traceId, spanId: clientSpanId, sampled: true });
  assert.equal(readTraceParent(traceparent.replace(/01$/, "00"))?.sampled, false);
  for (const wrong of [
    null,
    "",
    "x",
    `01-${traceId}-${clientSpanId}-01`,
    `00-${"0".repeat(32)}-${clientSpanId}-01`,
    `00-${traceId}-${"0".repeat(16)}-01`,
    `${traceparent}-more`,
  ])
    assert.equal(readTraceParent(wrong), null, String(wrong));
});

const parentOf = ({ traceId: id, parentSpanId }: CollectedSpan) => [id, parentSpanId];
const parentTo = ({ traceId: id, spanId }: CollectedSpan) => [id, spanId];
