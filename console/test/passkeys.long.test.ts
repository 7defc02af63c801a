/** Passkeys in the console, with Chromium's own authenticators: joining, adding, signing in, a second and a lost device, and refusals. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import { Secret, TOTP } from "otpauth";
import type { CDPSession, Page } from "playwright-core";
import { invite } from "../../service/src/people/index.ts";
import { goodPassword, joinAs } from "../../service/test/people/browser.ts";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole, type ConsolePage, type Visit } from "./harness/console.ts";
import { views } from "./harness/views.ts";

/** An authenticator that is built into the device of a page. */
interface Device {
  readonly cdp: CDPSession;
  readonly authenticatorId: string;
}

suite("passkeys", { skip: noBrowser }, async () => {
  const { service, visit } = await startTestConsole();
  const { accountId } = await service.account();
  const localhost = service.address.replace("127.0.0.1", "localhost");

  const at = (path: string, options: Visit = {}) => visit(path, { ...options, through: localhost });

  async function withDevice(page: Page, { verifies = true } = {}): Promise<Device> {
    const cdp = await page.context().newCDPSession(page);
    await cdp.send("WebAuthn.enable");
    const { authenticatorId } = await cdp.send("WebAuthn.addVirtualAuthenticator", {
      options: {
        protocol: "ctap2",
        transport: "internal",
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: verifies,
        automaticPresenceSimulation: true,
      },
    });
    return { cdp, authenticatorId };
  }

  const signOut = (page: Page) => page.getByRole("button", { name: "Sign out", exact: true }).first().click();
  const signInWithPasskey = (page: Page) => page.getByRole("button", { name: "Sign in with a passkey" }).click();
  const isSignedIn = (page: Page) => page.getByRole("navigation", { name: "Console" }).waitFor();
  const signIn = async ({ page }: ConsolePage, { email, password }: { email: string; password: string }) => {
    await page.getByLabel("E-mail").fill(email);
    await page.getByRole("textbox", { name: "Password" }).fill(password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await isSignedIn(page);
  };

  const linkFor = async (role: "owner" | "viewer", email: string | null = null) => {
    const input = { accountId, email: email === null ? null : { text: email, key: email }, role, days: 1 } as const;
    const { token } = await service.database.transaction((tx) => invite(tx, input));
    return `/join#${token}`;
  };

  test("the first owner joins with a passkey instead of a password, and signs in again without an address", async () => {
    const visited = await at(await linkFor("owner"));
    const { page, close } = visited;
    await withDevice(page);
    await page.getByLabel("E-mail").fill("grace@example.com");
    await page.getByLabel("Your name").fill("Grace Hopper");
    await page.getByRole("button", { name: "Join with a passkey" }).click();
    await page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    await signOut(page);
    await signInWithPasskey(page);
    await isSignedIn(page);
    await page.getByRole("link", { name: "Profile" }).click();
    await page.getByText("Signed in as grace@example.com").waitFor();
    // The last way to sign in stays, until there is a password.
    const part = page.getByRole("region", { name: "Passkeys" });
    await part.getByRole("button", { name: /^Remove / }).click();
    await part.getByRole("button", { name: "Remove passkey" }).click();
    await part.getByRole("alert").getByText("last way to sign in").waitFor();
    const form = page.getByRole("region", { name: "Password" });
    await form.getByLabel("New password").fill(goodPassword());
    await form.getByRole("button", { name: "Set password" }).click();
    await form.getByLabel("Current password").waitFor();
    await close();
  });

  test("a person adds a passkey, names it, signs in with it, and adds one of a second device", async () => {
    const person = await joinAs(service, accountId, "viewer");
    const first = await at("/profile");
    const device = await withDevice(first.page);
    await signIn(first, person);
    const part = first.page.getByRole("region", { name: "Passkeys" });
    await part.getByRole("button", { name: "Add a passkey" }).click();
    await part.getByRole("button", { name: /^Rename / }).click();
    await part.getByRole("textbox").fill("Laptop");
    await part.getByRole("button", { name: "Save" }).click();
    await part.getByRole("rowheader", { name: "Laptop" }).waitFor();
    // One device has one.
    await part.getByRole("button", { name: "Add a passkey" }).click();
    await part.getByRole("alert").getByText("already").waitFor();
    await first.expectAccessible();
    const { credentials } = await device.cdp.send("WebAuthn.getCredentials", device);
    assert.equal(credentials.length, 1);
    assert.equal(credentials[0]?.rpId, "localhost");
    await signOut(first.page);
    await signInWithPasskey(first.page);
    await isSignedIn(first.page);

    const second = await at("/profile");
    await withDevice(second.page);
    await signIn(second, person);
    const there = second.page.getByRole("region", { name: "Passkeys" });
    await there.getByRole("rowheader", { name: "Laptop" }).waitFor();
    // Too long after signing in, the password is asked for.
    await service.database.query("update logins set created_at = now() - interval '1 hour' where person_id = $1", [
      person.state.person.personId,
    ]);
    await there.getByRole("button", { name: "Add a passkey" }).click();
    await there.getByLabel("Current password").fill("not the password");
    await there.getByRole("button", { name: "Continue" }).click();
    await there.getByRole("alert").waitFor();
    await there.getByLabel("Current password").fill(person.password);
    await there.getByRole("button", { name: "Continue" }).click();
    await there.getByRole("rowheader").nth(1).waitFor();
    await signOut(second.page);
    await signInWithPasskey(second.page);
    await isSignedIn(second.page);

    // The first device is lost: its passkey is removed, and signs nobody in.
    await there.getByRole("button", { name: "Remove Laptop" }).click();
    await there.getByRole("button", { name: "Remove passkey" }).click();
    await there.getByRole("rowheader", { name: "Laptop" }).waitFor({ state: "detached" });
    await first.page.reload();
    await first.page.getByLabel("E-mail").waitFor();
    await signInWithPasskey(first.page);
    await first.page.getByRole("alert").getByText("not known here").waitFor();
    await first.expectAccessible();
    await first.close();
    await second.close();
  });

  test("a device that does not verify the person neither adds a passkey nor signs in", async () => {
    const person = await joinAs(service, accountId, "viewer");
    const visited = await at("/profile");
    const { page, close } = visited;
    const device = await withDevice(page, { verifies: false });
    await signIn(visited, person);
    const part = page.getByRole("region", { name: "Passkeys" });
    await part.getByRole("button", { name: "Add a passkey" }).click();
    await part.getByRole("alert").getByText("did not verify you").waitFor();
    await device.cdp.send("WebAuthn.setUserVerified", { ...device, isUserVerified: true });
    await part.getByRole("button", { name: "Add a passkey" }).click();
    await part.getByRole("rowheader").waitFor();
    await device.cdp.send("WebAuthn.setUserVerified", { ...device, isUserVerified: false });
    await signOut(page);
    await signInWithPasskey(page);
    await page.getByRole("alert").getByText("answered with no passkey").waitFor();
    await device.cdp.send("WebAuthn.setUserVerified", { ...device, isUserVerified: true });
    await signInWithPasskey(page);
    await isSignedIn(page);
    await close();
  });

  test("whoever has lost the only passkey gets a link from an owner, and makes a new one with it", async () => {
    const joining = await at(await linkFor("viewer", "lost@example.com"));
    await withDevice(joining.page);
    await joining.page.getByLabel("Your name").fill("Loser");
    await joining.page.getByRole("button", { name: "Join with a passkey" }).click();
    await joining.page.getByRole("heading", { level: 1, name: "Overview" }).waitFor();
    const owner = await joinAs(service, accountId, "owner");
    const members = await at("/members");
    await signIn(members, owner);
    await members.page.getByRole("row", { name: /Loser/ }).getByText("1 passkey").waitFor();
    await members.page.getByRole("button", { name: "Reset passkeys of Loser" }).click();
    await members.page.getByRole("button", { name: "Remove passkeys" }).click();
    const link = (await members.page.locator("[data-invitation]").textContent()) ?? "";
    assert.match(link, /\/console\/join#[A-Za-z0-9_-]{43}$/);
    await members.close();
    await joining.page.getByText("You were signed out.").waitFor();
    await joining.close();
    const again = await at(link.slice(link.indexOf("/join")));
    await withDevice(again.page);
    await again.page.getByRole("radio", { name: "Passkey" }).check({ force: true });
    await again.page.getByRole("button", { name: "Make a passkey and sign in" }).click();
    await isSignedIn(again.page);
    await signOut(again.page);
    await signInWithPasskey(again.page);
    await isSignedIn(again.page);
    await again.close();
  });

  test("a person with a passkey alone accepts an invitation to another account with it", async () => {
    const visited = await at(await linkFor("viewer", "both@example.com"));
    const { page, close } = visited;
    await withDevice(page);
    await page.getByLabel("Your name").fill("Both");
    await page.getByRole("button", { name: "Join with a passkey" }).click();
    await isSignedIn(page);
    const other = await service.account();
    const { token } = await service.database.transaction((tx) =>
      invite(tx, {
        accountId: other.accountId,
        email: { text: "both@example.com", key: "both@example.com" },
        role: "editor",
        days: 1,
      }),
    );
    await page.goto("about:blank");
    await page.goto(`${localhost}/console/join#${token}`);
    await page.getByText("You already have a passkey here").waitFor();
    await page.getByRole("button", { name: "Join with a passkey you have" }).click();
    await isSignedIn(page);
    await page.getByRole("link", { name: "Profile" }).click();
    await page.getByRole("combobox", { name: "Account" }).waitFor();
    await close();
  });

  test("an owner requires a second factor: a member sees nothing but how to set one up, until there is one", async () => {
    const strict = await service.account();
    const owner = await joinAs(service, strict.accountId, "owner");
    const [coded, keyed] = [
      await joinAs(service, strict.accountId, "viewer"),
      await joinAs(service, strict.accountId, "viewer"),
    ];
    const working = await at("/tasks");
    await signIn(working, coded);
    const members = await at("/members");
    await withDevice(members.page);
    await signIn(members, owner);
    const rule = members.page.getByRole("region", { name: "Second factor" });
    await rule.getByRole("button", { name: "Require a second factor" }).click();
    await rule.getByRole("button", { name: "Require it now" }).click();
    await rule.getByRole("alert").getByText("without a second factor").waitFor();
    await members.page.getByRole("link", { name: "Profile" }).click();
    await members.page.getByRole("button", { name: "Add a passkey" }).click();
    await members.page.getByRole("region", { name: "Passkeys" }).getByRole("rowheader").waitFor();
    await members.page.getByRole("link", { name: "Members" }).click();
    await rule.getByRole("button", { name: "Require a second factor" }).click();
    await rule.getByRole("button", { name: "Require it now" }).click();
    await rule.getByRole("button", { name: "No longer require it" }).waitFor();
    await members.page.getByRole("cell", { name: "None" }).first().waitFor();
    await members.expectAccessible();
    await members.picture("second-factor-rule");
    await members.close();

    // Of a page that is open, too.
    await working.page.getByRole("heading", { level: 1, name: "Second factor" }).waitFor();
    assert.equal(await working.page.getByRole("navigation", { name: "Console" }).count(), 0);
    await working.expectAccessible();
    await working.picture("second-factor-gate");
    const part = working.page.getByRole("region", { name: "Second factor" });
    await part.getByLabel("Current password").fill(coded.password);
    await part.getByRole("button", { name: "Set up" }).click();
    await part.getByRole("img", { name: "QR code" }).waitFor();
    const secret = ((await part.locator("code").first().textContent()) ?? "").replaceAll(" ", "");
    const app = new TOTP({ secret: Secret.fromBase32(secret) });
    await part.getByLabel("Code", { exact: true }).fill(app.generate());
    await part.getByRole("button", { name: "Turn on" }).click();
    await part.locator("[data-recovery-codes] code").first().waitFor();
    await working.page.getByRole("button", { name: "Continue to the console" }).click();
    await isSignedIn(working.page);
    await working.close();

    const visited = await at("/");
    const { page, close } = visited;
    await withDevice(page);
    await page.getByLabel("E-mail").fill(keyed.email);
    await page.getByRole("textbox", { name: "Password" }).fill(keyed.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByRole("button", { name: "Add a passkey" }).click();
    await isSignedIn(page);
    await signOut(page);
    // The password alone opens nothing, and the passkey does.
    await page.getByLabel("E-mail").fill(keyed.email);
    await page.getByRole("textbox", { name: "Password" }).fill(keyed.password);
    await page.getByRole("button", { name: "Sign in", exact: true }).click();
    await page.getByText("Sign in with a passkey that you have").waitFor();
    assert.equal(await page.getByRole("button", { name: "Add a passkey" }).count(), 0);
    await signInWithPasskey(page);
    await isSignedIn(page);
    await close();
  });

  test("at an address with numbers, passkeys are not offered, and the page says where they work", async () => {
    const visited = await visit("/");
    const { page, close } = visited;
    const link = page.getByRole("link", { name: `${localhost}/console` });
    await link.waitFor();
    assert.equal(await page.getByRole("button", { name: "Sign in with a passkey" }).count(), 0);
    await visited.expectAccessible();
    await close();
  });

  for (const view of views) {
    test(`they are free of axe violations: ${view.width} wide, ${view.theme}`, async () => {
      const person = await joinAs(service, accountId, "owner");
      const joining = await at(await linkFor("viewer"), view);
      await joining.page.getByRole("button", { name: "Join with a passkey" }).waitFor();
      await joining.expectAccessible();
      await joining.picture(`passkey-join-${view.width}-${view.theme}`);
      await joining.close();
      const visited = await at("/profile", view);
      await withDevice(visited.page);
      await visited.page.getByRole("button", { name: "Sign in with a passkey" }).waitFor();
      await visited.expectAccessible();
      await visited.picture(`passkey-sign-in-${view.width}-${view.theme}`);
      await signIn(visited, person);
      const part = visited.page.getByRole("region", { name: "Passkeys" });
      await part.getByRole("button", { name: "Add a passkey" }).click();
      await part.getByRole("rowheader").waitFor();
      await visited.expectAccessible();
      await visited.picture(`passkey-profile-${view.width}-${view.theme}`);
      await visited.close();
    });
  }
});
