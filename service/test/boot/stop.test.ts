/** The order in which the parts of a service start and stop, also if one of them cannot. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test, type TestContext } from "node:test";
import { pino } from "pino";
import { startService } from "../../src/app/compose.ts";
import { readConfig } from "../../src/app/config.ts";
import { BrowserPool } from "../../src/browser/index.ts";
import { Database } from "../../src/db/index.ts";
import { Dispatcher } from "../../src/dispatch/index.ts";
import { PlatformHealth } from "../../src/statistics/index.ts";
import type { Log, LogEvent } from "../../src/telemetry/index.ts";
import { MasterKey } from "../../src/vault/index.ts";
import { EventFeed, Notifier, Sender } from "../../src/webhooks/index.ts";
import { testDatabase } from "../harness/database.ts";
import { temporaryFolder } from "../harness/process.ts";

test("a stop ends requests first, then tasks, then the deliveries of their ends, then the connections to receivers", async (t) => {
  await using service = await start();
  const stopped = stopsOf(t);
  await service.stop();
  assert.deepEqual(stopped, ["feed", "dispatcher", "browsers", "health", "notifier", "sender"]);
});

test("a part that can't be stopped keeps no other running", async (t) => {
  await using service = await start();
  const stopped = stopsOf(t, "feed");
  await assert.rejects(service.stop(), { message: "feed does not stop" });
  assert.deepEqual(stopped, ["feed", "dispatcher", "browsers", "health", "notifier", "sender"]);
  await assert.rejects(fetch(`${service.address}/healthz`), "the port is closed");
  const { rows } = await service.database.query("select id from nodes");
  assert.deepEqual(rows, [], "the worker has given up its lease");
});

test("a part that can't be started leaves nothing running", async (t) => {
  const failing = t.mock.method(Dispatcher.prototype, "start", () => Promise.reject(new Error("does not start")));
  const stopped = stopsOf(t);
  const starting = start();
  await assert.rejects(starting, { message: "does not start" });
  assert.equal(failing.mock.callCount(), 1);
  assert.deepEqual(stopped, ["dispatcher", "browsers", "health", "notifier", "sender"]);
});

/** Records the stops of the service's parts, in their order; that of `failing` fails once it is done. */
function stopsOf(t: TestContext, failing?: string): string[] {
  const stopped: string[] = [];
  const record = (name: string, part: object, method: string) => {
    const stop = Reflect.get(part, method) as (...args: unknown[]) => Promise<void>;
    t.mock.method(part as Record<string, typeof stop>, method, async function (this: object, ...args: unknown[]) {
      await stop.apply(this, args);
      stopped.push(name);
      if (name === failing) throw new Error(`${name} does not stop`);
    });
  };
  record("feed", EventFeed.prototype, "stop");
  record("dispatcher", Dispatcher.prototype, "stop");
  record("browsers", BrowserPool.prototype, "close");
  record("health", PlatformHealth.prototype, "flush");
  record("notifier", Notifier.prototype, "stop");
  record("sender", Sender.prototype, "close");
  return stopped;
}

async function start() {
  const folder = temporaryFolder();
  const { url } = await testDatabase();
  const database = new Database({
    connection: { connectionString: url },
    connectionsMax: 10,
    // A busy machine takes its time.
    connectTimeoutMs: 180_000,
    applicationName: "stop",
  });
  const config = readConfig({ QUERENT_PORT: "0", QUERENT_DATA_DIR: folder.path, DATABASE_URL: url });
  const events: LogEvent[] = [];
  const log: Log = Object.assign((event: LogEvent) => void events.push(event), { logger: pino({ level: "silent" }) });
  const dispose = async () => {
    await database.close();
    folder[Symbol.dispose]();
  };
  try {
    const masterKey = new MasterKey(randomBytes(32));
    const service = await startService({ config, environment: {}, database, masterKey, alone: true, log }, [
      "api",
      "worker",
      "notifier",
    ]);
    return { ...service, database, [Symbol.asyncDispose]: dispose };
  } catch (error) {
    await dispose();
    throw error;
  }
}
