import assert from "node:assert/strict";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { mkdirSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import type { Page } from "playwright-core";
import { composeResult, fontPath } from "../../src/answers/index.ts";
import { renderPage } from "../../src/answers/page/render-page.ts";
import { screenshotter, type Contexts } from "../../src/artifacts/screenshot.ts";
import { answer, apiPlatform, markdown, options, product } from "../answers/answers.ts";
import { testPool } from "../harness/browser.ts";

const pageOf = (text: string, question = "How fine?") =>
  renderPage(
    {
      taskId: "01a1fe2b-2faa-7230-b56a-51692740303c",
      question,
      platformName: "Example",
      options,
      result: composeResult(answer({ parts: [markdown(text), product()] }), apiPlatform, options),
    },
    { plain: false },
  );
const patience = () => AbortSignal.timeout(600_000);

test("a picture shows the whole page, in the same size every time", async (t) => {
  const { pool } = testPool(t);
  const screenshot = screenshotter(pool, fontPath);
  const [short, again, long] = await Promise.all(
    [pageOf("Short."), pageOf("Short."), pageOf("A paragraph.\n\n".repeat(50))].map((html) =>
      screenshot(html, patience()),
    ),
  );
  assert.deepEqual(sizeOf(short), sizeOf(again));
  assert.equal(sizeOf(short).width, 1470);
  assert.ok(sizeOf(long).height > sizeOf(short).height + 1500);
});

test("the picture of a very long answer ends at a bounded height, and is no larger than can be kept", async (t) => {
  const { pool } = testPool(t);
  const picture = await screenshotter(pool, fontPath)(pageOf("A paragraph.\n\n".repeat(5000)), patience());
  assert.deepEqual(sizeOf(picture), { width: 1470, height: 15_000 });
  assert.ok(picture.byteLength < 8_000_000);
  keep("long", picture);
});

test("wide tables and long lines of code are in the picture, to their end", async (t) => {
  const { pool } = testPool(t);
  const cell = "several words of a cell";
  const row = (text: string) => `| ${Array.from({ length: 8 }, () => text).join(" | ")} |\n`;
  const code = `\`\`\`\nx = ${"a_long_name + ".repeat(30)}\n\`\`\``;
  const wide = `${row("A heading of some length")}${row("---")}${row(cell)}${row("22")}\n${code}`;
  let hidden: unknown;
  const looking: Contexts = {
    withContext: (signal, needs, work) =>
      pool.withContext(signal, needs, async (guarded) => {
        const picture = await work(guarded);
        hidden = await guarded.context.pages()[0]?.locator(".table, pre").evaluateAll(hiddenWidths);
        return picture;
      }),
  };
  keep("wide", await screenshotter(looking, fontPath)(pageOf(wide), patience()));
  assert.deepEqual(hidden, [0, 0]);
});

test("every letter of Chinese, Japanese, Korean, Arabic, Hebrew, Thai, and every emoji, is drawn with a font of ours", async (t) => {
  const { pool } = testPool(t);
  const texts: Record<string, string> = {
    "Noto Sans": "Grind fine, Привет, Γειά, Tiếng Việt, हिन्दी",
    "Noto Sans SC": "研磨度应该比食盐略细臺灣憂鬱龘",
    "Noto Sans JP": "ひらがなカタカナ",
    "Noto Sans KR": "얼마나곱게갈아야하나요",
    "Noto Sans Arabic": "درجةطحنالقهوة",
    "Noto Sans Hebrew": "דרגתטחינה",
    "Noto Sans Thai": "บดละเอียดแค่ไหน",
    "Noto Color Emoji": "😀🔥🇯🇵✅👨‍👩‍👧‍👦🏳️‍🌈",
  };
  const drawn: string[][] = [];
  const looking: Contexts = {
    withContext: (signal, needs, work) =>
      pool.withContext(signal, needs, async (guarded) => {
        const picture = await work(guarded);
        const [page] = guarded.context.pages();
        assert.ok(page !== undefined);
        drawn.push(...(await fontsOfParagraphs(page)));
        return picture;
      }),
  };
  const picture = await screenshotter(looking, fontPath)(pageOf(Object.values(texts).join("\n\n")), patience());
  keep("letters", picture);
  assert.equal(drawn.length, Object.keys(texts).length);
  for (const [index, family] of Object.keys(texts).entries()) {
    // Where two languages share a character, the page has the shape of its own.
    assert.ok(drawn[index]?.includes(family), `${family}: ${drawn[index]?.join(", ")}`);
    assert.deepEqual(
      drawn[index]?.filter((name) => !name.startsWith("Noto ")),
      [],
    );
  }
});

test("a page reaches nothing, whatever is in it: no script runs and no request leaves", async (t) => {
  let asked = 0;
  const server = createServer((_request, response) => {
    asked += 1;
    response.end();
  });
  await new Promise<void>((resolve) => server.listen(0, "127.0.0.1", resolve));
  t.after(() => server.close());
  const { pool } = testPool(t);
  const address = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
  // Not a page that we draw: one that somebody would have smuggled everything into.
  const html = `<!doctype html><title>x</title><link rel="stylesheet" href="${address}"><img src="${address}"><iframe src="${address}"></iframe>
    <style>@font-face{font-family:x;src:url(${address})}body{font-family:x;background:url(${address})}</style>
    <meta http-equiv="refresh" content="0;url=${address}">
    <script>document.body.style.height = "5000px"; fetch("${address}"); new WebSocket("${address.replace("http", "ws")}")</script>text`;
  const picture = await screenshotter(pool, fontPath)(html, patience()).catch(() => null);
  assert.equal(asked, 0);
  if (picture !== null) assert.ok(sizeOf(picture).height < 5000);
});

test("a picture that is called off ends at once, and its context with it", async (t) => {
  const { pool } = testPool(t);
  const screenshot = screenshotter(pool, fontPath);
  await screenshot(pageOf("x"), patience());
  const controller = new AbortController();
  const taken = screenshot(pageOf("x"), controller.signal);
  controller.abort(new Error("canceled"));
  await assert.rejects(taken, /canceled/);
  assert.equal(pool.inUse, 0);
});

/** Width and height of a PNG. */
function sizeOf(png: Uint8Array | undefined): { width: number; height: number } {
  const bytes = Buffer.from(png ?? []);
  assert.equal(bytes.subarray(1, 4).toString(), "PNG");
  return { width: bytes.readUInt32BE(16), height: bytes.readUInt32BE(20) };
}

/** The fonts with which the letters of each paragraph were drawn; those that did not come from us are marked. */
async function fontsOfParagraphs(page: Page): Promise<string[][]> {
  const devtools = await page.context().newCDPSession(page);
  await devtools.send("DOM.enable");
  await devtools.send("CSS.enable");
  const { root } = await devtools.send("DOM.getDocument");
  const { nodeIds } = await devtools.send("DOM.querySelectorAll", { nodeId: root.nodeId, selector: "article > p" });
  const families: string[][] = [];
  for (const nodeId of nodeIds) {
    const { fonts } = await devtools.send("CSS.getPlatformFontsForNode", { nodeId });
    families.push([
      ...new Set(fonts.map((font) => (font.isCustomFont ? "" : "installed: ") + font.familyName.replace(/ Thin$/, ""))),
    ]);
  }
  return families;
}

/** Pictures are kept for people to look at, where a folder is named for them. */
function keep(name: string, picture: Uint8Array): void {
  const folder = process.env["PICTURES"];
  if (folder === undefined) return;
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, `${name}.png`), picture);
}

/** How much of each element can only be scrolled to. Runs in the page. */
const hiddenWidths = (elements: { scrollWidth: number; clientWidth: number }[]) =>
  elements.map(({ scrollWidth, clientWidth }) => scrollWidth - clientWidth);
