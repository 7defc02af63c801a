/** Pages that load anew, never rest or never end while they answer. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { testPool } from "../../harness/browser.ts";
import { platformOf, result } from "./fixture.ts";
import { smallPage } from "./small-page.ts";

const { pool } = testPool({ after });

suite("a page that", { concurrency: true }, () => {
  test("loads itself anew for longer than an answer may stay unseen is read when it shows its answer again", async () => {
    const turn = `<div class="turn"><div class="text">Answer.</div><i class="done">·</i></div>`;
    const page = {
      html: `<script>
        const again = () => {
          sessionStorage.loads = Number(sessionStorage.loads ?? 0) + 1;
          if (sessionStorage.loads < 10) setTimeout(() => location.reload(), 1500);
          else document.querySelector("main").innerHTML = ${JSON.stringify(turn).replaceAll("</", "<\\/")};
        };
        if (sessionStorage.loads) addEventListener("DOMContentLoaded", again);
      </script>`,
      script: "main.replaceChildren(); again();",
    };
    const loaded = await smallPage(page, "complete: { done: .done, startSeconds: 600 }");
    const { content } = await result(platformOf(loaded, pool), "Why?");
    assert.equal(content, "Answer.");
  });

  test("changes what the recipe drops forever is complete when the rest does not change", async () => {
    const loaded = await smallPage(
      {
        script: `const age = turn.appendChild(document.createElement("small"));
          let seconds = 0;
          setInterval(() => (age.textContent = seconds++ + " s ago"), 200);`,
      },
      "rewrite: { drop: small }",
    );
    const { content } = await result(platformOf(loaded, pool), "Why?");
    assert.equal(content, "Answer.");
  });

  test("has a script that never ends fails when the time is over, and not later", async () => {
    const loaded = await smallPage({ script: "for (;;);" });
    const outcome = await platformOf(loaded, pool).ask(
      {
        taskId: "t",
        text: "Why?",
        options: { deepAnalysis: false, output: "answer", resultFormat: "json" },
        attempt: 1,
      },
      { signal: new AbortController().signal, runBudgetMs: 10_000 },
    );
    assert.equal(outcome.kind, "retryable");
    assert.equal(outcome.code, "platform_timeout");
  });
});
