import assert from "node:assert/strict";
import { request } from "node:http";
import { after, suite, test } from "node:test";
import { openRemoteWindow } from "../../src/signin/index.ts";

interface Reply {
  readonly status: number;
  readonly body: string;
  readonly headers: Readonly<Record<string, unknown>>;
}

suite("the remote window of a command", async () => {
  const window = await openRemoteWindow(0);
  after(() => window.close());
  const secret = window.address.split("#")[1] ?? "";
  const call = (
    path: string,
    { method = "GET", headers = {}, body }: { method?: string; headers?: Record<string, string>; body?: string } = {},
  ) =>
    new Promise<Reply>((resolve, reject) => {
      const sent = request({ host: "127.0.0.1", port: window.port, path, method, headers }, (response) => {
        let text = "";
        response.on("data", (part: Buffer) => (text += part.toString()));
        response.on("end", () => resolve({ status: response.statusCode ?? 0, body: text, headers: response.headers }));
      });
      sent.on("error", reject);
      sent.end(body);
    });
  const authorization = `Bearer ${secret}`;
  const status = async (...input: Parameters<typeof call>) => (await call(...input)).status;

  test("shows nothing without the secret of its address, which the page itself does not have", async () => {
    const page = await call("/");
    assert.equal(page.status, 200);
    assert.ok(secret.length >= 32 && !page.body.includes(secret));
    assert.match(String(page.headers["content-security-policy"]), /default-src 'none'.*script-src 'sha256-/);
    for (const path of ["/state", "/input", "/answer", "/nowhere"])
      for (const headers of [{}, { authorization: "Bearer x" }, { authorization: `Bearer ${secret}x` }])
        assert.equal(await status(path, { headers, method: path === "/state" ? "GET" : "POST" }), 401, path);
  });

  test("answers to no name of another host, whose DNS may lead here", async () => {
    for (const host of ["evil.example", "127.0.0.1.evil.example:80", "[::2]"])
      assert.equal(await status("/", { headers: { host } }), 404, host);
    for (const host of ["localhost:9000", "127.0.0.1", "[::1]:1"])
      assert.equal(await status("/", { headers: { host } }), 200, host);
  });

  test("refuses input that is malformed, unknown or too large", async () => {
    const post = (body: string) => status("/input", { method: "POST", headers: { authorization }, body });
    const events = (...all: unknown[]) => JSON.stringify({ events: all });
    for (const body of [
      "",
      "null",
      "[]",
      "{",
      "{}",
      events(),
      events({ type: "key", key: "F12", shift: false, control: false }),
      events({ type: "move", x: -1, y: 0 }),
      events({ type: "text", text: "a".repeat(5_000) }),
      events({ type: "evaluate", script: "1" }),
    ])
      assert.equal(await post(body), 400, body.slice(0, 60));
    assert.equal(await post(`"${"a".repeat(2_100_000)}"`), 413);
    assert.equal(await post(events({ type: "move", x: 1, y: 1 })), 204, "without a page, nothing happens");
  });

  test("asks one question at a time, and an answer to another one does not count", async () => {
    const withdrawn = new AbortController();
    const state = async () =>
      JSON.parse((await call("/state", { headers: { authorization } })).body) as {
        version: string;
        question: { id: number; text: string; button: string } | null;
      };
    const asked = window.ask({ text: "Sign in", button: "Done" }, withdrawn.signal);
    const { question, version } = await state();
    assert.deepEqual([question?.text, question?.button], ["Sign in", "Done"]);
    const answer = (id: unknown) =>
      status("/answer", { method: "POST", headers: { authorization }, body: JSON.stringify({ id }) });
    const changed = call(`/state?after=${version}`, { headers: { authorization } });
    for (const id of [(question?.id ?? 0) + 1, "1", null]) assert.equal(await answer(id), 204);
    assert.equal((await state()).question?.id, question?.id);
    assert.equal(await answer(question?.id), 204);
    await asked;
    assert.equal((JSON.parse((await changed).body) as { question: unknown }).question, null, "who waits is told");
    const second = window.ask({ text: "Next", button: "Done" }, withdrawn.signal);
    withdrawn.abort();
    await second;
    assert.equal((await state()).question, null);
  });

  test("a port that is taken is told", async () => {
    await assert.rejects(openRemoteWindow(window.port), { code: "EADDRINUSE" });
  });
});
