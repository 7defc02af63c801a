/** What pages of other sites, thieves of cookies and impatient guessers try against logins. */
import assert from "node:assert/strict";
import { test } from "node:test";
import { api, type LoginState } from "@querent/contract";
import { newId } from "../../src/kernel/ids.ts";
import { refused, startTestService, type TestCallOptions } from "../harness/service.ts";
import { goodPassword, joinAs, openBrowser } from "./browser.ts";

const service = await startTestService();
const { accountId } = await service.account();
const owner = await joinAs(service, accountId, "owner");
const path = (template: string) => template.replace(/\{\w+\}/g, newId());

/** What a browser sends for the page of another site. */
const foreign: Readonly<Record<string, Readonly<Record<string, string>>>> = {
  "another site": { "sec-fetch-site": "cross-site", origin: "https://evil.example" },
  "a sibling of the host": { "sec-fetch-site": "same-site", origin: "https://evil.querent.example" },
  "an address that was typed": { "sec-fetch-site": "none" },
  "an older browser": { origin: "https://evil.example" },
  "a sandboxed frame": { origin: "null" },
};

test("every operation refuses a login that comes from the page of another site, with any method and content type", async () => {
  for (const operation of api.operations) {
    if (operation.scope === null && operation.login === undefined) continue;
    for (const [who, headers] of Object.entries(foreign)) {
      const answer = await service.call(operation.method, path(operation.path), {
        headers: { cookie: owner.cookie, "x-querent-login": "1", ...headers },
        ...(operation.method === "GET" ? {} : { body: {} }),
      });
      assert.equal(refused(answer, "foreign_request").status, 403, `${operation.id}, ${who}`);
    }
  }
});

test("without its header, a cookie signs nobody in: forms, images and links cannot send it", async () => {
  for (const operation of api.operations) {
    if (operation.scope === null && operation.login === undefined) continue;
    for (const type of ["application/json", "text/plain", "application/x-www-form-urlencoded", "multipart/form-data"]) {
      const answer = await service.call(operation.method, path(operation.path), {
        headers: { cookie: owner.cookie, "sec-fetch-site": "same-origin", "content-type": type },
        ...(operation.method === "GET" ? {} : { body: "{}" }),
      });
      refused(answer, operation.login === "begins" ? "foreign_request" : "unauthorized");
    }
  }
});

test("no reply allows another origin to read it or to send the header", async () => {
  const origin = "https://evil.example";
  for (const address of ["/v1/login", "/v1/members", "/v1/tokens"]) {
    const headers = {
      origin,
      "access-control-request-method": "GET",
      "access-control-request-headers": "x-querent-login",
    };
    for (const method of ["OPTIONS", "GET"]) {
      const answer = await service.call(method, address, { headers });
      assert.deepEqual(
        Object.keys(answer.headers).filter((name) => name.startsWith("access-control-")),
        [],
      );
    }
  }
});

test("a login that was planted is not taken over: signing in always makes a new secret, and unknown ones sign nobody in", async () => {
  const person = await joinAs(service, accountId, "viewer");
  const planted = `querent-login=${"A".repeat(43)}`;
  const browser = openBrowser(service, planted);
  refused(await browser.call("GET", "/v1/login"), "unauthorized");
  const { email, password } = person;
  await browser.call("POST", "/v1/login", { body: { email, password } });
  assert.notEqual(browser.cookie, planted);
  refused(await openBrowser(service, planted).call("GET", "/v1/login"), "unauthorized");
  const before = browser.cookie;
  await browser.call("POST", "/v1/login", { body: { email, password } });
  assert.notEqual(browser.cookie, before);
});

test("malformed cookies sign nobody in", async () => {
  const secret = owner.cookie.split("=")[1] ?? "";
  for (const cookie of [
    `querent-login=${secret}x`,
    `querent-login=${secret.slice(1)}`,
    `querent-login="${secret}"`,
    `QUERENT-LOGIN=${secret}`,
    `__Host-querent-login=${secret}`,
    `x-querent-login=${secret}`,
    `querent-login=' or 1=1 --`,
    `querent-login=${"x".repeat(4000)}`,
    "querent-login",
    ";;;=;",
  ])
    refused(await openBrowser(service, cookie).call("GET", "/v1/login"), "unauthorized");
  assert.equal((await openBrowser(service, `a=b; ${owner.cookie}; c=d`).call("GET", "/v1/login")).status, 200);
});

test("a token is not a login, a login is not a token, and assistants get no login", async () => {
  const account = await service.account();
  refused(await account.get("/v1/login"), "unauthorized");
  const secret = owner.cookie.split("=")[1] ?? "";
  refused(await service.call("GET", "/v1/tasks", { headers: { authorization: `Bearer ${secret}` } }), "unauthorized");
  const { status } = await fetch(`${service.address}/mcp`, {
    method: "POST",
    body: JSON.stringify({ jsonrpc: "2.0", id: 1, method: "tools/list" }),
    headers: {
      cookie: owner.cookie,
      "x-querent-login": "1",
      "content-type": "application/json",
      accept: "application/json, text/event-stream",
    },
  });
  assert.equal(status, 401);
  // With both, the token decides: a page cannot lend its login to a request that names another access.
  const both = await owner.call("GET", "/v1/tasks", { headers: { authorization: "Bearer qrt_unknown_token" } });
  refused(both, "unauthorized");
});

test("the tries for an e-mail address are limited, whether the person exists or not, and a right one does not count", async () => {
  const person = await joinAs(service, accountId, "viewer");
  for (const email of [person.email, `nobody-${newId()}@example.com`]) {
    const statuses: number[] = [];
    for (let n = 0; n < 12; n++)
      statuses.push(
        (await openBrowser(service).call("POST", "/v1/login", { body: { email, password: "wrong password" } })).status,
      );
    assert.deepEqual(statuses, [...Array<number>(10).fill(403), 429, 429], email);
  }
  const { email, password } = person;
  const answer = await openBrowser(service).call("POST", "/v1/login", { body: { email, password } });
  assert.ok(Number(answer.headers["retry-after"]) > 0);
  refused(answer, "rate_limited");
});

test("by HTTPS the cookie belongs to this host and to HTTPS, and a cookie of plain HTTP signs nobody in", async () => {
  const secure = await startTestService({ environment: { QUERENT_PUBLIC_URL: "https://querent.example" } });
  const account = await secure.account();
  const host = { host: "querent.example" };
  const person = await joinAs(secure, account.accountId, "viewer");
  const browser = openBrowser(secure);
  const { email, password } = person;
  const answer = await browser.call<LoginState>("POST", "/v1/login", { body: { email, password }, headers: host });
  assert.match(
    answer.headers["set-cookie"] ?? "",
    /^__Host-querent-login=[A-Za-z0-9_-]{43}; Path=\/; Max-Age=\d+; HttpOnly; SameSite=Strict; Secure$/,
  );
  assert.equal((await browser.call("GET", "/v1/login", { headers: host })).status, 200);
  const plain = browser.cookie.replace("__Host-", "");
  refused(await openBrowser(secure, plain).call("GET", "/v1/login", { headers: host }), "unauthorized");
  await secure.stop();
});

test("neither the log nor an address has a password, a secret or the token of a link", async () => {
  const secret = owner.cookie.split("=")[1] ?? "";
  const password = goodPassword();
  const body: TestCallOptions["body"] = { email: owner.email, password };
  await openBrowser(service).call("POST", "/v1/login", { body });
  const logged = JSON.stringify(service.events);
  for (const text of [secret, password, owner.password]) assert.ok(!logged.includes(text));
});

test("the console refuses to be framed, and sends its visitors nowhere else", async () => {
  const answer = await service.call("GET", "/console/join");
  assert.match(answer.headers["content-security-policy"] ?? "", /frame-ancestors 'none'/);
  assert.equal(answer.headers["referrer-policy"], "no-referrer");
  for (const address of ["/console/join?next=https://evil.example", "/console//evil.example"])
    assert.equal((await service.call("GET", address)).status, 200, "there is no redirect to follow");
});
