/** Live readers in numbers, on real sockets: the service as a process of its own, so that its memory can be read. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { randomBytes } from "node:crypto";
import { readFileSync } from "node:fs";
import { connect, type Socket } from "node:net";
import { after, test } from "node:test";
import type { SubmissionAccepted } from "@querent/contract";
import { createToken } from "../../src/accounts/index.ts";
import { createAccount } from "../../src/app/accounts.ts";
import { newId } from "../../src/kernel/ids.ts";
import { parseMasterKey } from "../../src/vault/index.ts";
import { testDatabase } from "../harness/database.ts";
import { startServiceProcess, temporaryFolder } from "../harness/process.ts";
import { until } from "../harness/wait.ts";

const readersMax = 10_000;
const accountsMax = 100;
const { database, url } = await testDatabase();
const folder = temporaryFolder();
after(() => folder[Symbol.dispose]());
const descriptors = Number(execFileSync("sh", ["-c", "ulimit -n"]).toString().replace("unlimited", "1000000"));

test(
  `${readersMax} readers in one process: all hear of an end, those that do not read cost next to nothing`,
  { skip: descriptors < 2 * readersMax ? `only ${descriptors} descriptors are allowed here` : false },
  async (t) => {
    const key = randomBytes(32).toString("base64");
    const service = await startServiceProcess({
      QUERENT_DATA_DIR: folder.path,
      DATABASE_URL: url,
      QUERENT_MASTER_KEY: key,
      QUERENT_REQUESTS_PER_MINUTE: "0",
    });
    const sockets: Socket[] = [];
    try {
      const accounts = await Promise.all(
        Array.from({ length: accountsMax }, async () => {
          const accountId = await createAccount(database, parseMasterKey(key), { name: newId(), points: 10_000 });
          const scopes = ["tasks:read", "tasks:write"] as const;
          return createToken(database, { accountId, scopes, name: null, expiresAt: null });
        }),
      );
      const token = (n: number) => accounts[n % accountsMax]?.token ?? "";
      const { port } = new URL(service.address);
      const idle = memoryOf(service.child.pid);
      const heard = Array.from({ length: readersMax }, () => 0);
      const open = (n: number) =>
        new Promise<Socket>((resolve, reject) => {
          const socket = connect({ port: Number(port), host: "127.0.0.1" }, () =>
            socket.write(
              `GET /v1/events HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${token(n)}\r\nAccept: text/event-stream\r\n\r\n`,
            ),
          );
          sockets.push(socket);
          socket.once("error", reject);
          // Every second one of the first account reads nothing after the beginning.
          const isSlow = n % accountsMax === 0 && n % (2 * accountsMax) === 0;
          let rest = "";
          socket.on("data", (chunk: Buffer) => {
            const text = rest + chunk.toString("latin1");
            heard[n] = (heard[n] ?? 0) + text.split("\nevent: task.finished").length - 1;
            rest = text.slice(-20);
            if (!text.includes("retry: 3000")) return;
            if (isSlow) socket.pause();
            resolve(socket);
          });
        });
      const connectingAt = performance.now();
      for (let from = 0; from < readersMax; from += 250)
        await Promise.all(Array.from({ length: 250 }, (_, n) => open(from + n)));
      t.diagnostic(`connected after ${Math.round(performance.now() - connectingAt)} ms`);
      const connected = memoryOf(service.child.pid);
      t.diagnostic(`${Math.round((connected - idle) / readersMax / 1024)} KiB a reader`);
      assert.ok(connected - idle < readersMax * 64 * 1024, `${connected - idle} bytes for ${readersMax} readers`);

      const submit = async (n: number, question: string, count: number) => {
        const answer = await fetch(`${service.address}/v1/tasks/batch`, {
          method: "POST",
          headers: {
            authorization: `Bearer ${token(n)}`,
            "content-type": "application/json",
            "idempotency-key": newId(),
          },
          body: JSON.stringify(
            Array.from({ length: count }, () => ({ question, platformCode: "simulator", options: {} })),
          ),
        });
        assert.equal(answer.status, 202);
        return (await answer.json()) as SubmissionAccepted;
      };
      const startedAt = performance.now();
      await Promise.all(Array.from({ length: accountsMax - 1 }, (_, n) => submit(n + 1, "Why?", 1)));
      const reading = (n: number) => n % accountsMax !== 0;
      await until("all to hear of it", () => heard.every((count, n) => !reading(n) || count === 1));
      t.diagnostic(
        `an end of each account at all ${readersMax} readers after ${Math.round(performance.now() - startedAt)} ms`,
      );

      // 50 readers that do not read, and 6 MB for each: 300 MB, if it were kept for them.
      await submit(0, "size=200000", 30);
      await until(
        "those that read to have it all",
        () => heard.every((count, n) => n % accountsMax !== 0 || n % (2 * accountsMax) === 0 || count === 30),
        60_000,
      );
      const loaded = memoryOf(service.child.pid);
      t.diagnostic(`${Math.round((loaded - connected) / 1024 ** 2)} MiB more with 50 readers that do not read`);
      assert.ok(loaded - connected < 250 * 1024 ** 2, `${loaded - connected} bytes more`);
      assert.equal(await service.end("SIGTERM"), 0, service.output());
    } finally {
      for (const socket of sockets) socket.destroy();
      await service.end("SIGKILL");
    }
  },
);

/** Resident memory, in bytes. */
function memoryOf(pid: number | undefined): number {
  const kilobytes = /VmRSS:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return Number(kilobytes) * 1024;
}
