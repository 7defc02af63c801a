/** Behind a proxy that signs people in, in a browser: nobody is asked, a person who changes at the proxy changes here, and a sign-out stays one. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { invite } from "../../service/src/people/index.ts";
import { proxyAddress, startSigningProxy } from "../../service/test/people/signing-proxy.ts";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole, type TestConsole } from "./harness/console.ts";
import { views } from "./harness/views.ts";

suite("behind a proxy that signs people in", { skip: noBrowser }, async () => {
  const folder = mkdtempSync(join(tmpdir(), "querent-proxy-"));
  after(() => rmSync(folder, { recursive: true }));
  const file = join(folder, "providers.yaml");
  writeFileSync(
    file,
    `proxy:
  name: Company
  addresses: [${proxyAddress}]
  domains: [example.com]
  headers: { email: X-Forwarded-Email, groups: X-Forwarded-Groups }
  members: [{ account: Ruled, group: staff, role: editor }]
`,
  );
  const proxy = await startSigningProxy(() => started.service);
  after(() => proxy.close());
  const started: TestConsole = await startTestConsole({ environment: { QUERENT_SIGN_IN_PROVIDERS: file } });
  const { service, visit } = started;
  const { accountId } = await service.account();
  await service.database.query("update accounts set name = 'Ruled' where id = $1", [accountId]);
  const states = (email: string, groups = "staff") => {
    proxy.states = [
      ["X-Forwarded-Email", email],
      ["X-Forwarded-Groups", groups],
    ];
  };

  test("nobody is asked who they are, and who changes at the proxy changes here with the next page", async () => {
    states("ada@example.com");
    const { page, close } = await visit("/profile", { through: proxy.address });
    await page.getByText("ada@example.com").first().waitFor();
    states("bea@example.com");
    await page.reload();
    await page.getByText("bea@example.com").first().waitFor();
    assert.equal(await page.getByText("ada@example.com").count(), 0);
    await close();
  });

  test("a sign-out stays one until the page is loaded again, and the button signs in before", async () => {
    states("ada@example.com");
    const { page, close } = await visit("/", { through: proxy.address });
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    await page.getByRole("button", { name: "Continue with Company" }).click();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await close();
  });

  test("an invitation is accepted as whom the proxy states", async () => {
    states("joan@example.com", "");
    const { token } = await service.database.transaction((tx) =>
      invite(tx, { accountId, email: null, role: "viewer", days: 1 }),
    );
    const { page, close } = await visit(`/join#${token}`, { through: proxy.address });
    await page.getByRole("button", { name: "Continue with Company" }).click();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await close();
  });

  test("who is a member of nothing is told so, with the other ways beside it, and around the proxy there is no button", async () => {
    for (const view of views) {
      states("eve@example.com", "");
      const visited = await visit("/", { ...view, through: proxy.address });
      await visited.page.getByRole("alert").filter({ hasText: "member of no account" }).waitFor();
      await visited.page.getByLabel("E-mail").waitFor();
      await visited.expectAccessible();
      await visited.picture(`sign-in-proxy-${view.width}-${view.theme}`);
      await visited.close();
    }
    const { page, close } = await visit("/");
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    await page.getByLabel("E-mail").waitFor();
    assert.equal(await page.getByRole("button", { name: "Continue with Company" }).count(), 0);
    await close();
  });
});
