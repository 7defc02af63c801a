/** Passwords of links to reports and of addresses of figures, tried by people, programs and attackers. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { FigureLink, Problem, ReportShare, ReportShares } from "@querent/contract";
import { readerLanguage } from "../../src/reports/small-page.ts";
import { LinkLocks, type LockedLink } from "../../src/reports/report/link-lock.ts";
import { refused, startTestService } from "../harness/service.ts";
import { createPanel } from "./fixture.ts";

const service = await startTestService();
const account = await service.account();
const panel = await createPanel(account, { name: "Confidential Grinders" });
const shares = `/v1/panels/${panel.panelId}/report/shares`;
const password = "mule lantern violet 42";
const share = async (body: object = { password }) => {
  const answer = await account.call<ReportShare>("POST", shares, { body });
  assert.equal(answer.status, 201, answer.text);
  return answer.body;
};
const pathOf = ({ url }: { url: string | null }) => new URL(url ?? "").pathname;
const asBrowser = { accept: "text/html,application/xhtml+xml,*/*;q=0.8" };
const open = (at: { url: string | null }, headers: Record<string, string> = asBrowser) =>
  service.call<Problem>("GET", pathOf(at), { headers });
const form = { "content-type": "application/x-www-form-urlencoded" };
const enter = (at: { url: string | null }, entered: string, headers: Record<string, string> = asBrowser) =>
  service.call<Problem>("POST", pathOf(at), {
    body: new URLSearchParams({ password: entered }).toString(),
    headers: { ...form, ...headers },
  });
const basic = (entered: string) => ({ authorization: `Basic ${Buffer.from(`any:${entered}`).toString("base64")}` });
const cookieOf = ({ headers }: { headers: Record<string, unknown> }) =>
  String(headers["set-cookie"]).split(";")[0] ?? "";
suite("a link with a password", () => {
  test("says nothing of its report before the password is given, and opens with it", async () => {
    const made = await share();
    assert.equal(made.hasPassword, true);
    assert.ok(!JSON.stringify(made).includes(password));
    const asked = await open(made);
    assert.equal(asked.status, 403);
    assert.match(asked.text, /<form method="post">.*type="password"/s);
    assert.doesNotMatch(asked.text, /Grinders|Confidential|Grade|Querent|<script/);
    const policy = String(asked.headers["content-security-policy"]);
    assert.match(policy, /^default-src 'none'.*form-action 'self'.*frame-ancestors 'none'/);
    assert.match(String(asked.headers["x-robots-tag"]), /noindex/);
    const wrong = await enter(made, "mule lantern violet 43");
    assert.equal(wrong.status, 403);
    assert.match(wrong.text, /This is not the password/);
    assert.equal(wrong.headers["set-cookie"], undefined);
    const right = await enter(made, password);
    assert.equal(right.status, 303);
    assert.equal(right.headers["location"], pathOf(made));
    const cookie = String(right.headers["set-cookie"]);
    assert.match(cookie, /^querent-link=\d{10}\.[\w-]{43}; Path=\/r\/[\w-]{64}; Max-Age=\d+; HttpOnly; SameSite=Lax$/);
    assert.ok(cookie.includes(`Path=${pathOf(made)};`));
    const opened = await open(made, { ...asBrowser, cookie: `theirs=1; ${cookieOf(right)}` });
    assert.equal(opened.status, 200);
    assert.match(opened.text, /Confidential Grinders/);
  });

  test("asks in the language of its report", async () => {
    const made = await share({ password, language: "zh-CN" });
    assert.match((await open(made)).text, /<html lang="zh-CN">.*此链接有密码/s);
    await service.database.query("update report_shares set language = null where id = $1", [made.shareId]);
    assert.match((await open(made, { ...asBrowser, "accept-language": "xx, zh;q=0.5" })).text, /此链接有密码/);
    assert.match((await open(made)).text, /This link has a password/);
    assert.equal(readerLanguage(`${"a,".repeat(1e6)}zh`), "en");
    assert.equal(readerLanguage("en;q=0.1, zh-TW;q=0.9"), "zh-CN");
  });

  test("opens to programs with Basic and any user name", async () => {
    const made = await share();
    const asked = await open(made, {});
    refused(asked, "link_password_required");
    assert.equal(asked.status, 401);
    assert.equal(asked.headers["www-authenticate"], 'Basic realm="link", charset="UTF-8"');
    refused(await open(made, basic("wrong password")), "link_password_required");
    for (const authorization of ["Basic", "Basic !!!", "Basic YQ==", `Bearer ${password}`, `Basic ${"a".repeat(5000)}`])
      refused(await open(made, { authorization }), "link_password_required");
    assert.equal((await open(made, basic(password))).status, 200);
  });

  test("is not opened by the cookie of another link, a forged one, or one of a former password", async () => {
    const [one, other] = [await share(), await share()];
    const cookie = cookieOf(await enter(one, password));
    assert.equal((await open(one, { ...asBrowser, cookie })).status, 200);
    assert.equal((await open(other, { ...asBrowser, cookie })).status, 403);
    const [until = "", code = ""] = cookie.split("=")[1]?.split(".") ?? [];
    const forged = [
      `querent-link=${Number(until) + 1}.${code}`,
      `querent-link=${until}.${code.slice(0, -1)}${code.endsWith("A") ? "E" : "A"}`,
      `querent-link=9999999999.${"A".repeat(43)}`,
      `__Secure-querent-link=${until}.${code}`,
      "querent-link=",
      "querent-link=1.2",
    ];
    for (const each of forged) assert.equal((await open(one, { ...asBrowser, cookie: each })).status, 403, each);
    const changed = await account.call<ReportShare>("PUT", `${shares}/${one.shareId}/password`, {
      body: { password: "another mule lantern 7" },
    });
    assert.equal(changed.status, 200, changed.text);
    assert.deepEqual(changed.body, { ...one });
    assert.equal((await open(one, { ...asBrowser, cookie })).status, 403);
    // The same password again is another one.
    await account.call("PUT", `${shares}/${one.shareId}/password`, { body: { password } });
    assert.equal((await open(one, { ...asBrowser, cookie })).status, 403);
    const removed = await account.call<ReportShare>("PUT", `${shares}/${one.shareId}/password`, {
      body: { password: null },
    });
    assert.equal(removed.body.hasPassword, false);
    assert.equal((await open(one)).status, 200);
    const listed = (await account.get<ReportShares>(shares)).body.shares;
    assert.equal(listed.find(({ shareId }) => shareId === other.shareId)?.hasPassword, true);
  });

  test("that was revoked or has expired is gone, whatever cookie or password is sent", async () => {
    const [revoked, expired] = [await share(), await share()];
    const cookies = [cookieOf(await enter(revoked, password)), cookieOf(await enter(expired, password))];
    assert.equal((await account.call("DELETE", `${shares}/${revoked.shareId}`)).status, 204);
    await service.database.query("update report_shares set expires_at = now() where id = $1", [expired.shareId]);
    for (const [at, each] of [revoked, expired].entries()) {
      assert.equal((await open(each, { ...asBrowser, cookie: cookies[at] ?? "" })).status, 410);
      assert.equal((await open(each, basic(password))).status, 410);
      assert.equal((await enter(each, password)).status, 410);
    }
    const unknown = { url: `http://x${pathOf(revoked).slice(0, -2)}${pathOf(revoked).endsWith("AA") ? "BB" : "AA"}` };
    assert.equal((await open(unknown)).status, 404);
    assert.equal((await enter(unknown, password)).status, 404);
  });

  test("takes forms of a bounded size alone, and nothing of them comes back", async () => {
    const made = await share();
    const path = pathOf(made);
    const post = (body: string, headers: Record<string, string> = form) =>
      service.call<Problem>("POST", path, { body, headers: { ...asBrowser, ...headers } });
    assert.equal((await post(`password=${"x".repeat(5000)}`)).status, 413);
    assert.equal((await post(`password=${"x".repeat(101)}`)).status, 422);
    assert.equal((await post("")).status, 400);
    assert.equal((await post(`password=a&next=https://evil.example`)).status, 422);
    assert.equal((await post(JSON.stringify({ password }), { "content-type": "application/json" })).status, 415);
    const injected = await enter(made, "x\r\nSet-Cookie: a=b\r\n\r\n<script>alert(1)</script>");
    assert.equal(injected.status, 403);
    assert.equal(injected.headers["set-cookie"], undefined);
    assert.doesNotMatch(injected.text, /alert\(1|Set-Cookie/);
    assert.match((await enter(await share({}), "whatever")).text, /Confidential Grinders/);
  });

  test("takes no weak password, and none for a link of another account", async () => {
    for (const weak of ["short", "password1234", "confidential grinders"]) {
      const answer = await account.call<Problem>("POST", shares, { body: { password: weak } });
      assert.equal(answer.status, 422, weak);
      assert.equal(answer.body.errors?.[0]?.pointer, "/password");
    }
    const made = await share();
    const other = await service.account();
    const body = { password: null };
    assert.equal((await other.call("PUT", `${shares}/${made.shareId}/password`, { body })).status, 404);
    assert.equal((await open(made)).status, 403);
  });

  test("keeps neither the password nor, for code that knows none, the page where it was", async () => {
    const made = await share();
    const read = async () =>
      (
        await service.database.query<{ page: string; guarded_page: string | null; password_hash: string | null }>(
          "select page, guarded_page, password_hash from report_shares where id = $1",
          [made.shareId],
        )
      ).rows[0];
    const stored = await read();
    assert.equal(stored?.page, "");
    assert.match(stored.guarded_page ?? "", /Confidential Grinders/);
    assert.match(stored.password_hash ?? "", /^\$argon2id\$v=19\$m=19456,t=2,p=1\$/);
    await account.call("PUT", `${shares}/${made.shareId}/password`, { body: { password: null } });
    assert.match((await read())?.page ?? "", /Confidential Grinders/);
    assert.equal((await read())?.guarded_page, null);
    assert.ok(service.events.every((event) => !JSON.stringify(event).includes(password)));
  });
});

suite("an address of figures with a password", () => {
  test("is read with Basic alone", async () => {
    const made = await account.call<FigureLink>("POST", `/v1/panels/${panel.panelId}/figures/links`, {
      body: { by: "run", password },
    });
    assert.equal(made.status, 201, made.text);
    assert.equal(made.body.hasPassword, true);
    assert.deepEqual(made.body.figures, { by: "run" });
    const first = await open(made.body, {});
    refused(first, "link_password_required");
    refused(await open(made.body, basic("wrong password")), "link_password_required");
    const read = await open(made.body, basic(password));
    assert.equal(read.status, 200, read.text);
    // What was computed for those who know it is not kept for others.
    refused(await open(made.body, {}), "link_password_required");
  });
});

suite("tries of passwords", () => {
  const lock = (id: string): LockedLink => ({
    id,
    // Of no password that is tried here.
    passwordHash: "$argon2id$v=19$m=8,t=1,p=1$c29tZXNhbHRzb21lc2FsdA$AAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAAA",
    expiresAt: new Date(Date.now() + 86_400_000),
  });
  const tooOften = { name: "ProblemError", code: "rate_limited" };

  test("are limited for each address, at whichever links, and for each link, from whichever addresses", async () => {
    const locks = new LinkLocks(Buffer.alloc(32, 1));
    for (let n = 0; n < 10; n++) assert.equal(await locks.opens(lock(`link ${n}`), "wrong", "192.0.2.1"), false);
    await assert.rejects(locks.opens(lock("another"), "wrong", "192.0.2.1"), tooOften);
    const attacked = lock("attacked");
    const tries = Array.from({ length: 40 }, (_, n) => locks.opens(attacked, "wrong", `198.51.100.${n}`));
    const ended = await Promise.allSettled(tries);
    assert.equal(ended.filter(({ status }) => status === "fulfilled").length, 30);
    await assert.rejects(locks.opens(attacked, "wrong", "203.0.113.1"), tooOften);
    assert.equal(await locks.opens(lock("unharmed"), "wrong", "203.0.113.1"), false);
  });

  test("that succeed are not counted, and a program that knows the password is not held up by an attack", async () => {
    const made = await share();
    for (let n = 0; n < 12; n++) assert.equal((await enter(made, password)).status, 303);
    const enterAsPeople = (n: number) =>
      fetch(made.url ?? "", {
        method: "POST",
        body: new URLSearchParams({ password: `wrong ${n}` }),
        headers: asBrowser,
      });
    const answers = [];
    for (let n = 0; n < 12; n++) answers.push(await enterAsPeople(n));
    const limited = answers.find(({ status }) => status === 429) ?? assert.fail("no limit");
    assert.match(await limited.text(), /The password was tried too often. Try again in \d+ minutes?/);
    assert.ok(Number(limited.headers.get("retry-after")) > 0);
    refused(await enter(made, "wrong", {}), "rate_limited");
    assert.equal((await open(made, basic(password))).status, 200);
  });

  test("give a cookie over HTTPS that goes over HTTPS alone, and ends with the link", () => {
    const locks = new LinkLocks(Buffer.alloc(32, 1));
    const soon = { ...lock("soon"), expiresAt: new Date(Date.now() + 60_000) };
    const url = new URL("https://reports.example/base/r/token");
    const cookie = locks.cookie(soon, url);
    assert.match(cookie, /^__Secure-querent-link=.*; Path=\/base\/r\/token; Max-Age=(59|60); .*; Secure$/);
    const sent = cookie.split(";")[0];
    assert.ok(locks.hasCookie(soon, url, sent));
    assert.ok(!locks.hasCookie(soon, new URL("http://reports.example/base/r/token"), sent));
    assert.ok(!new LinkLocks(Buffer.alloc(32, 2)).hasCookie(soon, url, sent));
    const old = locks.cookie({ ...soon, expiresAt: new Date(Date.now() - 1000) }, url).split(";")[0];
    assert.ok(!locks.hasCookie(soon, url, old));
  });
});
