import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { request } from "node:https";
import { join } from "node:path";
import { suite, test } from "node:test";
import { temporaryFolder } from "../harness/process.ts";
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
];

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
        await until("three refusals", () => (output.match(/refused/g) ?? []).length === 3);
        assert.equal((output.match(/task\.finished: t-1 completed/g) ?? []).length, 1, output);
        assert.equal((output.match(/dropped: d-1/g) ?? []).length, 1, output);
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
