/** What an answer of the example page is made of. */
import assert from "node:assert/strict";
import { after, suite, test } from "node:test";
import { mergeCards, readCards } from "../../../src/answers/index.ts";
import type { BrowserPool } from "../../../src/browser/index.ts";
import { testPool } from "../../harness/browser.ts";
import { examplePage, platformOf, result } from "./fixture.ts";

const { pool } = testPool({ after });
const page = await examplePage();

const platform = (query = "", own: BrowserPool = pool) => platformOf(page.loaded(query), own);

suite("an answer of a web page", { concurrency: 2 }, () => {
  test("has its text, cards where they stood, sources, search and model", async () => {
    const {
      content,
      sources,
      products,
      videos,
      searchProcess,
      modelVersion,
      availability,
      pageHtml,
      provenance,
      ...more
    } = await result(platform(), "How fine should I grind?");
    assert.equal(
      content,
      `## An example answer

You asked: _How fine should I grind?_

Grind **finer** when the shot runs fast, coarser when it runs slow.

> **product** · [Burr grinder](https://shop.example/p/1 "card 1")
>
> ![Burr grinder](${page.address}picture.svg)
>
> **129.00 EUR** · Example shop · Conical burrs · Quiet

1. Weigh the beans.
2. Start at a middle setting.
3. Change one thing at a time.

| Setting | Seconds |
| ------- | ------- |
| 8       | 22      |
| 7       | 28      |

> **video** · [Dialing in](https://video.example/watch/7 "card 2")
>
> ![Dialing in](${page.address}picture.svg)
>
> A barista · 12:30

\`\`\`python
def ratio(dose, shot):
    return shot / dose
\`\`\`

That is the end of the answer.`,
    );
    assert.deepEqual(
      sources.map(({ title, url, site, summary }) => [title, url, site, summary]),
      [1, 2, 3].map((n) => [
        `Source ${n}`,
        `https://source${n}.example/page?utm_source=assistant`,
        `Site ${n}`,
        `What source ${n} says.`,
      ]),
    );
    assert.equal(products[0]?.mallProductId, "p1");
    assert.equal(videos[0]?.videoId, "7");
    assert.equal(searchProcess?.[0]?.query, "how to How");
    assert.deepEqual(
      searchProcess[0].results.map(({ title }) => title),
      ["Source 1", "Source 2"],
    );
    assert.equal(modelVersion, "example-2");
    assert.equal(availability.reasoningProcess, "not_requested");
    assert.equal(provenance.endpoint, page.address);
    assert.ok(pageHtml?.includes("That is the end of the answer."));
    assert.ok(!/<script|onclick|type="hidden"/.test(pageHtml ?? ""));
    assert.deepEqual(
      mergeCards({ products, videos, media: more.media }).map(({ card }) => card.title),
      readCards(content ?? "").map(({ title }) => title),
    );
  });

  test("is read again from what was stored, the same, without a browser", async () => {
    const asked = platform();
    const { outcome } = await result(asked, "sources=5");
    assert.ok(outcome.raw !== null);
    const again = await asked.reread?.(
      outcome.raw,
      {
        taskId: "task",
        text: "sources=5",
        options: { deepAnalysis: false, output: "answer", resultFormat: "all" },
        attempt: 1,
      },
      outcome.answer.observedAt,
    );
    assert.ok(again?.kind === "answered");
    assert.deepEqual(again.answer, outcome.answer);
  });

  test("deep analysis is turned on when asked for, and off when not", async () => {
    const deep = await result(platform(), "Why?", { options: { deepAnalysis: true } });
    assert.equal(deep.modelVersion, "example-2-deep");
    assert.deepEqual(
      deep.reasoningProcess?.map(({ text }) => text),
      ["First I looked at the grinder.", "Then at the time of the shot."],
    );
  });
});
