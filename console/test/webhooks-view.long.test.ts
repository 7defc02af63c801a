import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { Page } from "playwright-core";
import type { DeliveryPage, WebhookRecord } from "@querent/client";
import { startReceiver } from "../../service/test/harness/receiver.ts";
import type { TestAccount } from "../../service/test/harness/service.ts";
import { until } from "../../service/test/harness/wait.ts";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole } from "./harness/console.ts";
import { views } from "./harness/views.ts";

const hostile = "</pre><script>document.title='x'</script>‮gnp.exe";

suite("webhooks", { skip: noBrowser }, async () => {
  const receiver = await startReceiver();
  after(() => receiver.close());
  const { service, visit } = await startTestConsole({
    environment: { QUERENT_EGRESS_ALLOW: "127.0.0.0/8", QUERENT_EGRESS_CA: receiver.caFile },
  });
  const settings = async (account: TestAccount) => (await account.get<WebhookRecord>("/v1/webhook")).body;
  const log = async (account: TestAccount, query = "") =>
    (await account.get<DeliveryPage>(`/v1/deliveries${query}`)).body.deliveries;
  const address = (page: Page) => page.getByRole("textbox", { name: "Endpoint URL" });

  const account = await service.account();
  await account.call("PUT", "/v1/webhook", { body: { url: receiver.url("/hook") } });
  const { tasks } = await account.submit([
    { question: "Told", platformCode: "sample", options: {} },
    { question: "Refused", platformCode: "simulator", options: {}, webhookUrl: receiver.url("/gone") },
  ]);
  const answer: typeof receiver.answer = (received, response) =>
    received.path === "/gone" ? response.writeHead(410).end(hostile) : response.writeHead(204).end();
  receiver.answer = answer;
  for (const { taskId } of tasks) await account.ended(taskId);
  await until("both to end", async () => (await log(account)).every(({ state }) => state !== "pending"));

  for (const view of views) {
    const name = `${view.width}-${view.theme}`;
    test(`settings, log, delivery and check are free of axe violations: ${view.width} wide, ${view.theme}`, async () => {
      const { page, expectAccessible, picture, foreign, close } = await visit("/webhooks", {
        token: account.token,
        ...view,
      });
      await page.getByText("Active", { exact: true }).waitFor();
      await page.getByRole("button", { name: "Rotate" }).click();
      await expectAccessible();
      await picture(`webhooks-${name}`);
      await page.getByRole("link", { name: "Deliveries", exact: true }).click();
      await page.getByRole("link", { name: receiver.url("/gone") }).waitFor();
      await expectAccessible();
      await picture(`deliveries-${name}`);
      await page.getByRole("link", { name: receiver.url("/gone") }).click();
      await page.getByText("HTTP 410", { exact: true }).waitFor();
      await expectAccessible();
      await picture(`delivery-${name}`);
      await page.getByRole("link", { name: "Verify a signature" }).click();
      await page.getByRole("button", { name: "Verify", exact: true }).click();
      await page.getByRole("alert").waitFor();
      await expectAccessible();
      await picture(`check-${name}`);
      assert.equal(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"), true);
      assert.deepEqual(foreign, []);
      await close();
    });
  }

  test("an address is set, refused when it may not be one, and removed after a second word", async () => {
    const mine = await service.account();
    const { page, close } = await visit("/webhooks", { token: mine.token });
    await page.getByText("Not set").waitFor();
    await address(page).fill("http://hooks.example.com");
    await page.getByRole("button", { name: "Save", exact: true }).click();
    await page.getByRole("alert").waitFor();
    assert.equal((await settings(mine)).url, null);
    await address(page).fill(receiver.url("/mine"));
    await page.keyboard.press("Enter");
    await page.getByText("Active", { exact: true }).waitFor();
    assert.equal((await settings(mine)).url, receiver.url("/mine"));
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByRole("button", { name: "Cancel" }).click();
    assert.equal((await settings(mine)).url, receiver.url("/mine"));
    await page.getByRole("button", { name: "Remove", exact: true }).click();
    await page.getByRole("button", { name: "Remove endpoint" }).click();
    await page.getByText("Not set").waitFor();
    assert.equal((await settings(mine)).url, null);
    await close();
  });

  test("a test is sent to what stands in the field, and what came back is told, also when it is hostile", async () => {
    const mine = await service.account();
    const { page, close } = await visit("/webhooks", { token: mine.token });
    await address(page).fill(receiver.url("/try"));
    await page.getByRole("button", { name: "Send test webhook" }).click();
    await page.getByText("Test delivered.").waitFor();
    assert.equal(receiver.requests.at(-1)?.path, "/try");
    await address(page).fill(receiver.url("/gone"));
    await page.getByRole("button", { name: "Send test webhook" }).click();
    await page.getByText("Test failed.").waitFor();
    await page.getByText("The endpoint returned HTTP 410 after").waitFor();
    await page.getByText("Response body").click();
    assert.equal(await page.locator("pre").textContent(), hostile);
    assert.notEqual(await page.title(), "x");
    await close();
  });

  test("the secret is masked and copied; a rotation needs its word typed, and shows the new secret once", async () => {
    const mine = await service.account();
    const before = await settings(mine);
    const { page, close } = await visit("/webhooks", { token: mine.token });
    await page.getByText("Version 1").waitFor();
    assert.ok(!(await page.content()).includes(before.signingSecret), "the secret is not in the page");
    await page.getByRole("button", { name: "Copy secret" }).click();
    assert.equal(await page.evaluate("navigator.clipboard.readText()"), before.signingSecret);
    await page.getByRole("button", { name: "Rotate", exact: true }).click();
    const now = page.getByRole("button", { name: "Rotate secret" });
    await page.getByRole("textbox", { name: "Type rotate to confirm" }).fill("rotat");
    assert.equal(await now.getAttribute("aria-disabled"), "true");
    await now.click({ force: true });
    assert.equal((await settings(mine)).secretVersion, 1);
    await page.getByRole("textbox", { name: "Type rotate to confirm" }).fill("rotate");
    await now.click();
    await page.getByText("New secret", { exact: true }).waitFor();
    const after = await settings(mine);
    assert.equal(after.secretVersion, 2);
    await page.getByText(after.signingSecret).waitFor();
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByText("Version 2").waitFor();
    assert.ok(!(await page.content()).includes(after.signingSecret), "it was shown once");
    await close();
  });

  test("the secret is read once where it is used, and not where deliveries are looked at", async () => {
    const mine = await service.account();
    const { page, close } = await visit("/webhooks/deliveries", { token: mine.token });
    let readings = 0;
    page.on("request", (request) => {
      const { pathname, search } = new URL(request.url());
      if (pathname === "/v1/webhook" && search === "") readings++;
    });
    const settingsRead = page.waitForResponse("**/v1/webhook?secret=false");
    await page.reload();
    await settingsRead;
    await page.getByText("No deliveries yet").waitFor();
    assert.equal(readings, 0);
    await page.getByRole("link", { name: "Verify a signature" }).click();
    await page.getByRole("button", { name: "Use account secret" }).waitFor();
    await page.getByRole("link", { name: "Endpoint", exact: true }).click();
    await page.getByRole("button", { name: "Copy secret" }).waitFor();
    assert.equal(readings, 1);
    await close();
  });

  test("the checker takes what a receiver got for what it is, and says why something is not ours", async () => {
    const [request] = await receiver.received(1);
    const { signingSecret } = await settings(account);
    const ours = receiver.requests.find(({ path }) => path === "/hook") ?? request;
    const body = ours?.body.toString() ?? "";
    const headers = Object.entries(ours?.headers ?? {})
      .map(([name, value]) => `${name}: ${String(value)}`)
      .join("\n");
    const { page, close } = await visit("/webhooks/check", { token: account.token });
    const check = async (input: { body: string; headers: string; secret: string | null }, told: string) => {
      await page.getByLabel("Body").fill(input.body);
      await page.getByLabel("Headers").fill(input.headers);
      if (input.secret === null) await page.getByRole("button", { name: "Use account secret" }).click();
      else await page.getByLabel("Signing secret").fill(input.secret);
      await page.getByRole("button", { name: "Verify", exact: true }).click();
      await page.getByText(told).waitFor();
    };
    const asked: string[] = [];
    page.on("request", (sent) => asked.push(sent.postData() ?? ""));
    await check({ body, headers, secret: null }, "The signature is valid.");
    await check({ body: `${body}\n`, headers, secret: signingSecret }, "The body has white space at its end");
    await check(
      { body, headers, secret: ` ${signingSecret}` },
      "The signing secret has white space or quotes around it",
    );
    await check({ body, headers, secret: signingSecret.slice("whsec_".length) }, "`whsec_` included");
    await check(
      { body: JSON.stringify(JSON.parse(body), null, 2), headers, secret: signingSecret },
      "parsed and written again",
    );
    await check(
      { body, headers: "content-type: application/json", secret: signingSecret },
      "The signature header is missing",
    );
    await check(
      { body, headers: "X-Service-Signature: sha1=0", secret: signingSecret },
      "The signature header is malformed",
    );
    await check({ body, headers, secret: "" }, "The secret is malformed");
    await check(
      { body: hostile.repeat(10_000), headers: `${headers}\n${hostile}`, secret: "whsec_x" },
      "The signature doesn’t match",
    );
    assert.notEqual(await page.title(), "x");
    assert.ok(
      asked.every((sent) => sent === ""),
      "nothing of it was sent anywhere",
    );
    await close();
  });

  test("the log is filtered by state, task, address and time, in the address; a delivery shows request, attempts and answers", async () => {
    const { page, close } = await visit("/webhooks/deliveries", { token: account.token });
    const rows = page.locator("[data-task]");
    const shows = (count: number) => until(`${count} rows`, async () => (await rows.count()) === count);
    await shows(2);
    await page.getByRole("link", { name: "Failed" }).click();
    await shows(1);
    assert.equal(new URL(page.url()).searchParams.get("state"), "failed");
    await page.getByRole("link", { name: "All", exact: true }).click();
    await shows(2);
    await page.getByLabel("Task ID").fill(tasks[0]?.taskId ?? "");
    await shows(1);
    await page.getByLabel("Endpoint", { exact: true }).fill("https://elsewhere.example");
    await page.getByText("No deliveries match these filters").waitFor();
    await page.getByRole("link", { name: "Clear filters" }).click();
    await shows(2);
    await page.getByLabel("From").fill("2999-01-01T00:00");
    await page.getByText("No deliveries match these filters").waitFor();
    await page.getByRole("link", { name: "Clear filters" }).click();
    await page.getByRole("link", { name: receiver.url("/gone") }).click();
    await page.getByText("HTTP 410", { exact: true }).waitFor();
    await page.getByText("gnp.exe").waitFor();
    await page.getByText("user-agent: Querent/", { exact: false }).first().waitFor();
    await page.getByText('"event":"task.finished"').waitFor();
    assert.notEqual(await page.title(), "x");
    await close();
  });

  test("one delivery is sent again as a new one", async () => {
    const mine = await service.account();
    const taskId = await mine.ask("Gone?", { webhookUrl: receiver.url("/gone") });
    const [gone] = await until("it to be given up", async () => {
      const found = await log(mine, "?state=failed");
      return found.length === 1 ? found : null;
    });
    const { page, close } = await visit(`/webhooks/deliveries/${gone?.deliveryId ?? ""}`, { token: mine.token });
    await page.getByRole("button", { name: "Redeliver" }).click();
    await until("another delivery", () => !page.url().includes(gone?.deliveryId ?? ""));
    await page.getByText("HTTP 410", { exact: true }).waitFor();
    assert.deepEqual(
      (await log(mine, `?taskId=${taskId}`)).map(({ deliveryRevision }) => deliveryRevision),
      [2, 1],
    );
    await close();
  });

  test("an endpoint that fails is not called active, and how it failed is told", async () => {
    const mine = await service.account();
    await mine.call("PUT", "/v1/webhook", { body: { url: receiver.url("/away") } });
    const { answer } = receiver;
    receiver.answer = (_received, response) => response.writeHead(500).end();
    await mine.ended(await mine.ask("Anybody there?"));
    await until("an attempt that failed", async () => (await settings(mine)).lastFailureStatus === 500);
    const { page, expectAccessible, picture, close } = await visit("/webhooks", { token: mine.token });
    await page.getByText("Failing", { exact: true }).waitFor();
    await page.getByText(/The last attempt to deliver failed \(.+ HTTP 500\)/).waitFor();
    assert.equal(await page.getByText("Active", { exact: true }).count(), 0);
    await expectAccessible();
    await picture("webhook-failing");
    receiver.answer = (_received, response) => response.writeHead(204).end();
    await page.getByRole("button", { name: "Send test webhook" }).click();
    await page.getByText("Active", { exact: true }).waitFor();
    receiver.answer = answer;
    await close();
  });

  test("a suspended endpoint is told with its reason on every page, paused deliveries as paused, and both are resumed", async () => {
    const mine = await service.account();
    await mine.call("PUT", "/v1/webhook", { body: { url: receiver.url("/gone") } });
    await mine.ended(await mine.ask("First"));
    await until("the suspension", async () => (await settings(mine)).status === "suspended");
    await mine.ended(await mine.ask("Second"));
    const [paused] = await until("it to be held", async () => {
      const found = (await log(mine, "?state=pending")).filter(({ phase }) => phase === "held");
      return found.length === 1 ? found : null;
    });
    const { page, expectAccessible, picture, close } = await visit("/platforms", { token: mine.token });
    const banner = page.getByRole("status").filter({ hasText: "Webhook endpoint suspended." });
    await banner.getByText("The endpoint returned HTTP 410 Gone.").waitFor();
    await expectAccessible();
    await picture("banner-suspended");
    await banner.getByRole("link", { name: "Resume deliveries" }).click();
    await page.getByRole("button", { name: "Resume deliveries" }).waitFor();
    await expectAccessible();
    await picture("webhook-suspended");
    assert.equal(await page.getByText("for days").count(), 0);
    await page.getByRole("link", { name: "Deliveries", exact: true }).click();
    await page.getByText("Paused: endpoint suspended").waitFor();
    await page
      .getByRole("link", { name: receiver.url("/gone") })
      .first()
      .click();
    await page.getByText("Paused: the endpoint is suspended.").waitFor();
    await page.getByRole("link", { name: "Second" }).waitFor();
    await expectAccessible();
    await page.getByRole("link", { name: "Endpoint", exact: true }).click();
    receiver.answer = (_received, response) => response.writeHead(204).end();
    await page.getByRole("button", { name: "Resume deliveries" }).click();
    await page.getByText("Active", { exact: true }).waitFor();
    await until("the banner to go", async () => (await banner.count()) === 0);
    await until("it to be delivered", async () => {
      const found = await log(mine, "?state=delivered");
      return found.some(({ deliveryId }) => deliveryId === paused?.deliveryId);
    });
    receiver.answer = answer;
    await close();
  });

  test("a delivery shows its status with the reason, the question, the signature's headers and the exact bytes", async () => {
    const mine = await service.account();
    await mine.call("PUT", "/v1/webhook", { body: { url: receiver.url("/exact") } });
    await mine.ended(await mine.ask("手冲咖啡？ Exact"));
    const [delivered] = await until("it to be delivered", async () => {
      const found = await log(mine, "?state=delivered");
      return found.length === 1 ? found : null;
    });
    const request = receiver.requests.find(({ path }) => path === "/exact");
    const { page, close } = await visit(`/webhooks/deliveries/${delivered?.deliveryId ?? ""}`, { token: mine.token });
    await page.getByText("The endpoint accepted it with HTTP 204.").waitFor();
    await page.getByRole("link", { name: "手冲咖啡？ Exact" }).waitFor();
    await page.getByText(`X-Service-Signature: ${String(request?.headers["x-service-signature"])}`).waitFor();
    await page.getByText(`${new Intl.NumberFormat("en").format(request?.body.length ?? 0)} bytes`).waitFor();
    await page.getByRole("button", { name: "Copy body" }).click();
    assert.equal(await page.evaluate("navigator.clipboard.readText()"), request?.body.toString());
    await close();
  });

  test("a filter in the address that is not understood lists nothing", async () => {
    const { page, close } = await visit("/webhooks/deliveries?state=faild&from=yesterday", { token: account.token });
    await page.getByRole("alert").getByText("“faild” is not a delivery state.").waitFor();
    await page.getByRole("alert").getByText("“yesterday” is not a time.").waitFor();
    assert.equal(await page.locator("[data-task]").count(), 0);
    await close();
  });

  test("what failed since a time is recovered, with its progress told", async () => {
    const mine = await service.account();
    const { tasks } = await mine.submit(
      Array.from({ length: 12 }, (_, n) => ({ question: `Missed ${n}`, platformCode: "simulator", options: {} })),
    );
    for (const { taskId } of tasks) await mine.ended(taskId);
    await until("them to be skipped", async () => (await log(mine, "?state=skipped")).length === 12);
    const { page, close } = await visit("/webhooks", { token: mine.token });
    await page.getByRole("button", { name: "Redeliver" }).click();
    await page.getByText("12 have no endpoint. Set one first.").waitFor();
    await mine.call("PUT", "/v1/webhook", { body: { url: receiver.url("/late") } });
    await page.getByRole("button", { name: "Redeliver" }).click();
    await page.getByText("12 redeliveries queued.").waitFor();
    await until("all to be delivered", async () => (await log(mine, "?state=delivered")).length === 12);
    await close();
  });

  test("a token that may not see notifications is told so", async () => {
    const other = await account.withToken({ scopes: ["tasks:read"] });
    const { page, close } = await visit("/webhooks", { token: other.token });
    await page.getByText("needs the webhook:manage scope").waitFor();
    await close();
  });

  test("Chinese has all of it", async () => {
    const { page, close } = await visit("/webhooks", { token: account.token, language: "zh-CN" });
    await page.getByText("正常", { exact: true }).waitFor();
    await page.getByRole("button", { name: "轮换" }).waitFor();
    await page.getByRole("link", { name: "投递记录" }).click();
    await page.getByText("失败").first().waitFor();
    await close();
  });
});
