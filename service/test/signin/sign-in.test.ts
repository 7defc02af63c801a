/** Signing in to a web platform through the API, with a real browser and a page of ours. */
import assert from "node:assert/strict";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { SessionList, SessionRecord, SignIn, SignInEvent } from "@querent/contract";
import { openSession } from "../../src/sessions/index.ts";
import { MasterKey } from "../../src/vault/index.ts";
import { newId } from "../../src/kernel/ids.ts";
import { startCountryProxy } from "../harness/country-proxy.ts";
import { refused, startTestService, type TestAccount } from "../harness/service.ts";
import { until } from "../harness/wait.ts";
import { loginPage } from "./login-page.ts";

const folder = mkdtempSync(join(tmpdir(), "querent-sign-in-"));
after(() => rmSync(folder, { recursive: true }));
const page = await loginPage();
const proxy = await startCountryProxy();
const environment = {
  QUERENT_CONFIG: page.settings(folder),
  QUERENT_BROWSER_EGRESS_ALLOW: "127.0.0.0/8",
  QUERENT_COUNTRY_PROXIES: proxy.settings,
};
const service = await startTestService({ environment });
const masterKey = new MasterKey(Buffer.from(service.commandEnvironment["QUERENT_MASTER_KEY"] ?? "", "base64"));
const operator = await service.account();
const path = "/v1/admin/sign-ins";

const start = async (name: string, by: TestAccount = operator) => {
  const { status, body } = await by.call<SignIn>("POST", path, { body: { platformCode: "login-page", name } });
  assert.equal(status, 201, JSON.stringify(body));
  return body.signInId;
};
const see = async (id: string, after?: number) =>
  (await operator.get<SignIn>(`${path}/${id}${after === undefined ? "" : `?after=${after}`}`)).body;
const pictured = (id: string, what: string, when: (seen: SignIn) => boolean) =>
  until(what, async () => {
    const seen = await see(id);
    return when(seen) ? seen : null;
  });
const send = async (id: string, ...events: SignInEvent[]) =>
  assert.equal((await operator.call("POST", `${path}/${id}/input`, { body: { events } })).status, 204);
const click = (y: number): SignInEvent[] => [
  { type: "press", x: 60, y, clicks: 1 },
  { type: "release", x: 60, y, clicks: 1 },
];
const welcomed = (user: string) =>
  until(`${user} is signed in`, () => page.told.includes(`/welcomed ${user} token-of-${user}`));
const isOpen = (seen: SignIn) => seen.picture !== null && seen.pages[0]?.address === `${page.origin}/`;
/** Starts a sign-in, and waits until its form can be clicked. */
const startForm = async (name: string) => {
  const before = page.shown();
  const id = await start(name);
  await until("the form is drawn", () => page.shown() > before);
  return { id, first: await pictured(id, "the form", isOpen) };
};

test("an operator signs in with clicks, keys and pasted text, and the session is stored with IndexedDB", async () => {
  const { id, first } = await startForm("form");
  const jpeg = Buffer.from(first.picture?.jpeg ?? "", "base64");
  assert.equal(jpeg.subarray(0, 2).toString("hex"), "ffd8");
  assert.ok(jpeg.length < 200_000);
  const secret = "right";
  await send(
    id,
    ...click(35),
    { type: "text", text: "ann" },
    { type: "key", key: "Tab", shift: false, control: false },
  );
  assert.notEqual((await see(id, first.version)).version, first.version);
  await send(id, { type: "text", text: secret }, { type: "wheel", x: 300, y: 300, deltaX: 0, deltaY: 1 });
  await until("the page has received the wheel", () => page.told.some((line) => line.startsWith("/wheel")));
  await send(id, ...click(115));
  await welcomed("ann");
  const saved = await operator.call<SessionRecord>("POST", `${path}/${id}/session`);
  assert.deepEqual([saved.status, saved.body.name, saved.body.state], [201, "form", "ready"]);
  refused(await operator.get(`${path}/${id}`), "not_found");

  const stored = JSON.stringify(await openSession(service.database, masterKey, "login-page", "form"));
  for (const part of ['"name":"login","value":"ann"', '"value":"ann"', '"value":"token-of-ann"'])
    assert.ok(stored.includes(part), part);
  assert.deepEqual(
    service.events.filter(({ event }) => /^(session|sign_in)\./.test(event)).map(({ event }) => event),
    ["sign_in.started", "session.stored"],
  );
  assert.ok(!JSON.stringify(service.events).includes(secret), "what is typed is not logged");

  // The next sign-in of that name begins with the stored session.
  const again = await start("form");
  await until(
    "the page recognizes the session",
    () => page.told.filter((line) => line.includes("ann token")).length > 1,
  );
  assert.equal((await operator.call("DELETE", `${path}/${again}`)).status, 204);
});

test("operators paste what they copied themselves, and never what another one copied", async () => {
  const key = (name: string, more: { control?: boolean; shift?: boolean } = {}): SignInEvent => ({
    type: "key",
    key: name,
    shift: more.shift ?? false,
    control: more.control ?? false,
  });
  const other = await service.account();
  const first = await startForm("copies");
  await send(
    first.id,
    ...click(35),
    { type: "text", text: "secret" },
    key("a", { control: true }),
    key("c", { control: true }),
  );
  const before = page.shown();
  const second = await start("pastes", other);
  await until("the other form is drawn", () => page.shown() > before);
  await until("the other form can be seen", async () => isOpen((await other.get<SignIn>(`${path}/${second}`)).body));
  const sendAsOther = (...events: SignInEvent[]) => other.call("POST", `${path}/${second}/input`, { body: { events } });
  const paste = [key("v", { control: true }), key("v", { control: true, shift: true })];
  // A wrong password: nobody is signed in, and the page tells what it was sent.
  const names = () =>
    page.told.filter((line) => line.startsWith("/login")).map((line) => JSON.parse(line.slice(7)) as { name: string });
  const told = names().length;
  assert.equal((await sendAsOther(...click(35), ...paste, ...click(115))).status, 204);
  await until("the other page has sent its form", () => names().length > told);
  assert.equal(names().at(-1)?.name, "", "nothing of the first operator's");
  // Cut and pasted twice.
  await send(first.id, key("Delete", { shift: true }), ...paste, ...click(115));
  await until("the first page has sent its form", () => names().at(-1)?.name === "secretsecret");
  for (const [by, id] of [
    [operator, first.id],
    [other, second],
  ] as const)
    await by.call("DELETE", `${path}/${id}`);
});

test("a window of single sign-on is shown, can be left and returned to, and signs in", async () => {
  const { id } = await startForm("popup");
  await send(id, ...click(155));
  const both = await pictured(
    id,
    "the window",
    ({ pages, shownPageId, picture }) =>
      pages.length === 2 && shownPageId === pages[1]?.pageId && pages[1].address.endsWith("/sso") && picture !== null,
  );
  assert.equal(both.pages[1]?.address, `${page.origin}/sso`, "without the query");
  await until("the window is drawn", () => page.told.some((line) => line.startsWith("/window-shown")));
  const [opener, popup] = both.pages.map(({ pageId }) => pageId);
  await send(id, { type: "show", pageId: opener ?? "" });
  await pictured(id, "the first page", ({ shownPageId, picture }) => shownPageId === opener && picture !== null);
  await send(id, { type: "show", pageId: popup ?? "" }, ...click(35));
  await welcomed("sso");
  await pictured(id, "the window has closed", ({ pages }) => pages.length === 1);
  assert.equal((await operator.call("POST", `${path}/${id}/session`)).status, 201);
});

test("a sign-in can be seen by the token that started it alone, and a second start ends the first", async () => {
  const id = await start("own");
  const other = await operator.withToken({ scopes: ["admin"] });
  for (const [method, end] of [
    ["GET", ""],
    ["DELETE", ""],
    ["POST", "/session"],
  ] as const)
    refused(await other.call(method, `${path}/${id}${end}`), "not_found");
  refused(
    await other.call("POST", `${path}/${id}/input`, { body: { events: [{ type: "text", text: "x" }] } }),
    "not_found",
  );
  const user = await operator.withToken({ scopes: ["tasks:read", "usage:read"] });
  refused(await user.get(`${path}/${id}`), "scope_missing");
  refused(await user.call("POST", path, { body: { platformCode: "login-page", name: "x" } }), "scope_missing");
  const second = await start("own");
  refused(await operator.get(`${path}/${id}`), "not_found");
  await operator.call("DELETE", `${path}/${second}`);
});

test("what can't be is refused", async () => {
  const id = await start("hostile");
  const input = async (events: unknown) =>
    (await operator.call("POST", `${path}/${id}/input`, { body: { events } })).status;
  const move = { type: "move", x: 1, y: 1 };
  for (const events of [
    [],
    Array.from({ length: 65 }, () => move),
    [{ ...move, x: 1e9 }],
    [{ ...move, y: -1 }],
    [{ ...move, more: 1 }],
    [{ type: "key", key: "F12", shift: false, control: false }],
    [{ type: "key", key: "Enter+Control", shift: false, control: false }],
    [{ type: "text", text: "x".repeat(4097) }],
    [{ type: "eval", text: "1" }],
    "text",
  ])
    assert.equal(await input(events), 422, JSON.stringify(events).slice(0, 80));
  await pictured(id, "its page", isOpen);
  assert.equal(await input([{ type: "show", pageId: "none" }]), 204);
  await pictured(id, "its page, still", isOpen);
  await operator.call("DELETE", `${path}/${id}`);
  refused(await operator.get(`${path}/${newId()}`), "not_found");
  refused(await operator.call("POST", path, { body: { platformCode: "nowhere", name: "x" } }), "not_found");
  refused(await operator.call("POST", path, { body: { platformCode: "simulator", name: "x" } }), "not_found");
  assert.equal((await operator.call("POST", path, { body: { platformCode: "login-page", name: "../x" } })).status, 422);
});

test("the page of a sign-in is visited from the country that is asked for", async () => {
  const before = page.shown();
  const body = { platformCode: "login-page", name: "abroad", country: "DE" };
  const { status, body: started } = await operator.call<SignIn>("POST", path, { body });
  assert.equal(status, 201);
  await until("the form is drawn", () => page.shown() > before);
  assert.ok(proxy.tunnels.includes(new URL(page.origin).host), proxy.tunnels.join());
  assert.equal((await operator.call("DELETE", `${path}/${started.signInId}`)).status, 204);
  for (const country of ["FR", "de", "Germany"]) {
    const { errors } = refused(await operator.call("POST", path, { body: { ...body, country } }), "validation_failed");
    assert.equal(errors?.[0]?.pointer, "/country");
  }
});

test("a session shows its own limits, and null where only the platform's count", async () => {
  const limitsOf = async (name: string) => {
    const body = { cookies: [], origins: [] };
    return (await operator.call<SessionRecord>("PUT", `/v1/admin/platforms/login-page/sessions/${name}`, { body })).body
      .limits;
  };
  assert.deepEqual(await limitsOf("limited"), { runningMax: 1, perMinute: null, perHour: 20 });
  assert.deepEqual(await limitsOf("other"), { runningMax: null, perMinute: null, perHour: null });
  const { sessions } = (await operator.get<SessionList>("/v1/admin/sessions")).body;
  assert.equal(sessions.find(({ name }) => name === "limited")?.limits.perHour, 20);
  for (const name of ["limited", "other"])
    await operator.call("DELETE", `/v1/admin/platforms/login-page/sessions/${name}`);
});

test("an operator stores, resumes and removes sessions, without ever reading one", async () => {
  const one = "/v1/admin/platforms/login-page/sessions/imported";
  const body = { cookies: [{ name: "login", value: "very-secret", domain: "a" }], origins: [] };
  const stored = await operator.call<SessionRecord>("PUT", one, { body });
  assert.deepEqual([stored.status, stored.body.state], [200, "ready"]);
  await service.database.query(
    "update platform_sessions set signed_out_at = now(), signed_out_why = 'x' where name = 'imported'",
  );
  const resumed = await operator.call<SessionRecord>("POST", `${one}/resumption`);
  assert.deepEqual([resumed.status, resumed.body.state], [200, "ready"]);
  assert.ok(!JSON.stringify((await operator.get<SessionList>("/v1/admin/sessions")).body).includes("very-secret"));
  assert.equal((await operator.call("DELETE", one)).status, 204);
  refused(await operator.call("DELETE", one), "not_found");
  refused(await operator.call("POST", `${one}/resumption`), "not_found");
  refused(await operator.call("PUT", "/v1/admin/platforms/sample/sessions/x", { body }), "not_found");
  const bad = await operator.call("PUT", one, { body: { cookies: [{ name: "very-secret" }], origins: [] } });
  assert.equal(refused(bad, "validation_failed").errors?.[0]?.pointer, "/cookies/0/value");
});

test("a process without a browser says so", async () => {
  const apiOnly = await startTestService({ environment, roles: ["api"] });
  const other = await apiOnly.account();
  const reply = await other.call("POST", path, { body: { platformCode: "login-page", name: "x" } });
  assert.match(refused(reply, "state_conflict").detail ?? "", /role worker/);
});

test("an unfinished sign-in ends with the service", async () => {
  await start("left");
  await service.stop();
});
