import assert from "node:assert/strict";
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { createServer, type IncomingHttpHeaders, type Server } from "node:http";
import type { AddressInfo } from "node:net";
import { suite, test } from "node:test";
import { webhooks, type SubmissionAccepted } from "@querent/client";
import { testDatabase } from "../../service/test/harness/database.ts";
import { startServiceProcess, temporaryFolder } from "../../service/test/harness/process.ts";
import { startReceiver } from "../../service/test/harness/receiver.ts";
import { startTestService } from "../../service/test/harness/service.ts";
import { until } from "../../service/test/harness/wait.ts";
import { cliCommand, cliEnvironment, runCli, startCli } from "./run-cli.ts";

interface Hook extends AsyncDisposable {
  readonly url: string;
  readonly received: { readonly headers: IncomingHttpHeaders; readonly body: Buffer }[];
  status: number;
  stop(): Promise<void>;
  start(): Promise<void>;
}

/** A developer's program: plain HTTP on this machine. */
async function startHook(): Promise<Hook> {
  let server: Server | null = null;
  let port = 0;
  const hook: Hook = {
    get url() {
      return `http://127.0.0.1:${port}/hook`;
    },
    received: [],
    status: 204,
    async start() {
      const starting = createServer((request, response) => {
        const chunks: Buffer[] = [];
        request.on("data", (chunk: Buffer) => chunks.push(chunk));
        request.on("end", () => {
          hook.received.push({ headers: request.headers, body: Buffer.concat(chunks) });
          response.writeHead(hook.status).end();
        });
      });
      starting.listen(port, "127.0.0.1");
      await once(starting, "listening");
      port = (starting.address() as AddressInfo).port;
      server = starting;
    },
    async stop() {
      const stopping = server;
      if (stopping === null) return;
      server = null;
      stopping.close();
      stopping.closeAllConnections();
      await once(stopping, "close");
    },
    [Symbol.asyncDispose]: () => hook.stop(),
  };
  await hook.start();
  return hook;
}

const taskOf = (body: Buffer) => (JSON.parse(body.toString()) as { task: { taskId: string } }).task.taskId;

suite("listen --forward", () => {
  test("through kills of the service, of itself and of the program, every end arrives, signed", async () => {
    using folder = temporaryFolder();
    await using hook = await startHook();
    const { database, url } = await testDatabase();
    const token = "token-of-the-listen-test";
    const probe = createServer().listen(0, "127.0.0.1");
    await once(probe, "listening");
    const { port } = probe.address() as AddressInfo;
    probe.close();
    await once(probe, "close");
    const environment = {
      QUERENT_DATA_DIR: folder.path,
      DATABASE_URL: url,
      QUERENT_ACCESS_TOKEN: token,
      QUERENT_PORT: String(port),
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
      await until("it to find nobody", () => cli.stderr().includes("Nothing takes it"));
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
        await until("it to listen", () => screen.includes("r sends the last one again"));
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
