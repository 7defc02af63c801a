/** What ends a task, and what only sounds like it. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { testPool } from "../../harness/browser.ts";
import { ask, platformOf, result } from "./fixture.ts";
import { smallPage, type SmallPage } from "./small-page.ts";

const { pool } = testPool({ after });
const closedRegion = `blockers:
  - { name: closed region, text: "not available in your country", failure: platform_refused }`;
const asked = async (page: SmallPage, changes: string, question = "Why?") =>
  ask(platformOf(await smallPage(page, changes), pool), question);

suite("a blocker", { concurrency: 2 }, () => {
  test("does not see the question, the answer or the conversation's title", async () => {
    const question = "Is Hulu not available in your country?";
    const page = {
      turn: `<p>${question} It is not available in your country.</p>`,
      script: `document.querySelector("nav").innerHTML = "<a href='/c/1'>Hulu not available in your country</a>";`,
    };
    const { content } = await result(platformOf(await smallPage(page, closedRegion), pool), question);
    assert.match(content ?? "", /It is not available in your country\.$/);
  });

  test("quotes the page's words", async () => {
    const page = { html: `<section><h1>Sorry</h1><p>This app is  not available in your country yet.</p></section>` };
    const outcome = await asked(page, closedRegion);
    assert.ok(outcome.kind === "permanent" && outcome.code === "platform_refused", JSON.stringify(outcome));
    assert.equal(
      outcome.message,
      'The page stopped at: closed region. The page says: "This app is not available in your country yet."',
    );
  });

  test("looks into the assistant's turns, or only there, if it is told to", async () => {
    const inTurn = { turn: `<p>Half an ans</p><p class="error">Something went wrong.</p>` };
    const outside = { html: `<p class="error">Something went wrong.</p>` };
    const rule = (where: string) => `blockers:
  - { name: fault, visible: .error, in: ${where}, failure: platform_unavailable }`;
    for (const [page, where, kind] of [
      [inTurn, "turn", "retryable"],
      [inTurn, "page", "retryable"],
      [inTurn, "outside", "answered"],
      [outside, "turn", "answered"],
      [outside, "outside", "retryable"],
    ] as const)
      assert.equal((await asked(page, rule(where))).kind, kind, where);
  });

  test("with an exception by status does not apply to a response of that status", async () => {
    const page = { html: `<p class="error">Something went wrong.</p>` };
    const rule = (status: number) => `blockers:
  - { name: fault, visible: .error, exceptStatus: [${status}], failure: platform_unavailable }`;
    assert.equal((await asked(page, rule(200))).kind, "answered");
    assert.equal((await asked(page, rule(201))).kind, "retryable");
  });

  test("by the status 403 waits whether the page lets the visitor in by itself", async () => {
    const blockers = `blockers:
  - { name: human check, text: Checking your browser, failure: platform_human_check }`;
    assert.equal((await asked({ statuses: [403, 403, 200] }, blockers)).kind, "answered");
  });
});

test("a human check sets the session aside for a person, and the task is asked again with another one", async () => {
  const ends: object[] = [];
  const release = async (end: object) => void ends.push(end);
  const sessions = {
    missing: () => null,
    stored: async () => true,
    hold: async () => ({ kind: "held" as const, state: {}, release }),
  };
  const loaded = await smallPage(
    { html: "<div id=check>Are you human?</div>" },
    "blockers: [{ name: check, visible: '#check', failure: platform_human_check, message: A human is asked for. }]",
  );
  const outcome = await ask(platformOf(loaded, pool, { sessions }), "Why?");
  assert.equal(outcome.kind, "lost");
  assert.deepEqual(ends, [{ kind: "needs_person", why: 'A human is asked for. The page says: "Are you human?"' }]);
});
