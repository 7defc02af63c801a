import assert from "node:assert/strict";
import { test } from "node:test";
import { ServiceStack, type Service } from "../../src/runtime/service.ts";

function named(name: string, log: string[], fault: { start?: Error; stop?: Error } = {}): Service {
  return {
    async start() {
      log.push(`start ${name}`);
      if (fault.start !== undefined) throw fault.start;
    },
    async stop() {
      log.push(`stop ${name}`);
      if (fault.stop !== undefined) throw fault.stop;
    },
  };
}

function stackOf(...services: Service[]): ServiceStack {
  const stack = new ServiceStack();
  for (const service of services) stack.add(service);
  return stack;
}

test("services start in their order and stop in the reverse order, once", async () => {
  const log: string[] = [];
  const stack = stackOf(named("a", log), named("b", log));
  await stack.start();
  await Promise.all([stack.stop(), stack.stop()]);
  assert.deepEqual(log, ["start a", "start b", "stop b", "stop a"]);
});

test("where one stop fails, the other services are stopped all the same", async () => {
  const log: string[] = [];
  const stack = stackOf(named("a", log), named("b", log, { stop: new Error("b does not stop") }), named("c", log));
  await stack.start();
  await assert.rejects(stack.stop(), { message: "b does not stop" });
  assert.deepEqual(log.slice(3), ["stop c", "stop b", "stop a"]);
});

test("a start that fails stops what has started, and starts nothing more", async () => {
  const log: string[] = [];
  const stack = stackOf(named("a", log), named("b", log, { start: new Error("b does not start") }), named("c", log));
  await assert.rejects(stack.start(), { message: "b does not start" });
  assert.deepEqual(log, ["start a", "start b", "stop b", "stop a"]);
});

test("a stop during the start keeps further services from starting", async () => {
  const log: string[] = [];
  const started = Promise.withResolvers<void>();
  const slow: Service = { ...named("slow", log), start: () => started.promise };
  const stack = stackOf(slow, named("b", log));
  const starting = stack.start();
  const stopping = stack.stop();
  started.resolve();
  await assert.rejects(starting, { message: "The services were stopped while they started." });
  await stopping;
  assert.deepEqual(log, ["stop slow"]);
});
