/** The example receivers, with the webhooks of the service. */
import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import type { WebhookRecord, WebhookTestReply } from "@querent/contract";
import { notificationBody } from "../../src/webhooks/index.ts";
import { temporaryFolder } from "../harness/process.ts";
import { startTestService } from "../harness/service.ts";
import { until } from "../harness/wait.ts";

const folder = join(import.meta.dirname, "../../../examples/receivers");
const secret = "whsec_test";
const body = Buffer.from(
  JSON.stringify({
    event: "task.finished",
    deliveryRevision: 1,
    task: { taskId: "t-1", state: "completed", content: "ü", chargedPoints: 2, resultOmitted: true },
  }),
);
const sign = (bytes: Buffer) => `sha256=${createHmac("sha256", secret).update(bytes).digest("hex")}`;

const receivers = [
  { name: "receiver.mjs", program: process.execPath },
  { name: "receiver.py", program: "python3" },
  { name: "receiver-node.ts", program: process.execPath },
  { name: "receiver-fastify.ts", program: process.execPath },
  { name: "receiver-express.ts", program: process.execPath },
];

const certificate = temporaryFolder();
assert.equal(spawnSync(process.execPath, [join(folder, "make-certificate.mjs")], { cwd: certificate.path }).status, 0);
const service = await startTestService({
  environment: {
    QUERENT_EGRESS_ALLOW: "127.0.0.0/8",
    QUERENT_EGRESS_CA: join(certificate.path, "receiver-cert.pem"),
  },
});
after(() => certificate[Symbol.dispose]());

suite("the receivers to copy, and the service", () => {
  for (const { name, program } of receivers) {
    const missing = spawnSync(program, ["--version"]).status !== 0;
    test(`${name} takes what the service sends, and drops a repeat`, { skip: missing && `no ${program}` }, async () => {
      const account = await service.account();
      const { body: webhook } = await account.get<WebhookRecord>("/v1/webhook");
      const child = spawn(program, [join(folder, name)], {
        cwd: certificate.path,
        env: { ...process.env, SIGNING_SECRET: webhook.signingSecret, PORT: "0" },
        stdio: ["ignore", "pipe", "inherit"],
      });
      let output = "";
      child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
      try {
        const url = await until("the receiver listens", () => /listening on (https:\S+)/.exec(output)?.[1]);
        const tested = await account.call<WebhookTestReply>("POST", "/v1/webhook/test", { body: { url } });
        assert.deepEqual([tested.body.passed, tested.body.status], [true, 204], tested.text);
        await account.call("PUT", "/v1/webhook", { body: { url } });
        const small = await account.ask("Why?");
        const large = await account.ask("size=300000");
        await until("both", () => output.includes(`${small} completed`) && output.includes(`GET /v1/tasks/${large}`));
        const forged = await send({
          port: Number(new URL(url).port),
          ca: readFileSync(join(certificate.path, "receiver-cert.pem")),
          headers: { "X-Service-Signature": sign(body), "X-Service-Delivery": "d-1" },
          bytes: body,
        });
        assert.equal(forged, 401);
        // The same delivery once more, as after a lost answer. It was received; that it is recorded may take a moment more.
        await until("the end of the delivery", async () => {
          const { rows } = await service.database.query("select state from deliveries where task_id = $1", [small]);
          return rows[0]?.["state"] === "delivered";
        });
        await service.database.query(
          `with again as (
             update deliveries set state = 'pending', finished_at = null, body = $2 where task_id = $1
             returning id, account_id, origin, to_default
           )
           insert into delivery_queue (id, delivery_ids, account_id, origin, to_default, state, next_attempt_at)
           select id, array[id], account_id, origin, to_default, 'queued', now() from again`,
          [small, notificationBody(await account.task(small), 1, 262_144)],
        );
        await until("the repeat", () => /ignored: [0-9a-f-]{36} was already received/.test(output));
        assert.equal(output.split(`${small} completed`).length, 2, output);
        // The secret changes, with an overlap: the receiver still has the old one, and rejects nothing.
        const rejections = () => (output.match(/rejected/g) ?? []).length;
        const before = rejections();
        const rotated = await account.call("POST", "/v1/webhook/signing-secret/rotation", {
          body: { previousSecretValidSeconds: 3600 },
        });
        assert.equal(rotated.status, 200, rotated.text);
        const after = await account.call<WebhookTestReply>("POST", "/v1/webhook/test", { body: { url } });
        assert.deepEqual([after.body.passed, after.body.status], [true, 204], after.text);
        const during = await account.ask("During the overlap?");
        await until("what was sent during the overlap", () => output.includes(`${during} completed`));
        assert.equal(rejections(), before, output);
      } finally {
        child.kill("SIGKILL");
        await once(child, "close");
      }
    });
  }
});

suite("the receivers to copy", () => {
  for (const { name, program } of receivers) {
    const missing = spawnSync(program, ["--version"]).status !== 0;
    test(`${name} takes what is signed, once, and nothing else`, { skip: missing && `no ${program}` }, async () => {
      using place = temporaryFolder();
      assert.equal(spawnSync(process.execPath, [join(folder, "make-certificate.mjs")], { cwd: place.path }).status, 0);
      const child = spawn(program, [join(folder, name)], {
        cwd: place.path,
        env: { ...process.env, SIGNING_SECRET: secret, PORT: "0" },
        stdio: ["ignore", "pipe", "inherit"],
      });
      let output = "";
      child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
      try {
        const port = await until(
          "the receiver listens",
          () => /listening on https:\/\/127\.0\.0\.1:(\d+)\//.exec(output)?.[1],
        );
        const ca = readFileSync(join(place.path, "receiver-cert.pem"));
        const post = (headers: Record<string, string>, bytes = body) =>
          send({ port: Number(port), ca, headers, bytes });

        assert.equal(await post({ "X-Service-Signature": sign(body), "X-Service-Delivery": "d-1" }), 204);
        assert.equal(await post({ "X-Service-Signature": sign(body), "X-Service-Delivery": "d-1" }), 204);
        assert.equal(await post({ "X-Service-Signature": "sha256=0", "X-Service-Delivery": "d-2" }), 401);
        assert.equal(await post({ "X-Service-Signature": sign(Buffer.from("{}")), "X-Service-Delivery": "d-3" }), 401);
        assert.equal(await post({ "X-Service-Delivery": "d-4" }), 401);
        await until("three rejections", () => (output.match(/rejected/g) ?? []).length === 3);
        const other = { "X-Service-Signature": `sha256=${"0".repeat(64)}`, "X-Service-Delivery": "d-1" };
        assert.equal(await post({ ...other, "X-Service-Signature-Previous": sign(body) }), 204);
        assert.equal(await post({ ...other, "X-Service-Signature-Previous": sign(Buffer.from("{}")) }), 401);
        assert.equal((output.match(/task\.finished: t-1 completed/g) ?? []).length, 1, output);
        assert.equal((output.match(/ignored: d-1/g) ?? []).length, 2, output);
        assert.match(output, /GET \/v1\/tasks\/t-1/);
      } finally {
        child.kill("SIGKILL");
        await once(child, "close");
      }
    });
  }
});

async function send(to: {
  port: number;
  ca: Buffer;
  headers: Record<string, string>;
  bytes: Buffer;
}): Promise<number | undefined> {
  const asked = request({
    host: "127.0.0.1",
    port: to.port,
    method: "POST",
    ca: to.ca,
    agent: false,
    headers: to.headers,
  });
  asked.end(to.bytes);
  const [response] = (await once(asked, "response")) as [NodeJS.ReadableStream & { statusCode?: number }];
  response.resume();
  return response.statusCode;
}
