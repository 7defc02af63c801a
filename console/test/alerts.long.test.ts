/** Channels and alerts in the console: made in a few clicks, tested and deleted. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { Alerts, Channels } from "@querent/contract";
import { startReceiver } from "../../service/test/harness/receiver.ts";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole } from "./harness/console.ts";
import { views } from "./harness/views.ts";

suite("alerts in the console", { skip: noBrowser }, async () => {
  const receiver = await startReceiver((_received, response) => void response.writeHead(200).end("ok"));
  test.after(() => receiver.close());
  const { service, visit } = await startTestConsole({
    environment: { QUERENT_EGRESS_ALLOW: "127.0.0.0/8,::1", QUERENT_EGRESS_CA: receiver.caFile },
  });

  for (const [n, view] of views.entries())
    test(`a channel and an alert are made, tested and deleted: ${view.width} wide, ${view.theme}`, async () => {
      const account = await service.account();
      const { page, expectAccessible, picture, close } = await visit("/alerts", { token: account.token, ...view });
      await page.getByRole("button", { name: "Add a channel" }).click();
      await page.getByLabel("Name").fill("#ai-visibility");
      await page.getByLabel("Address of an incoming webhook").fill(receiver.url("/services/T0/SECRET/mple"));
      await expectAccessible();
      await picture(`channel-form-${n}`);
      await page.getByRole("button", { name: "Save" }).click();
      const channel = page.locator("[data-channel]");
      await channel.getByRole("button", { name: "Send a test" }).click();
      await channel.getByText("Slack has posted the message.").waitFor();
      assert.doesNotMatch(await page.content(), /SECRET/);
      await page.getByRole("button", { name: "Add an alert" }).click();
      await page.getByLabel("Name").fill("Changes of our brands");
      await page.getByLabel("Quiet hours: tell it when they end").check();
      await expectAccessible();
      await picture(`alert-form-${n}`);
      await page.getByRole("button", { name: "Save" }).click();
      await page.locator("[data-alert]").getByText("Quiet from 20:00 to 07:00").waitFor();
      assert.ok(await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"));
      await expectAccessible();
      await picture(`alerts-${n}`);
      const { body } = await account.get<Alerts>("/v1/alerts");
      assert.deepEqual(
        body.alerts[0]?.channels.map(({ name }) => name),
        ["#ai-visibility"],
      );
      for (const row of ["[data-alert]", "[data-channel]"]) {
        await page.locator(row).getByRole("button", { name: "Delete" }).click();
        await page.locator(row).getByRole("button", { name: "Delete" }).click();
        await page.locator(row).waitFor({ state: "detached" });
      }
      assert.deepEqual((await account.get<Channels>("/v1/channels")).body.channels, []);
      await close();
    });
});
