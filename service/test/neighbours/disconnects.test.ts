/** Clients that disconnect at any moment leave nothing behind: no place taken, no reader, no connection. */
import assert from "node:assert/strict";
import { connect } from "node:net";
import { test } from "node:test";
import { newId } from "../../src/kernel/ids.ts";
import { startTestService } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { createPanel, runPanel } from "../insight/fixture.ts";

const service = await startTestService();
const atOnce = 24;
/** A prime, so that each kind is cut off at each millisecond. Most of them are answered within these. */
const cutWithinMs = 41;

test("requests of every kind, each cut off somewhere, leave no place taken", async () => {
  const account = await service.account();
  const { panelId } = await createPanel(account);
  await runPanel(account, panelId);
  const submission = JSON.stringify(
    Array.from({ length: 400 }, () => ({ question: "delay=1h", platformCode: "simulator", options: {} })),
  );
  const accepted = await account.call<{ batchId: string; tasks: { taskId: string }[] }>("POST", "/v1/tasks/batch", {
    headers: { "idempotency-key": newId() },
    body: submission,
  });
  const { batchId, tasks } = accepted.body;
  const get = (path: string, headers: Record<string, string> = {}) => ({ method: "GET", path, headers, body: "" });
  const kinds = [
    get("/v1/tasks"),
    get("/v1/batches"),
    get("/v1/deliveries"),
    get("/v1/usage/ledger"),
    get("/v1/overview"),
    get(`/v1/tasks/${tasks[0]?.taskId}`, { prefer: "wait=60" }),
    get("/v1/events", { accept: "text/event-stream" }),
    get(`/v1/batches/${batchId}/results`, { accept: "text/csv" }),
    get(`/v1/batches/${batchId}/results`, { accept: "application/x-ndjson" }),
    get("/v1/observations", { accept: "application/x-ndjson" }),
    get("/v1/observations", { accept: "text/csv" }),
    get(`/v1/panels/${panelId}/figures`),
    get(`/v1/panels/${panelId}/report`),
    get(`/v1/panels/${panelId}/report?format=html`),
    get(`/v1/panels/${panelId}/report?format=zip`),
    { method: "POST", path: "/v1/tasks/quote", headers: {}, body: submission },
    { method: "POST", path: "/v1/tasks/quote", headers: {}, body: submission.slice(0, -100) },
  ];
  let sent = 0;
  const client = async () => {
    while (sent < kinds.length * cutWithinMs) {
      const number = sent++;
      const { method, path, headers, body } = kinds[number % kinds.length] ?? get("/v1/tasks");
      const lines = Object.entries({
        host: "querent",
        authorization: `Bearer ${account.token}`,
        ...headers,
        ...(body === "" ? {} : { "content-type": "application/json", "content-length": String(submission.length) }),
      }).map(([name, value]) => `${name}: ${value}\r\n`);
      await cut(`${method} ${path} HTTP/1.1\r\n${lines.join("")}\r\n${body}`, (number * 7) % cutWithinMs);
    }
  };
  await Promise.all(Array.from({ length: atOnce }, client));

  await until("nothing to be left", async () => {
    const { text } = await account.get("/metrics");
    const taken = [...text.matchAll(/^querent_places_taken\{kind="(\w+)"\} (\d+)$/gm)];
    assert.ok(taken.length >= 5, text);
    return taken.every(([, , count]) => count === "0") && /^querent_event_readers 0$/m.test(text);
  });
  for (const path of ["/v1/tasks", `/v1/panels/${panelId}/figures`])
    assert.equal((await account.get(path)).status, 200, path);
});

/** Sends the bytes, and disconnects after some time: without a word (RST), or as a client that has ended (FIN). */
async function cut(bytes: string, afterMs: number): Promise<void> {
  const { hostname, port } = new URL(service.address);
  const socket = connect(Number(port), hostname).on("error", () => undefined);
  socket.resume().write(bytes);
  await new Promise((done) => setTimeout(done, afterMs));
  const closed = new Promise((done) => socket.once("close", done));
  if (afterMs < cutWithinMs / 2) socket.resetAndDestroy();
  else socket.destroy();
  await closed;
}
