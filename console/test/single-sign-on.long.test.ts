/** Signing in at an identity provider, in a browser: from the button to the view that was asked for, and out again. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import type { Page } from "playwright-core";
import { invite } from "../../service/src/people/index.ts";
import { freePort } from "../../service/test/harness/free-port.ts";
import { until } from "../../service/test/harness/wait.ts";
import { startProvider, type TestProvider } from "../../service/test/people/identity-provider.ts";
import { createPanelIn, createProject } from "../../service/test/projects/fixture.ts";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole, type TestConsole } from "./harness/console.ts";
import { views } from "./harness/views.ts";

suite("single sign-on", { skip: noBrowser }, async () => {
  const port = await freePort();
  const publicUrl = `http://127.0.0.1:${port}`;
  const provider: TestProvider = await startProvider({
    publicUrl,
    providerId: "company",
    serviceAddress: () => `http://127.0.0.1:${port}`,
  });
  after(() => provider.close());
  const agency = "An agency with clients";
  const members = [
    `{ account: "${agency}", group: acme, role: client, projects: [Acme Mills] }`,
    `{ account: "${agency}", group: globex, role: client, projects: [Globex] }`,
  ];
  const { service, visit }: TestConsole = await startTestConsole({
    environment: { ...provider.environment(members), QUERENT_PORT: String(port) },
  });
  const { accountId } = await service.account();
  const linkFor = async () =>
    `/join#${(await service.database.transaction((tx) => invite(tx, { accountId, email: null, role: "owner", days: 1 }))).token}`;

  /** The browser's own way through the provider, whose certificate it does not know: a test's answers stand in for the connection. */
  const through = async (page: Page, subject: string) => {
    const at = provider.browser();
    await page.route(`${provider.issuer}/**`, async (route) => {
      const address = route.request().url();
      if (!address.includes("/session/end")) {
        const back = await at.signIn(address, subject);
        return route.fulfill({ status: 302, headers: { location: back.href } });
      }
      await at.signOut(address);
      return route.fulfill({ status: 302, headers: { location: `${publicUrl}/console` } });
    });
  };

  test("an invitation is accepted at the provider, later the button suffices, and signing out ends both sessions", async () => {
    provider.persons.set("ada", { email: "ada@example.com", email_verified: true, name: "Ada" });
    const visited = await visit(await linkFor(), { through: publicUrl });
    const { page, close } = visited;
    await through(page, "ada");
    await page.getByRole("button", { name: "Continue with Company" }).click();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    assert.ok(!page.url().includes("code="), page.url());
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    await until("the provider's session to be ended", () => provider.requests.includes("/session/end/confirm"));
    await page.goto(`${publicUrl}/console/profile`);
    await page.getByRole("button", { name: "Continue with Company" }).click();
    await page.getByText("Signed in as ada@example.com").waitFor();
    await page.getByText("have no password here").waitFor();
    await close();
  });

  test("a group shows a client its projects alone, another group others, and without one the way in is closed", async () => {
    const account = await service.account();
    await service.database.query("update accounts set name = $2 where id = $1", [account.accountId, agency]);
    for (const name of ["Acme Mills", "Globex"]) {
      await createProject(account, name);
      await createPanelIn(account, name, { name: `Questions for ${name}`, brands: { own: [] } });
    }
    const inGroups = (...groups: string[]) =>
      provider.persons.set("joan", { email: "joan@example.com", email_verified: true, name: "Joan", groups });
    const { page, close } = await visit("/", { through: publicUrl });
    await through(page, "joan");
    const signIn = () => page.getByRole("button", { name: "Continue with Company" }).click();
    const panels = async () => {
      await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Panels" }).click();
      await page
        .getByRole("link", { name: /^Questions for/ })
        .first()
        .waitFor();
      return page.getByRole("link", { name: /^Questions for/ }).allTextContents();
    };
    const places = () => page.getByRole("navigation", { name: "Console" }).getByRole("listitem").allTextContents();

    inGroups("acme");
    await signIn();
    await page.getByRole("heading", { level: 1, name: "Acme Mills" }).waitFor();
    assert.deepEqual(await places(), ["Overview", "Panels", "Brands", "Profile"]);
    assert.deepEqual(await panels(), ["Questions for Acme Mills"]);
    assert.ok(!(await page.content()).includes("Globex"), "nothing of the other client is on the page");

    inGroups("globex");
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    await page.goto(`${publicUrl}/console`);
    await signIn();
    await page.getByRole("heading", { level: 1, name: "Globex" }).waitFor();
    assert.deepEqual(await panels(), ["Questions for Globex"]);
    assert.ok(!(await page.content()).includes("Acme"), "nothing of the former project is on the page");

    inGroups();
    await page.getByRole("button", { name: "Sign out" }).click();
    await page.getByRole("heading", { level: 1, name: "Sign in" }).waitFor();
    await page.goto(`${publicUrl}/console`);
    await signIn();
    await page.getByRole("alert").getByText("member of no account").waitFor();
    await close();
  });

  test("what is refused is said, and an answer that this browser did not begin signs nobody in", async () => {
    provider.persons.set("eve", { email: "eve@example.com", email_verified: true });
    const { page, close } = await visit("/", { through: publicUrl });
    await through(page, "eve");
    await page.getByRole("button", { name: "Continue with Company" }).click();
    await page.getByRole("alert").getByText("member of no account").waitFor();
    await page.goto(`${publicUrl}/console/sign-in/company?code=stolen&state=stolen`);
    await page.getByRole("alert").getByText("Begin it again").waitFor();
    await page.getByRole("link", { name: "Go to sign-in" }).click();
    await page.getByRole("button", { name: "Continue with Company" }).waitFor();
    await close();
  });

  for (const view of views) {
    test(`its pages are free of axe violations: ${view.width} wide, ${view.theme}`, async () => {
      const visited = await visit("/", { ...view, through: publicUrl });
      await visited.page.getByRole("button", { name: "Continue with Company" }).waitFor();
      await visited.expectAccessible();
      await visited.picture(`sign-in-provider-${view.width}-${view.theme}`);
      await visited.page.goto(`${publicUrl}/console/sign-in/company?code=x`);
      await visited.page.getByRole("alert").waitFor();
      await visited.expectAccessible();
      await visited.picture(`provider-refused-${view.width}-${view.theme}`);
      await visited.close();
    });
  }
});
