/** Projects in the console: made, chosen and moved to; a client is invited to one, and sees its figures and reports alone. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { createBrand, createPanelIn, createProject } from "../../service/test/projects/fixture.ts";
import { runPanel } from "../../service/test/insight/fixture.ts";
import { goodPassword, joinAs } from "../../service/test/people/browser.ts";
import { until } from "../../service/test/harness/wait.ts";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole, type ConsolePage } from "./harness/console.ts";

const looks = [
  { width: 1440, theme: "light", language: "en" },
  { width: 1440, theme: "dark", language: "zh-CN" },
  { width: 390, theme: "dark", language: "en" },
  { width: 390, theme: "light", language: "zh-CN" },
] as const;

suite("projects", { skip: noBrowser }, async () => {
  const { service, visit } = await startTestConsole();
  const account = await service.account();
  const { accountId } = account;
  const [acme, globex] = [await createProject(account, "Acme Mills"), await createProject(account, "Globex")];
  await createBrand(account, acme.projectId, "Acme Mills");
  await createBrand(account, acme.projectId, "Initech Labs", "competitor");
  await createBrand(account, globex.projectId, "Globex Corp");
  const prompts = [{ text: "Which grinder? brands=Acme_Mills:0.7,Initech_Labs:0.6", promptId: "p" }];
  const { panelId } = await createPanelIn(account, "Acme Mills", { name: "Grinders for Acme", prompts, repeats: 3 });
  await createPanelIn(account, "Globex", { name: "Secret plans" });
  const unmoved = await createPanelIn(account, accountId, { name: "Of the house", brands: { own: [] } });
  for (let run = 0; run < 5; run++) {
    const { runId, taskCount } = (await runPanel(account, panelId)).body;
    await until("every answer is observed", async () => {
      const { rows } = await service.database.query<{ count: number }>(
        "select count(*)::int as count from observations where account_id = $1 and run_id = $2",
        [accountId, runId],
      );
      return rows[0]?.count === taskCount;
    });
  }
  const owner = await joinAs(service, accountId, "owner");
  const client = await joinAs(service, accountId, "client", { projects: [acme.projectId] });

  const signIn = async ({ page }: ConsolePage, { email, password }: { email: string; password: string }) => {
    await page.locator("#email").fill(email);
    await page.locator("#password").fill(password);
    await page.locator("form button[type=submit]").last().click();
    await page.locator("nav #side-body").waitFor({ state: "attached" });
  };

  test("an owner makes a project, shows one alone, moves a panel to it, and limits a member to it", async () => {
    const visited = await visit("/", { width: 1440 });
    const { page, close } = visited;
    await signIn(visited, owner);
    await page.getByRole("link", { name: "Projects" }).click();
    await page.getByRole("button", { name: "New project" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Umbrella");
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("button", { name: "Show Umbrella" }).waitFor();
    await visited.expectAccessible();
    await page.getByRole("button", { name: "Show Acme Mills" }).click();
    await page.getByRole("link", { name: "Grinders for Acme" }).waitFor();
    assert.equal(await page.getByText("Secret plans").count(), 0);
    await page.locator("[data-project-switch]").selectOption({ label: "All projects" });
    await page.getByRole("link", { name: "Secret plans" }).waitFor();

    await page.getByRole("link", { name: "Of the house" }).click();
    await page.getByRole("link", { name: "Runs and prompts" }).click();
    await page.getByRole("combobox", { name: "Move to" }).selectOption({ label: "Umbrella" });
    await page.getByRole("button", { name: "Move", exact: true }).click();
    await until("the panel is moved", async () => {
      const { body } = await account.get<{ projectId: string }>(`/v1/panels/${unmoved.panelId}`);
      return body.projectId !== accountId;
    });

    await page.getByRole("link", { name: "Members" }).click();
    await page.getByRole("button", { name: "Invite" }).click();
    await page.getByLabel("E-mail").fill("client@example.com");
    await page.getByRole("radio", { name: /^Client/ }).check();
    await page.getByRole("button", { name: "Create link" }).click();
    await page.getByRole("alert").getByText("Choose at least one project").waitFor();
    await page.getByRole("checkbox", { name: "Globex" }).check();
    await visited.expectAccessible();
    await page.getByRole("button", { name: "Create link" }).click();
    const link = (await page.locator("[data-invitation]").textContent()) ?? "";
    await page.getByRole("button", { name: "Done" }).click();
    const invited = page.getByRole("row").filter({ hasText: "client@example.com" });
    assert.match((await invited.textContent()) ?? "", /ClientGlobex/);

    const colleague = await visit(link.slice(link.indexOf("/join")));
    await colleague.page.getByLabel("Your name").fill("Ada Lovelace");
    await colleague.page.getByLabel("Password").fill(goodPassword());
    await colleague.page.getByRole("button", { name: "Join and sign in" }).click();
    await colleague.page.getByRole("heading", { level: 1, name: "Globex" }).waitFor();
    await colleague.close();

    await page.reload();
    await page.getByRole("button", { name: "Projects of Ada Lovelace" }).click();
    await page.getByRole("checkbox", { name: "Globex" }).uncheck();
    await page.getByRole("checkbox", { name: "Umbrella" }).check();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("row").filter({ hasText: "Ada Lovelace" }).getByText("Umbrella").waitFor();
    await close();
  });

  test("a token is limited to a project, a project is capped, and usage is told by project", async () => {
    const visited = await visit("/tokens", { width: 1440 });
    const { page, close } = visited;
    await signIn(visited, owner);
    await page.goto(page.url().replace(/\/console.*/, "/console/tokens"));
    await page.getByRole("button", { name: "New token" }).click();
    await page.getByLabel("Name", { exact: true }).fill("Dashboard of Acme");
    await page.getByRole("radio", { name: "Only these projects" }).check();
    assert.equal(await page.getByRole("checkbox", { name: /webhook:manage/ }).count(), 0);
    await page.getByRole("button", { name: "Create token" }).click();
    await page.getByRole("alert").getByText("Choose at least one project").waitFor();
    await page.getByRole("checkbox", { name: "Acme Mills" }).check();
    await visited.expectAccessible();
    await visited.picture("token-of-a-project");
    await page.getByRole("button", { name: "Create token" }).click();
    const token = (await page.locator("[data-token]").textContent()) ?? "";
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("row").filter({ hasText: "Dashboard of Acme" }).getByText("Only in Acme Mills").waitFor();
    await visited.expectAccessible();
    await visited.picture("tokens-of-projects");
    const listed = await service.as(accountId, token).get<{ panels: { name: string }[] }>("/v1/panels");
    assert.deepEqual(
      listed.body.panels.map(({ name }) => name),
      ["Grinders for Acme"],
    );

    await page.getByRole("link", { name: "Caps" }).click();
    await page.getByRole("button", { name: "New cap" }).click();
    await page.getByRole("form", { name: "New cap" }).getByText("Project", { exact: true }).click();
    await page
      .getByRole("form", { name: "New cap" })
      .getByRole("combobox", { name: "Project" })
      .selectOption({ label: "Acme Mills" });
    await page.getByLabel("Points per month (UTC)").fill("1000");
    await visited.expectAccessible();
    await page.getByRole("button", { name: "Save" }).click();
    await page.getByRole("row").filter({ hasText: "Project Acme Mills" }).waitFor();
    await visited.picture("caps-of-projects");

    await page.getByRole("link", { name: "Usage" }).click();
    await page.getByRole("list", { name: "Group by" }).getByRole("link", { name: "Project" }).click();
    await page.getByRole("row").filter({ hasText: "Acme Mills" }).getByText("15", { exact: true }).first().waitFor();
    await visited.expectAccessible();
    await visited.picture("usage-by-project");
    await close();
  });

  test("who is limited to projects finds the tasks and answers of their panels, and no place of the whole account", async () => {
    const viewer = await joinAs(service, accountId, "viewer", { projects: [acme.projectId] });
    await account.ask("A question of nobody");
    const visited = await visit("/", { width: 1440 });
    const { page, close } = visited;
    await signIn(visited, viewer);
    await page.getByRole("heading", { level: 1, name: "Acme Mills" }).waitFor();
    const places = await page.getByRole("navigation", { name: "Console" }).getByRole("listitem").allTextContents();
    assert.deepEqual(places, ["Overview", "Tasks", "Panels", "Brands", "Platforms", "Profile"]);
    await page.getByRole("navigation", { name: "Console" }).getByRole("link", { name: "Tasks" }).click();
    await page.locator("[data-task]").nth(14).waitFor();
    assert.equal(await page.locator("[data-task]").count(), 15);
    assert.equal(await page.getByText("A question of nobody").count(), 0);
    await page.locator("[data-task]").first().click();
    await page.getByRole("heading", { level: 1, name: /^Which grinder/ }).waitFor();
    await visited.expectAccessible();
    await close();
  });

  test("a client sees what the figures of its projects say, and no place or text of anything else", async () => {
    const visited = await visit("/", { width: 1440 });
    const { page, close } = visited;
    const refused: string[] = [];
    page.on("response", (response) => {
      if (response.status() === 403) refused.push(response.url());
    });
    await signIn(visited, client);
    await page.getByRole("heading", { level: 1, name: "Acme Mills" }).waitFor();
    await page.getByRole("link", { name: "Figures and report" }).waitFor();
    const places = await page.getByRole("navigation", { name: "Console" }).getByRole("listitem").allTextContents();
    assert.deepEqual(places, ["Overview", "Panels", "Brands", "Profile"]);
    await visited.expectAccessible();
    await page.getByRole("link", { name: "Figures and report" }).click();
    await page.getByRole("heading", { level: 1, name: "Grinders for Acme" }).waitFor();
    await page.locator("#panel-report").waitFor();
    await page.locator("[data-compare]").waitFor();
    assert.equal(await page.getByRole("link", { name: "Runs and prompts" }).count(), 0);
    await page.getByRole("link", { name: "Panels", exact: true }).click();
    await page.getByRole("link", { name: "Grinders for Acme" }).waitFor();
    await page.getByRole("link", { name: "Brands" }).click();
    await page.getByText("Initech Labs").first().waitFor();
    await page.keyboard.press("Control+k");
    await page.getByRole("combobox", { name: /Search/ }).fill("e");
    await page.getByRole("option", { name: "Brand: Acme Mills" }).waitFor();
    const all = await page.locator("body").innerText();
    for (const secret of ["Secret plans", "Globex", "Umbrella", "points", "Tasks"])
      assert.ok(!all.includes(secret), secret);
    await page.keyboard.press("Escape");
    await page.evaluate(`history.pushState(null, "", "/console/tasks"); dispatchEvent(new PopStateEvent("popstate"))`);
    await page.getByRole("heading", { level: 1, name: "Not for your role" }).waitFor();
    // What the answers behind figures are is read by those who may, and left out for others.
    assert.deepEqual(
      refused.filter((address) => !address.includes("/v1/sources")),
      [],
    );
    await close();
  });

  for (const look of looks)
    test(`the views, ${look.width} ${look.theme} ${look.language}`, async () => {
      const name = `${look.width}-${look.theme}-${look.language}`;
      const asOwner = await visit("/projects", look);
      await signIn(asOwner, owner);
      await asOwner.page.locator(`[data-project="${globex.projectId}"]`).waitFor();
      await asOwner.expectAccessible();
      await asOwner.picture(`projects-${name}`);
      await asOwner.page.evaluate(
        `history.pushState(null, "", "/console/members"); dispatchEvent(new PopStateEvent("popstate"))`,
      );
      await asOwner.page.locator("header button.primary").click();
      await asOwner.page.locator("input[type=radio][name=role]").last().check();
      await asOwner.page.locator("[data-projects]").waitFor();
      await asOwner.expectAccessible();
      await asOwner.picture(`invitation-${name}`);
      await asOwner.page.evaluate(
        `history.pushState(null, "", "/console/panels/${panelId}?part=runs"); dispatchEvent(new PopStateEvent("popstate"))`,
      );
      await asOwner.page.locator("#panel-project").waitFor();
      await asOwner.picture(`panel-project-${name}`);
      await asOwner.close();
      const asClient = await visit("/", look);
      await signIn(asClient, client);
      await asClient.page.locator(`[data-panel="${panelId}"] a`).last().waitFor();
      await asClient.page.locator(`[data-panel="${panelId}"] p`).nth(1).waitFor();
      await asClient.expectAccessible();
      await asClient.picture(`client-${name}`);
      await asClient.close();
    });
});
