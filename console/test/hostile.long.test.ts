/** Answers that try to run scripts, load pictures or break the layout of the console. */
import assert from "node:assert/strict";
import { suite, test } from "node:test";
import type { StoredResult } from "@querent/contract";
import { noBrowser } from "./harness/chromium.ts";
import { startTestConsole } from "./harness/console.ts";
import { views } from "./harness/views.ts";

const script = `"><script>window.broken = 1</script><img src=x onerror="window.broken = 1">`;
const dangerous = [
  "javascript:window.broken=1",
  "data:text/html,<script>parent.broken=1</script>",
  "vbscript:x",
  "file:///etc/passwd",
];
const rightToLeft = "‮مرحبا بالعالم\u2066 hidden";
const endless = "W".repeat(4000);

/** A result as no platform of good will would give it, past every check that stands before it is stored. */
const hostile: Partial<StoredResult> = {
  content: [
    `# ${script}`,
    `<iframe src="https://evil.example"></iframe><style>body{display:none}</style>`,
    ...dangerous.map((address) => `[click me](<${address}>) ![picture](<${address}>)`),
    `![beacon](https://evil.example/pixel.gif)`,
    `> **product** · [Not the card's](https://evil.example "card 1")`,
    `> **video** · [No such card](https://evil.example "card 99")`,
    `${"> ".repeat(500)}deep`,
    `${"*".repeat(1000)}a${"*".repeat(1000)}`,
    endless,
    rightToLeft,
  ].join("\n\n"),
  sources: [...dangerous, "https://evil.example/?<script>", "not an address"].map((url) => ({
    title: script,
    url,
    summary: endless,
    site: rightToLeft,
    publishedAt: null,
  })),
  products: dangerous.map((url, index) => ({
    position: index + 1,
    title: script,
    url,
    urlType: "app_deep_link" as const,
    deepLink: url,
    trackingUrl: "https://evil.example/track",
    fallbackUrl: url,
    thumbnail: index === 0 ? "https://evil.example/broken.png" : url,
    mall: endless.slice(0, 500),
    mallPlatform: script,
    mallProductId: "1",
    skuId: "",
    shopId: "",
    price: script,
    priceUnit: rightToLeft,
    sales: script,
    sellingPoints: [script, rightToLeft, script],
  })),
  videos: [
    {
      position: 5,
      title: endless,
      url: dangerous[0] ?? "",
      cover: dangerous[1] ?? null,
      author: script,
      duration: script,
      videoId: null,
      videoPlatform: script,
    },
  ],
  media: [{ position: 6, mediaType: script, title: null, url: dangerous[0] ?? null, thumbnail: null, content: script }],
  reasoningProcess: [{ position: 1, text: script + endless }],
  searchProcess: [
    { position: 1, query: script, results: dangerous.map((url) => ({ title: script, url, site: script })) },
  ],
  pageHtml: `<!doctype html><title>x</title><meta http-equiv="refresh" content="0;url=https://evil.example/refresh"><link rel=stylesheet href="https://evil.example/a.css"><img src="https://evil.example/b.png"><script>parent.broken = 1; top.location = "https://evil.example"</script><form action="https://evil.example"><button>Send</button></form><h1>Readable</h1>${script}`,
};

suite("hostile content", { skip: noBrowser }, async () => {
  const { service, visit } = await startTestConsole();
  const account = await service.account();
  const { tasks, batchId } = await account.submit(
    ["simulator", "sample"].map((platformCode) => ({
      question: `${script} ${rightToLeft}`,
      platformCode,
      options: {},
      tags: [script.slice(0, 64)],
      clientReference: endless.slice(0, 255),
    })),
  );
  const taskIds = tasks.map(({ taskId }) => taskId);
  const [taskId = ""] = taskIds;
  for (const id of taskIds) await account.ended(id);
  await service.database.query(
    "update task_results set result = (result::jsonb || $2::jsonb)::json where task_id = any($1::uuid[])",
    [taskIds, JSON.stringify(hostile)],
  );
  const brands = encodeURIComponent([script, "evil", "(", rightToLeft, endless].join(","));

  for (const path of [
    "",
    `/tasks/${taskId}`,
    ...["steps", "page", "json", "timeline"].map((part) => `/tasks/${taskId}?part=${part}`),
    "/batches",
    `/batches/${batchId}?brands=${brands}`,
    `/batches/${batchId}?row=1&without=none&brands=${brands}`,
  ]) {
    test(`is shown, runs nothing and asks nobody: ${path.replace(taskId, "…").replace(batchId, "…").slice(0, 40) || "/"}`, async () => {
      for (const view of [views[0], views[3]]) {
        const { page, foreign, expectAccessible, picture, close } = await visit(path, {
          token: account.token,
          refusals: path.endsWith("page"),
          ...view,
        });
        await page
          .locator("main :is([data-task], [data-batch], [data-answer], figure, table, nav ~ *)")
          .first()
          .waitFor();
        if (path.includes("row=")) await page.locator("[aria-labelledby=shared-title] table").waitFor();
        if (path.endsWith("page"))
          await page.frameLocator("iframe").getByRole("heading", { name: "Readable" }).waitFor();
        assert.equal(await page.evaluate("window.broken"), undefined);
        assert.deepEqual(foreign, []);
        assert.equal(new URL(page.url()).pathname, `/console${path.split("?")[0] ?? ""}`);
        const hrefs = await page.evaluate<string[]>(
          "[...document.querySelectorAll('a[href]')].map((link) => link.protocol)",
        );
        assert.deepEqual(
          hrefs.filter((protocol) => !["http:", "https:"].includes(protocol)),
          [],
        );
        assert.equal(
          await page.evaluate("document.documentElement.scrollWidth <= window.innerWidth"),
          true,
          "nothing is wider than the window",
        );
        await expectAccessible();
        const [name = "list"] = /(?<=part=)\w+|row|brands/.exec(path) ?? /batches|tasks/.exec(path) ?? [];
        await picture(`hostile-${name}-${view.width}`, { whole: false });
        await close();
      }
    });
  }

  test("pictures that were asked for come by https alone, and broken ones leave a place", async () => {
    const { page, foreign, close } = await visit(`/tasks/${taskId}`, {
      token: account.token,
      foreign: ["evil.example"],
    });
    await page.getByRole("button", { name: "Load images from 1 site" }).click();
    await page.locator("[data-broken=true]").first().waitFor();
    assert.deepEqual([...new Set(foreign.map((address) => new URL(address).origin))], ["https://evil.example"]);
    assert.equal(await page.evaluate("window.broken"), undefined);
    await close();
  });
});
