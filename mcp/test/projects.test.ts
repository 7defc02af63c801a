/** Projects for assistants: `project` of the tool panels, and what a token that is limited to projects is told. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { Client, StreamableHTTPClientTransport } from "@modelcontextprotocol/client";
import { seedProject, tokenWith } from "../../service/test/projects/fixture.ts";
import { startTestService } from "../../service/test/harness/service.ts";

const service = await startTestService();
const account = await service.account();
const [own, other] = [await seedProject(account, "Own"), await seedProject(account, "Other")];

async function connect(token: string) {
  const client = new Client({ name: "test", version: "1" });
  const requestInit = { headers: { authorization: `Bearer ${token}` } };
  await client.connect(new StreamableHTTPClientTransport(new URL(`${service.address}/mcp`), { requestInit }));
  return {
    tools: async () => (await client.listTools()).tools.map(({ name }) => name),
    call: async (name: string, input: object = {}) => {
      const told = await client.callTool({ name, arguments: { ...input } });
      return { isError: told.isError === true, text: JSON.stringify(told) };
    },
    [Symbol.asyncDispose]: () => client.close(),
  };
}

test("the tool panels lists those of a project, by its name or id, with its brands", async () => {
  await using mcp = await connect(account.token);
  const all = await mcp.call("panels");
  for (const id of [own.panelId, other.panelId, own.entityId, other.entityId, own.projectId])
    assert.ok(all.text.includes(id), id);
  for (const project of [own.projectId, own.secrets[0]]) {
    const some = await mcp.call("panels", { project });
    for (const id of [own.panelId, own.entityId, own.projectId]) assert.ok(some.text.includes(id), id);
    for (const secret of other.secrets) assert.ok(!some.text.includes(secret), secret);
  }
  const none = await mcp.call("panels", { project: "Nobody's" });
  assert.ok(none.isError);
  assert.match(none.text, /There is no such project/);
});

test("a token that is limited to projects is told nothing of others by any tool, whatever it asks for", async () => {
  const { token } = await tokenWith(service, account, ["tasks:read", "panels:read", "reports:read"], [own.projectId]);
  await using mcp = await connect(token);
  const tools = await mcp.tools();
  assert.ok(tools.includes("panels") && tools.includes("figures"), tools.join());
  const mine = await mcp.call("panels");
  assert.ok(mine.text.includes(own.panelId) && mine.text.includes(own.entityId));
  const asked = { measure: "presence", fromPlatform: "simulator", toPlatform: "sample", withPanelId: other.panelId };
  for (const name of tools)
    for (const input of [
      {},
      { panelId: other.panelId, ...asked },
      { panelId: own.panelId, entityId: other.entityId, ...asked },
      { project: other.projectId, panelId: own.panelId },
    ]) {
      const { text } = await mcp.call(name, input).catch((error: unknown) => ({ text: String(error) }));
      const named = JSON.stringify(input);
      for (const secret of other.secrets)
        assert.ok(named.includes(secret) || !text.includes(secret), `${secret} of ${name} ${named}: ${text}`);
    }
});
