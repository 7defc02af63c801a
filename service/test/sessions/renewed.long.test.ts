/** Stored sessions of a web platform, with a real browser and a page whose sign-in changes with every visit. */
import assert from "node:assert/strict";
import { randomBytes } from "node:crypto";
import { test } from "node:test";
import { loadRecipe, webPlatform } from "../../src/platforms/index.ts";
import { keepSession, PlatformSessions, readSessions, type SessionEvent } from "../../src/sessions/index.ts";
import { holdSession, releaseHold } from "../../src/sessions/hold-session.ts";
import { MasterKey } from "../../src/vault/index.ts";
import { testPool } from "../harness/browser.ts";
import { testDatabase } from "../harness/database.ts";
import { ask, recipeFile } from "../platforms/web/fixture.ts";
import { signedInPage } from "./signed-in-page.ts";

test("a page's renewed cookies and IndexedDB are written back, and a signed-out account pauses alone", async (t) => {
  const { database } = await testDatabase();
  const masterKey = new MasterKey(randomBytes(32));
  const page = await signedInPage();
  const events: SessionEvent[] = [];
  const faults: unknown[] = [];
  const sessions = new PlatformSessions({
    database,
    masterKey,
    onEvent: (event) => events.push(event),
    onFault: (error) => faults.push(error),
  });
  const { pool } = testPool(t);
  const loaded = loadRecipe(recipeFile);
  const platform = webPlatform({
    code: "example",
    loaded: { ...loaded, recipe: { ...loaded.recipe, entry: page.address } },
    pool,
    missing: null,
    sessions: sessions.of({ code: "example", files: new Map(), limits: new Map() }),
  });
  await keepSession(database, masterKey, { platform: "example", name: "one", text: page.signIn("one") });
  // Each visit ends the sign-in that the visit before used.
  for (let n = 0; n < 3; n++) {
    const outcome = await ask(platform, "What is a session?");
    assert.equal(outcome.kind, "answered", JSON.stringify(outcome));
  }
  assert.equal(page.visits.get("one"), 3);
  assert.deepEqual(faults, []);
  const [before] = await readSessions(database, "example");
  assert.ok(before?.savedAt && before.succeededAt && before.running === 0);
  const kept = await holdSession(database, masterKey, { platform: "example", forMs: 60_000, limitsOf: () => ({}) });
  assert.ok(kept.kind === "held");
  assert.match(kept.text, /"login","value":"one-103"/);
  assert.match(kept.text, /"key":"refresh","value":4/, "the token of IndexedDB, three visits later");
  await releaseHold(database, masterKey, kept, { kind: "other" });

  await keepSession(database, masterKey, { platform: "example", name: "two", text: page.signIn("two") });
  page.valid.set("one", 7);
  const outcomes: string[] = [];
  for (let n = 0; n < 4; n++) outcomes.push((await ask(platform, "And now?")).kind);
  assert.deepEqual(outcomes.toSorted(), ["answered", "answered", "answered", "lost"]);
  assert.equal(page.visits.get("two"), 3);
  assert.equal(platform.missing, null, "the other account goes on");

  page.valid.set("two", 7);
  assert.equal((await ask(platform, "And now?")).kind, "lost");
  assert.match(platform.missing ?? "", /signed out.*session list/);
  assert.equal((await ask(platform, "And now?")).kind, "throttled", "the task waits");
  assert.deepEqual(
    events.map(({ event, session }) => [event, session]),
    [
      ["session.signed_out", "one"],
      ["session.signed_out", "two"],
    ],
  );
  await keepSession(database, masterKey, { platform: "example", name: "two", text: page.signIn("two") });
  await sessions.refresh();
  assert.equal(platform.missing, null);
  assert.equal((await ask(platform, "And now?")).kind, "answered");
  const other = new MasterKey(randomBytes(32));
  await assert.rejects(
    holdSession(database, other, { platform: "example", forMs: 1, limitsOf: () => ({}) }),
    /master key/,
  );
});
