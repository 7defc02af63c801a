/** Stored sessions of web platforms: who holds them, and what is written back. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { writeFileSync } from "node:fs";
import { mkdtempDisposable } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { suite, test } from "node:test";
import { keepSession, PlatformSessions, readSessions, removeSession, SessionError } from "../../src/sessions/index.ts";
import { holdSession, releaseHold } from "../../src/sessions/hold-session.ts";
import { resumeSession } from "../../src/sessions/keep-session.ts";
import { readSessionRecords } from "../../src/sessions/read-sessions.ts";
import { MasterKey } from "../../src/vault/index.ts";
import { testDatabase } from "../harness/database.ts";

const { database } = await testDatabase();
const masterKey = new MasterKey(randomBytes(32));
const faults: unknown[] = [];
const sessions = new PlatformSessions({
  database,
  masterKey,
  onEvent: () => undefined,
  onFault: (error) => faults.push(error),
});
const empty = JSON.stringify({ cookies: [], origins: [] });
const hold = (platform: string) => holdSession(database, masterKey, { platform, forMs: 60_000, limitsOf: () => ({}) });
const held = async (platform: string) => {
  const one = await hold(platform);
  assert.equal(one.kind, "held");
  if (one.kind !== "held") throw new Error("not held");
  return one;
};
const onlySession = async (platform: string) => {
  const [row] = await readSessions(database, platform);
  if (row === undefined) throw new Error(`no session of ${platform}`);
  return row;
};

suite("stored sessions", () => {
  test("of two runs at once the first writes back, and neither overwrites a newer sign-in", async () => {
    const input = { platform: "twice", name: "one", text: empty };
    await keepSession(database, masterKey, input);
    const [first, second] = [await held("twice"), await held("twice")];
    const text = (value: string) => JSON.stringify({ cookies: [], origins: [{ origin: value }] });
    assert.equal(await releaseHold(database, masterKey, first, { kind: "worked", text: text("first") }), true);
    assert.equal(await releaseHold(database, masterKey, second, { kind: "worked", text: text("second") }), false);
    const third = await held("twice");
    assert.equal(third.text, text("first"));
    await keepSession(database, masterKey, { ...input, text: text("signed in") });
    assert.equal(await releaseHold(database, masterKey, third, { kind: "signed_out", why: "late" }), false);
    const now = await held("twice");
    assert.equal(now.text, text("signed in"));
    assert.equal((await onlySession("twice")).signedOutAt, null);
    assert.equal(await removeSession(database, "twice", "one"), true);
    assert.equal(await releaseHold(database, masterKey, now, { kind: "worked", text: empty }), false);
    assert.equal((await hold("twice")).kind, "none");
  });

  test("one that met a human check needs a person, until it is resumed or signed in to again", async () => {
    const input = { platform: "checked", name: "one", text: empty };
    await keepSession(database, masterKey, input);
    const stateOf = async () => (await readSessionRecords(database, "checked"))[0]?.state;
    const end = async (kind: "needs_person" | "signed_out") =>
      releaseHold(database, masterKey, await held("checked"), { kind, why: "The page says so." });
    assert.equal(await end("needs_person"), true);
    assert.equal(await stateOf(), "needs_person");
    assert.equal((await hold("checked")).kind, "signed_out", "it is not used");
    assert.equal(await resumeSession(database, "checked", "one"), true);
    assert.equal(await stateOf(), "ready");
    assert.equal(await end("signed_out"), true);
    assert.equal(await stateOf(), "signed_out");
    await keepSession(database, masterKey, input);
    assert.equal(await stateOf(), "ready");
  });

  test("accounts take turns, each within limits of its own, and a throttled one pauses alone", async () => {
    for (const name of ["a", "b"]) await keepSession(database, masterKey, { platform: "turns", name, text: empty });
    const limitsOf = (name: string) => (name === "a" ? { runningMax: 1 } : { perHour: 2 });
    const next = () => holdSession(database, masterKey, { platform: "turns", forMs: 60_000, limitsOf });
    const [one, two, three] = [await next(), await next(), await next()];
    assert.ok(one.kind === "held" && two.kind === "held" && three.kind === "held");
    assert.deepEqual([one.name, two.name, three.name], ["a", "b", "b"]);
    const wait = await next();
    assert.ok(wait.kind === "wait" && wait.busy, JSON.stringify(wait));
    await releaseHold(database, masterKey, one, { kind: "throttled", forMs: 600_000 });
    const longer = await next();
    assert.ok(longer.kind === "wait" && !longer.busy && longer.waitMs > 500_000, JSON.stringify(longer));
    await database.query(
      "update platform_session_holds set held_at = held_at - interval '61 minutes' where name = 'b'",
    );
    const later = await next();
    assert.ok(later.kind === "held" && later.name === "b", "an hour later");
  });

  test("a file is imported once, and again after it has changed", async () => {
    await using folder = await mkdtempDisposable(join(tmpdir(), "querent-session-"));
    const file = join(folder.path, "session.json");
    const files = new Map([["default", file]]);
    const run = async (of: PlatformSessions) => {
      const one = await of
        .of({ code: "file", files, limits: new Map() })
        .hold({ signal: new AbortController().signal, runMs: 1_000 });
      if (one.kind === "held")
        await one.release({ kind: "worked", text: JSON.stringify({ ...one.state, renewed: true }) });
      return one.kind === "held" ? one.state : one.kind;
    };
    const restarted = () =>
      new PlatformSessions({ database, masterKey, onEvent: () => undefined, onFault: (error) => faults.push(error) });
    assert.equal(await run(sessions), "none");
    writeFileSync(file, empty);
    assert.deepEqual(await run(sessions), { cookies: [], origins: [] });
    assert.deepEqual(await run(restarted()), { cookies: [], origins: [], renewed: true });
    writeFileSync(file, JSON.stringify({ cookies: [], origins: [], again: true }));
    assert.deepEqual(await run(restarted()), { cookies: [], origins: [], again: true });
    writeFileSync(file, "no session");
    assert.deepEqual(await run(restarted()), { cookies: [], origins: [], again: true, renewed: true }, "it goes on");
    const fresh = restarted().of({ code: "fresh", files, limits: new Map() });
    await assert.rejects(fresh.hold({ signal: new AbortController().signal, runMs: 1_000 }), SessionError);
    assert.deepEqual(faults, []);
  });

  test("what is no session is refused, without repeating it", async () => {
    const secret = "very-secret";
    for (const text of [
      `{"cookies": "${secret}"}`,
      `[1, "${secret}"]`,
      secret,
      JSON.stringify({ cookies: [{ name: secret }], origins: [] }),
      JSON.stringify({ cookies: [], origins: [], more: "x".repeat(9_000_000) }),
    ])
      await assert.rejects(keepSession(database, masterKey, { platform: "bad", name: "x", text }), (error) => {
        assert.ok(error instanceof SessionError && !error.message.includes(secret), String(error));
        return true;
      });
    await assert.rejects(
      keepSession(database, masterKey, { platform: "bad", name: "../x", text: empty }),
      SessionError,
    );
    assert.deepEqual(await readSessions(database, "bad"), []);
  });
});
