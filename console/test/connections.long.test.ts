/** An assistant is connected in a real browser: from the address that the official client opens, through signing in, to the first tool. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { suite, test } from "node:test";
import { Client, StreamableHTTPClientTransport, UnauthorizedError } from "@modelcontextprotocol/client";
import {
  listTools,
  newAssistant,
  newChallenge,
  register,
  requestAddress,
} from "../../service/test/people/assistant.ts";
import { joinAs, type TestPerson } from "../../service/test/people/browser.ts";
import { until } from "../../service/test/harness/wait.ts";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole, type ConsolePage } from "./harness/console.ts";
import { views } from "./harness/views.ts";

/** The assistant's own server, to which the browser is sent back. */
async function startCallback(t: { after: (work: () => Promise<void>) => void }) {
  const asked: URL[] = [];
  const server = createServer((request, response) => {
    const url = new URL(request.url ?? "", "http://127.0.0.1");
    if (url.pathname === "/callback") asked.push(url);
    response
      .writeHead(200, { "content-type": "text/html" })
      .end("<!doctype html><title>Back</title><h1>Back again</h1>");
  });
  server.listen(0, "127.0.0.1");
  await once(server, "listening");
  t.after(async () => {
    server.closeAllConnections();
    server.close();
    await once(server, "close");
  });
  return { asked, address: `http://127.0.0.1:${(server.address() as AddressInfo).port}/callback` };
}

suite("connecting an assistant", { skip: noBrowser }, async () => {
  const { service, visit } = await startTestConsole({ environment: { QUERENT_MCP: "ask" } });
  const { accountId } = await service.account();

  const signIn = async ({ page }: ConsolePage, { email, password }: TestPerson) => {
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password", { exact: true }).last().fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
  };

  test("a person signs in, allows it, uses it, and ends it in the profile", async (t) => {
    const person = await joinAs(service, accountId, "editor");
    const back = await startCallback(t);
    const assistant = newAssistant({ client_name: "Claude", redirect_uris: [back.address] });
    const transport = () =>
      new StreamableHTTPClientTransport(new URL(`${service.address}/mcp`), { authProvider: assistant });
    const first = transport();
    await assert.rejects(new Client({ name: "test", version: "1" }).connect(first), UnauthorizedError);

    const visited = await visit("/", { foreign: ["127.0.0.1"] });
    const { page, close } = visited;
    await page.goto(assistant.opened?.href ?? "");
    await page.getByText("An assistant asks to be connected.").waitFor();
    await signIn(visited, person);
    await page.getByRole("heading", { level: 1, name: "Connect “Claude”?" }).waitFor();
    await page.getByText("Ask questions, which costs the account points").waitFor();
    await page.getByRole("button", { name: "Allow" }).click();
    await page.getByRole("heading", { level: 1, name: "Back again" }).waitFor();
    const [answer] = back.asked;
    assert.equal(answer?.searchParams.get("iss"), service.address);
    await first.finishAuth(answer?.searchParams ?? assert.fail());
    const client = new Client({ name: "test", version: "1" });
    await client.connect(transport());
    assert.ok((await client.listTools()).tools.length > 0);

    await page.goto(`${service.address}/console/profile`);
    await page.getByRole("button", { name: "End the connection of Claude" }).click();
    await page.getByText("No assistant is connected.").waitFor();
    const token = `Bearer ${assistant.kept?.access_token}`;
    await until("the token to be refused", async () => {
      const reply = await listTools(service, { authorization: token });
      await reply.body?.cancel();
      return reply.status === 401;
    });
    await client.close();
    await close();
  });

  test("refusing is one click, and the client is told", async (t) => {
    const person = await joinAs(service, accountId, "viewer");
    const back = await startCallback(t);
    const clientId = await register(service, { redirect_uris: [back.address] });
    const visited = await visit("/", { foreign: ["127.0.0.1"] });
    await visited.page.goto(requestAddress(service, clientId, newChallenge(), { redirect_uri: back.address }));
    await signIn(visited, person);
    const [refuse, allow] = await Promise.all(
      ["Refuse", "Allow"].map((name) => visited.page.getByRole("button", { name }).boundingBox()),
    );
    assert.deepEqual([refuse?.width, refuse?.height], [allow?.width, allow?.height]);
    await visited.page.getByRole("button", { name: "Refuse" }).click();
    await visited.page.getByRole("heading", { level: 1, name: "Back again" }).waitFor();
    assert.equal(back.asked[0]?.searchParams.get("error"), "access_denied");
    await visited.close();
  });

  for (const view of views)
    for (const language of ["en", "zh-CN"] as const)
      test(`it is free of axe violations, also with a hostile name: ${view.width} wide, ${view.theme}, ${language}`, async () => {
        const person = await joinAs(service, accountId, "viewer");
        const name = `\u202E<img src=x onerror=alert(1)>${"W".repeat(500)}`;
        const clientId = await register(service, { client_name: name });
        const visited = await visit("/profile", { ...view, language });
        const { page } = visited;
        await page.getByLabel(language === "en" ? "E-mail" : "电子邮件").fill(person.email);
        await page.locator("input[type=password]").last().fill(person.password);
        await page.locator("button[type=submit]").click();
        await page.getByText("/mcp").waitFor();
        await visited.expectAccessible();
        await visited.picture(`profile-${view.width}-${view.theme}-${language}`);
        await page.goto(requestAddress(service, clientId, newChallenge(), { scope: "tasks:read tasks:write" }));
        await page.getByRole("button", { name: language === "en" ? "Refuse" : "拒绝" }).waitFor();
        const heading = (await page.getByRole("heading", { level: 1 }).textContent()) ?? "";
        assert.ok(heading.includes("<img src=x") && !heading.includes("\u202E"), heading);
        await visited.expectAccessible();
        await visited.picture(`connect-${view.width}-${view.theme}-${language}`);
        const isWide = await page.evaluate<boolean>("document.documentElement.scrollWidth > innerWidth");
        assert.equal(isWide, false, "nothing is wider than the page");
        await visited.close();
      });
});
