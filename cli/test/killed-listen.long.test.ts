/** `querent listen` through kills of the service, of itself and of the program behind it. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { SubmissionAccepted } from "@querent/client";
import { testDatabase } from "../../service/test/harness/database.ts";
import { freePort } from "../../service/test/harness/free-port.ts";
import { startServiceProcess, temporaryFolder } from "../../service/test/harness/process.ts";
import { until } from "../../service/test/harness/wait.ts";
import { startHook, taskOf } from "./hook.ts";
import { startCli } from "./run-cli.ts";

suite("listen --forward", () => {
  test("through kills of the service, of itself and of the program, every end arrives, signed", async () => {
    using folder = temporaryFolder();
    await using hook = await startHook();
    const { database, url } = await testDatabase();
    const token = "token-of-the-listen-test";
    const environment = {
      QUERENT_DATA_DIR: folder.path,
      DATABASE_URL: url,
      QUERENT_ACCESS_TOKEN: token,
      QUERENT_PORT: String(await freePort()),
    };
    let service = await startServiceProcess(environment);
    const options = { url: service.address, token, home: folder.path };
    let cli = startCli(["listen", "--forward", hook.url], options);
    const taskIds = new Set<string>();
    const submit = async (count: number, key: string) => {
      const answer = await fetch(`${service.address}/v1/tasks/batch`, {
        method: "POST",
        headers: { authorization: `Bearer ${token}`, "content-type": "application/json", "idempotency-key": key },
        body: JSON.stringify(
          Array.from({ length: count }, () => ({ question: "Why?", platformCode: "simulator", options: {} })),
        ),
      });
      assert.equal(answer.status, 202);
      for (const { taskId } of ((await answer.json()) as SubmissionAccepted).tasks) taskIds.add(taskId);
    };
    const arrived = () => new Set(hook.received.map(({ body }) => taskOf(body)));
    try {
      await until("it to listen", () => cli.stderr().includes("Forwarding to"));
      await submit(20, "one");
      await until("the first", () => arrived().size === 20);
      await service.end("SIGKILL");
      await database.query("update nodes set lease_until = now() - interval '1 s'");
      service = await startServiceProcess(environment);
      await submit(20, "two");
      await until("those after the service's restart", () => arrived().size === 40);
      cli.child.kill("SIGKILL");
      await cli.ended;
      await submit(20, "three");
      await hook.stop();
      cli = startCli(["listen", "--forward", hook.url], options);
      await until("it to find nobody", () => cli.stderr().includes("cannot be reached"));
      await hook.start();
      await until("those while it was away", () => arrived().size === 60);
      assert.deepEqual(arrived(), taskIds);
      cli.child.kill("SIGINT");
      assert.equal((await cli.ended).code, 130);
    } finally {
      cli.child.kill("SIGKILL");
      await cli.ended;
      await service.end("SIGKILL");
    }
  });
});
