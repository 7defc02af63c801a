/** Persons in the console: joining by a link, signing in, members, invitations, the profile, and what a role is not shown. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { Secret, TOTP } from "otpauth";
import type { Page } from "playwright-core";
import { invite } from "../../service/src/people/index.ts";
import { goodPassword, joinAs } from "../../service/test/people/browser.ts";
import { startMailServer } from "../../service/test/harness/mail-server.ts";
import { until } from "../../service/test/harness/wait.ts";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole, type ConsolePage } from "./harness/console.ts";
import { views } from "./harness/views.ts";

suite("people", { skip: noBrowser }, async () => {
  const mails = await startMailServer();
  after(() => mails[Symbol.asyncDispose]());
  const { service, visit } = await startTestConsole({
    environment: {
      QUERENT_SMTP_URL: `smtp://localhost:${mails.port}`,
      QUERENT_MAIL_FROM: "querent@example.com",
      QUERENT_EGRESS_CA: mails.caFile,
    },
  });
  const account = await service.account();
  const { accountId } = account;
  await account.answerTo("Why is the sky blue?");

  const linkFor = async (role: "owner" | "viewer" | "admin") => {
    const { token } = await service.database.transaction((tx) => invite(tx, { accountId, email: null, role, days: 1 }));
    return `/join#${token}`;
  };
  const signIn = async ({ page }: ConsolePage, { email, password }: { email: string; password: string }) => {
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Password", { exact: true }).last().fill(password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("navigation", { name: "Console" }).waitFor();
  };

  /** Goes to another view as a link does, without loading the page again. */
  const goTo = (page: Page, path: string) =>
    page.evaluate(`history.pushState(null, "", "/console${path}"); dispatchEvent(new PopStateEvent("popstate"))`);

  test("the first link makes an owner, who is signed in after a reload, invites a colleague, and signs out", async () => {
    const visited = await visit(await linkFor("owner"));
    const { page, close, foreign } = visited;
    const addresses: string[] = [];
    page.on("request", (request) => addresses.push(request.url()));
    const email = "grace@example.com";
    const password = goodPassword();
    await page.getByLabel("E-mail").fill(email);
    await page.getByLabel("Your name").fill("Grace Hopper");
    await page.getByLabel("Password").fill("password1234");
    await page.getByRole("button", { name: "Join and sign in" }).click();
    await page.getByRole("alert").getByText("guessed too easily").waitFor();
    await page.getByLabel("Password").fill(password);
    await page.getByRole("button", { name: "Join and sign in" }).click();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    assert.ok(!page.url().includes("#"), "the link does not stay in the address");

    await page.reload();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    assert.equal(await page.evaluate("document.cookie"), "", "no script can read the login");
    await page.getByRole("link", { name: "Members" }).click();
    await page.getByRole("button", { name: "Invite" }).click();
    await page.getByLabel("E-mail").fill("ada@example.com");
    await page.getByRole("radio", { name: /^Viewer/ }).check();
    assert.ok(await page.getByRole("checkbox", { name: "Send the link by mail" }).isChecked());
    await page.getByRole("button", { name: "Create link" }).click();
    await page.getByText("The mail to ada@example.com is on its way.").waitFor();
    const [mail = assert.fail()] = await mails.received(1);
    const link = (await page.locator("[data-invitation]").textContent()) ?? "";
    assert.match(link, /\/console\/join#[A-Za-z0-9_-]{43}$/);
    assert.ok(mail.parsed.text?.includes(link));
    await page.getByRole("button", { name: "Done" }).click();
    await page.getByRole("rowheader", { name: "ada@example.com" }).waitFor();

    const colleague = await visit(link.slice(link.indexOf("/join")));
    assert.equal(await colleague.page.getByLabel("E-mail").inputValue(), "ada@example.com");
    await colleague.page.getByLabel("Your name").fill("Ada Lovelace");
    await colleague.page.getByLabel("Password").fill(goodPassword());
    await colleague.page.getByRole("button", { name: "Join and sign in" }).click();
    await colleague.page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await colleague.close();

    await page.getByRole("button", { name: "Sign out", exact: true }).click();
    await page.getByLabel("E-mail").waitFor();
    await page.reload();
    await page.getByLabel("E-mail").waitFor();
    await signIn(visited, { email, password });
    for (const address of addresses) assert.ok(!address.includes(link.split("#")[1] ?? "-"), address);
    assert.deepEqual(foreign, []);
    await close();
  });

  test("a link that was used says so, and leads to signing in", async () => {
    const { page, close } = await visit("/join#AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA");
    await page.getByRole("heading", { level: 1, name: "This link doesn’t work" }).waitFor();
    await page.getByRole("link", { name: "Go to sign-in" }).click();
    await page.getByLabel("E-mail").waitFor();
    await close();
  });

  test("a wrong password is refused without saying what is wrong, and a login that ends elsewhere ends the page's session", async () => {
    const person = await joinAs(service, accountId, "editor");
    const visited = await visit("/tasks");
    const { page, close } = visited;
    await page.getByLabel("E-mail").fill(person.email);
    await page.getByLabel("Password", { exact: true }).last().fill("something else");
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("alert").getByText("The e-mail address or the password is wrong.").waitFor();
    await signIn(visited, person);
    await page.getByRole("link", { name: "Why is the sky blue?" }).waitFor();
    await person.call("DELETE", "/v1/logins");
    await page.getByRole("alert").getByText("You were signed out.").waitFor();
    await close();
  });

  test("a viewer is not shown what the role cannot do", async () => {
    const person = await joinAs(service, accountId, "viewer");
    const visited = await visit("/tokens");
    const { page, close } = visited;
    await signIn(visited, person);
    await page.getByText("requires the scope access:manage").waitFor();
    const places = await page.getByRole("navigation", { name: "Console" }).getByRole("link").allTextContents();
    for (const hidden of ["Ask", "Webhooks", "Members", "Operator"]) assert.ok(!places.includes(hidden), hidden);
    for (const shown of ["Overview", "Tasks", "Panels", "Profile"]) assert.ok(places.includes(shown), shown);
    await close();
  });

  test("whoever operates the service looks at the example, and goes back to an account without a trace of it", async () => {
    const own = await service.account();
    const person = await joinAs(service, own.accountId, "owner", { operator: true });
    const visited = await visit("/");
    const { page, close } = visited;
    await signIn(visited, person);
    await page.getByRole("button", { name: "Open the example" }).click();
    await page.getByRole("heading", { level: 1, name: "Coffee grinders (simulated demo)" }).waitFor();
    await page
      .getByText(/Ardenzo \(simulated\) is named in/)
      .first()
      .waitFor();
    await page.getByRole("link", { name: "Overview", exact: true }).click();
    await page.getByText("You are in the example").waitFor();
    await page.getByRole("link", { name: "Coffee grinders (simulated demo)" }).first().waitFor();
    await page.getByRole("button", { name: "Delete the example" }).click();
    await page.getByRole("button", { name: "Open the example" }).waitFor();
    assert.equal(await page.getByText("Coffee grinders").count(), 0, "what was read for the other account is gone");
    await close();
  });

  test(
    "of every view, a viewer is shown what can be read, and no button that would be refused",
    { timeout: 300_000 },
    async () => {
      const person = await joinAs(service, accountId, "viewer");
      const owner = await joinAs(service, accountId, "owner");
      const panel = { name: "Skies", prompts: [{ text: "Why?" }], platforms: ["simulator"] };
      const { body } = await account.call<{ panelId: string }>("POST", "/v1/panels", { body: panel });
      await account.call("POST", "/v1/entities", { body: { name: "Acme" } });
      await account.call("PUT", "/v1/caps", { body: { caps: [{ kind: "account", dayPoints: 1_000_000 }] } });
      const { tasks, batchId } = await account.submit([
        { question: "Is it slow? delay=600s", platformCode: "simulator", options: {} },
      ]);
      /** Each view that changes something: what is there for everybody, and its buttons. */
      const writing: readonly (readonly [path: string, shown: RegExp, buttons: readonly RegExp[]])[] = [
        ["/batches", /Is it slow\?/, [/^New batch|^Ask/]],
        [`/batches/${batchId}`, /Is it slow\?/, [/^Cancel remaining/]],
        [`/tasks/${tasks[0]?.taskId}`, /Is it slow\?/, [/^Cancel/]],
        ["/panels", /Skies/, [/^New panel/]],
        [`/panels/${body.panelId}?part=runs`, /Skies/, [/^Run now/, /^Edit/]],
        ["/brands", /Acme/, [/^New brand/, /^Edit Acme/, /^Delete Acme/]],
        ["/caps", /1,000,000/, [/^New cap/]],
      ];
      const eachView = async (who: typeof person, check: (page: Page, button: RegExp) => Promise<unknown>) => {
        const visited = await visit("/");
        const { page, close } = visited;
        await signIn(visited, who);
        page.setDefaultTimeout(60_000);
        for (const [path, shown, buttons] of writing) {
          await goTo(page, path);
          await page.getByRole("main").getByText(shown).first().waitFor();
          for (const button of buttons) await check(page, button);
        }
        await close();
      };
      const found = (page: Page, name: RegExp) =>
        page.getByRole("main").getByRole("button", { name }).or(page.getByRole("main").getByRole("link", { name }));
      await eachView(owner, (page, button) => found(page, button).first().waitFor());
      await eachView(person, async (page, button) =>
        assert.equal(await found(page, button).count(), 0, String(button)),
      );

      const visited = await visit("/");
      const { page, close } = visited;
      page.setDefaultTimeout(60_000);
      await signIn(visited, person);
      for (const path of ["/ask", "/panels/new"]) {
        await goTo(page, path);
        await page.getByRole("heading", { level: 1, name: "Not for your role" }).waitFor();
      }
      await close();
      await account.call("POST", `/v1/batches/${batchId}/cancellation`);
    },
  );

  test("an admin issues a token with the scopes of an admin, and ends the logins of a member", async () => {
    const admin = await joinAs(service, accountId, "admin");
    const member = await joinAs(service, accountId, "viewer");
    await service.database.query("update persons set name = 'Leaving' where email = $1", [member.email]);
    const visited = await visit("/tokens");
    const { page, close } = visited;
    await signIn(visited, admin);
    await page.getByRole("button", { name: "New token" }).click();
    assert.equal(await page.getByRole("checkbox", { name: /Full operator access/ }).count(), 0);
    await page.getByLabel("Name").fill("program");
    await page.getByRole("button", { name: "Create token" }).click();
    await page.locator("[data-token]").waitFor();
    await page.getByRole("link", { name: "Members" }).click();
    assert.equal(await page.getByRole("combobox").count(), 0, "an admin changes no roles");
    await page.getByRole("button", { name: "Sign out Leaving" }).click();
    await page.getByRole("button", { name: "Sign out everywhere" }).click();
    await until("the login to end", async () => (await member.call("GET", "/v1/login")).status === 401);
    await close();
  });

  test("an owner changes a role and removes a member", async () => {
    const owner = await joinAs(service, accountId, "owner");
    const member = await joinAs(service, accountId, "viewer");
    await service.database.query("update persons set name = 'Promoted' where email = $1", [member.email]);
    const visited = await visit("/members");
    const { page, close } = visited;
    await signIn(visited, owner);
    await page.getByLabel("Role of Promoted").selectOption("editor");
    await until("the role to be another", async () => {
      const { rows } = await service.database.query<{ role: string }>("select role from members where id = $1", [
        member.state.memberId,
      ]);
      return rows[0]?.role === "editor";
    });
    await page.getByRole("button", { name: "Remove Promoted" }).click();
    await page.getByRole("button", { name: "Remove member" }).click();
    await page.getByLabel("Role of Promoted").waitFor({ state: "detached" });
    await close();
  });

  test("a person changes the password, sees the browsers with a login, and ends the others", async () => {
    const person = await joinAs(service, accountId, "viewer");
    const visited = await visit("/profile");
    const { page, close } = visited;
    await signIn(visited, person);
    await page.getByRole("button", { name: "Sign out everywhere else" }).click();
    await page.getByRole("button", { name: "Sign out everywhere else" }).waitFor({ state: "detached" });
    assert.equal((await person.call("GET", "/v1/login")).status, 401);
    const form = page.getByRole("region", { name: "Password" });
    await form.getByLabel("Current password").fill(person.password);
    await form.getByLabel("New password").fill(goodPassword());
    await page.getByRole("button", { name: "Change password" }).click();
    await page.getByText("Password changed.").waitFor();
    await close();
  });

  test("a person sets up a second factor, signs in with it, and an owner resets it", async () => {
    const person = await joinAs(service, accountId, "viewer");
    await service.database.query("update persons set name = 'Guarded' where email = $1", [person.email]);
    const visited = await visit("/profile");
    const { page, close } = visited;
    await signIn(visited, person);
    const part = page.getByRole("region", { name: "Second factor" });
    await part.getByLabel("Current password").fill(person.password);
    await part.getByRole("button", { name: "Set up" }).click();
    await part.getByRole("img", { name: "QR code" }).waitFor();
    const secret = ((await part.locator("code").first().textContent()) ?? "").replaceAll(" ", "");
    const app = new TOTP({ secret: Secret.fromBase32(secret) });
    await part.getByLabel("Code", { exact: true }).fill("000000");
    await part.getByRole("button", { name: "Turn on" }).click();
    await part.getByRole("alert").getByText("The code is wrong").waitFor();
    await visited.expectAccessible();
    await visited.picture("second-factor-set-up");
    await part.getByLabel("Code", { exact: true }).fill(app.generate());
    await part.getByRole("button", { name: "Turn on" }).click();
    await part.getByText("Recovery codes left: 10.").waitFor();
    assert.equal(await part.locator("[data-recovery-codes] code").count(), 10);
    await visited.expectAccessible();
    await visited.picture("second-factor-on");
    await service.database.query("update person_factors set last_step = null");
    await page.getByRole("button", { name: "Sign out", exact: true }).first().click();
    await page.getByLabel("E-mail").fill(person.email);
    await page.getByRole("textbox", { name: "Password" }).fill(person.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByLabel("Code").fill(app.generate());
    await visited.expectAccessible();
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("button", { name: "Sign out", exact: true }).first().waitFor();
    await close();
    const owner = await joinAs(service, accountId, "owner");
    const members = await visit("/members");
    await signIn(members, owner);
    await members.page.getByRole("button", { name: "Reset second factor of Guarded" }).click();
    await members.page.getByRole("button", { name: "Remove second factor" }).click();
    await members.page.getByRole("button", { name: "Reset second factor of Guarded" }).waitFor({ state: "detached" });
    await members.close();
  });

  for (const view of views) {
    test(`they are free of axe violations: ${view.width} wide, ${view.theme}`, async () => {
      const owner = await joinAs(service, accountId, "owner");
      await owner.call("POST", "/v1/invitations", { body: { email: "invited@example.com", role: "viewer" } });
      const joining = await visit(await linkFor("admin"), view);
      await joining.page.getByLabel("Your name").waitFor();
      await joining.expectAccessible();
      await joining.picture(`join-${view.width}-${view.theme}`);
      await joining.close();
      const visited = await visit("/members", view);
      await signIn(visited, owner);
      await visited.page.getByText("invited@example.com").waitFor();
      await visited.expectAccessible();
      await visited.picture(`members-${view.width}-${view.theme}`);
      await visited.page.goto(`${service.address}/console/profile`);
      await visited.page.getByText("This browser").waitFor();
      await visited.expectAccessible();
      await visited.picture(`profile-${view.width}-${view.theme}`);
      await visited.close();
    });
  }
});
