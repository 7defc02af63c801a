import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { suite, test } from "node:test";
import { webhooks } from "@querent/client";
import { temporaryFolder } from "../../service/test/harness/process.ts";
import { startReceiver } from "../../service/test/harness/receiver.ts";
import { startTestService } from "../../service/test/harness/service.ts";
import { until } from "../../service/test/harness/wait.ts";
import { startHook, taskOf } from "./hook.ts";
import { cliCommand, cliEnvironment, runCli, startCli } from "./run-cli.ts";

const receiver = await startReceiver();
const service = await startTestService({
  environment: { QUERENT_EGRESS_ALLOW: "127.0.0.0/8", QUERENT_EGRESS_CA: receiver.caFile },
});
test.after(() => receiver.close());

suite("what is forwarded", () => {
  test("has the bytes, the id and the signature of the notification, and follows a rotation", async () => {
    using folder = temporaryFolder();
    await using hook = await startHook();
    const account = await service.account();
    await account.call("PUT", "/v1/webhook", { body: { url: receiver.url() } });
    const cli = startCli(["listen", "-f", hook.url], { url: service.address, token: account.token, home: folder.path });
    try {
      await until("it to listen", () => cli.stderr().includes("Forwarding to"));
      const taskId = await account.ask("cards=product,video sources=3 ü 答");
      const [forwarded] = await until("it to arrive", () => (hook.received.length === 1 ? hook.received : null));
      const notified = await until("the notification", () =>
        receiver.requests.find(({ body }) => taskOf(body) === taskId),
      );
      assert.ok(forwarded !== undefined);
      assert.ok(forwarded.body.equals(notified.body));
      for (const name of [
        "x-service-delivery",
        "x-service-signature",
        "x-service-secret-version",
        "content-type",
        "user-agent",
      ])
        assert.equal(forwarded.headers[name], notified.headers[name], name);
      const { body: webhook } = await account.get<{ signingSecret: string }>("/v1/webhook");
      await webhooks.verify({ ...forwarded, secret: webhook.signingSecret });
      hook.status = 500;
      await account.ask("Why?");
      await until("it to be shown", () => cli.stdout().includes('"status":500'));
      assert.equal(cli.stdout().trim().split("\n").length, 2);
    } finally {
      cli.child.kill("SIGKILL");
      await cli.ended;
    }
  });

  test("a token that can't read the secret is told which scope it lacks", async () => {
    using folder = temporaryFolder();
    const account = await (await service.account()).withToken({ scopes: ["tasks:read"] });
    const { code, stderr } = await runCli(["listen", "-f", "http://127.0.0.1:9999/"], {
      url: service.address,
      token: account.token,
      home: folder.path,
    });
    assert.equal(code, 5);
    assert.match(stderr, /webhook:manage/);
  });

  const script = spawnSync("script", ["--version"]).status === 0;
  test(
    "on a terminal, r sends the last one again and Ctrl-C ends it",
    { skip: !script && "no script(1)" },
    async () => {
      using folder = temporaryFolder();
      await using hook = await startHook();
      const account = await service.account();
      const options = { url: service.address, token: account.token, home: folder.path };
      const command = cliCommand(["listen", "-f", hook.url])
        .map((word) => `'${word}'`)
        .join(" ");
      const child = spawn("script", ["-qec", command, "/dev/null"], {
        env: { ...cliEnvironment(options), TERM: "xterm" },
        stdio: ["pipe", "pipe", "inherit"],
      });
      let screen = "";
      child.stdout.setEncoding("utf8").on("data", (text: string) => (screen += text));
      try {
        await until("it to listen", () => screen.includes("r to send the last one again"));
        await account.ask("Why\u001B[2J?");
        await until("it to be shown", () => /204 \d+ ms {2}completed/.test(screen));
        child.stdin.write("r");
        await until("it to be sent again", () => hook.received.length === 2);
        assert.deepEqual(hook.received[1]?.body, hook.received[0]?.body);
        assert.ok(screen.includes("Why␛[2J?") && !screen.includes("\u001B[2J"), "what is in a question is not done");
        child.stdin.write("\u0003");
        const [code] = (await once(child, "exit")) as [number];
        assert.equal(code, 130);
      } finally {
        child.kill("SIGKILL");
      }
    },
  );
});
