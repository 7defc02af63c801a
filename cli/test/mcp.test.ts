/** The Model Context Protocol server, asked by the official client over a real pipe. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { createInterface } from "node:readline";
import { suite, test } from "node:test";
import { Client } from "@modelcontextprotocol/client";
import { StdioClientTransport } from "@modelcontextprotocol/client/stdio";
import { temporaryFolder } from "../../service/test/harness/process.ts";
import { startTestService } from "../../service/test/harness/service.ts";
import { cliCommand, cliEnvironment } from "./run-cli.ts";

const service = await startTestService();

interface Told {
  structuredContent: {
    tasks: {
      taskId: string;
      platformCode: string;
      state: string;
      content: string | null;
      contentCut: boolean;
      sources: object[];
    }[];
  };
  content: { type: string; text: string }[];
  isError?: boolean;
}

async function connect(token: string) {
  const folder = temporaryFolder();
  const [command = "", ...args] = cliCommand(["mcp"]);
  const environment = cliEnvironment({ home: folder.path, url: service.address, token });
  const env = Object.fromEntries(
    Object.entries(environment).flatMap(([name, value]) => (value === undefined ? [] : [[name, value]])),
  );
  const client = new Client({ name: "test", version: "1" });
  await client.connect(new StdioClientTransport({ command, args, env, stderr: "pipe" }));
  return {
    client,
    call: async (name: string, input: object) =>
      (await client.callTool({ name, arguments: { ...input } })) as unknown as Told,
    async [Symbol.asyncDispose]() {
      await client.close();
      folder[Symbol.dispose]();
    },
  };
}

suite("mcp", () => {
  test("null arguments, batches and lines that are no messages do not end the session", async () => {
    const account = await service.account();
    const folder = temporaryFolder();
    const [command = "", ...args] = cliCommand(["mcp"]);
    const env = cliEnvironment({ home: folder.path, url: service.address, token: account.token });
    const server = spawn(command, args, { env, stdio: ["pipe", "pipe", "inherit"] });
    const lines = createInterface({ input: server.stdout });
    const params = { protocolVersion: "2025-03-26", capabilities: {}, clientInfo: { name: "test", version: "1" } };
    const call = (id: number, more: object) => ({ jsonrpc: "2.0", id, method: "tools/call", params: more });
    const sent = [
      { jsonrpc: "2.0", id: 1, method: "initialize", params },
      { jsonrpc: "2.0", method: "notifications/initialized", params: null },
      [call(2, { name: "platforms", arguments: null }), { jsonrpc: "2.0", id: 3, method: "ping", params: null }],
      call(4, { name: "sources", arguments: { panelId: null } }),
    ];
    server.stdin.write(`not JSON\n${sent.map((message) => `${JSON.stringify(message)}\n`).join("")}`);
    const answered = new Set<unknown>();
    for await (const line of lines) {
      const { id, error } = JSON.parse(line) as { id: unknown; error?: object };
      assert.equal(error, undefined, line);
      answered.add(id);
      if (answered.size === 4) break;
    }
    assert.deepEqual(answered, new Set([1, 2, 3, 4]));
    const ended = once(server, "exit");
    server.stdin.end();
    await ended;
    folder[Symbol.dispose]();
  });

  test("a model sees the tools, asks, and gets answers with sources", async () => {
    const account = await service.account();
    await using mcp = await connect(account.token);
    const { tools } = await mcp.client.listTools();
    assert.deepEqual(
      tools.map(({ name }) => name),
      [
        "ask",
        "results",
        "platforms",
        "observations",
        "sources",
        "panels",
        "figures",
        "changes",
        "compare",
        "pairs",
        "searches",
        "prices",
      ],
    );
    const platforms = await mcp.call("platforms", {});
    assert.match(platforms.content[0]?.text ?? "", /"platformCode":"simulator"/);
    const asked = await mcp.call("ask", { question: "sources=3 size=50000", platforms: ["simulator", "sample"] });
    const [first, second] = asked.structuredContent.tasks;
    assert.deepEqual(
      [first?.platformCode, first?.state, first?.sources.length, first?.contentCut],
      ["simulator", "completed", 3, true],
    );
    assert.equal(second?.platformCode, "sample");
    assert.deepEqual(JSON.parse(asked.content[0]?.text ?? ""), asked.structuredContent);
  });

  test("what takes longer goes on, and is read later; what is refused is told to the model", async () => {
    const account = await service.account();
    await using mcp = await connect(account.token);
    const asked = await mcp.call("ask", { question: "delay=6s", platforms: ["simulator"], waitSeconds: 1 });
    const taskId = asked.structuredContent.tasks[0]?.taskId ?? "";
    assert.equal(asked.structuredContent.tasks[0]?.state, "pending");
    await account.ended(taskId);
    const read = await mcp.call("results", { taskIds: [taskId] });
    assert.equal(read.structuredContent.tasks[0]?.state, "completed");
    const { batchId } = await account.task(taskId);
    assert.equal((await mcp.call("results", { batchId })).structuredContent.tasks[0]?.taskId, taskId);
    const refused = await mcp.call("ask", { question: "Why?", platforms: ["nowhere"] });
    assert.deepEqual([refused.isError, /no such platform/i.test(refused.content[0]?.text ?? "")], [true, true]);
    const wrong = await mcp.call("ask", { question: "", platforms: [] });
    assert.equal(wrong.isError, true);
  });
});
