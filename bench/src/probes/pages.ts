/**
 * Web pages per minute, and the memory of the browser meanwhile, compared with a plain Playwright loop that performs the same steps in the same browser on the same page: open, fill,
 * send, wait for the complete answer by the same rule, expand the sources, read. The service adds a queue, a database, a proxy for each
 * context, captures and their parsing.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { chromium, type Browser } from "playwright-core";
import { unpack } from "../../../service/src/browser/bundled-chromium.ts";
import { findBrowsers } from "../../../service/src/browser/index.ts";
import { startAssistantPage } from "../../../service/src/platforms/web/assistant-page/server.mjs";
import type { Bench } from "../bench.ts";
import { withBrowserMemory } from "../processes/browser-memory.ts";
import { question, withPageService } from "./page-service.ts";
import type { Line } from "./probe.ts";

const atOnce = 4;

export async function pages(bench: Bench): Promise<Line[]> {
  const count = bench.scale.pages;
  const page = await startAssistantPage({ port: 0 });
  const folder = mkdtempSync(join(tmpdir(), "querent-pages-"));
  try {
    // Alternating, so that other load affects both.
    const bare: Measured[] = [];
    const ours: Measured[] = [];
    for (let round = 0; round < bench.scale.repetitions; round++) {
      bare.push(await bareLoop(page.address, count));
      ours.push(await throughService(bench, page.address, folder, count, round));
    }
    return [
      line(`web pages per minute, ${atOnce} concurrent`, [ours, bare], ({ pace }) => pace, "0.95 x bare"),
      line(
        `browser's memory in MiB, ${atOnce} concurrent pages`,
        [ours, bare],
        ({ bytes }) => bytes / 2 ** 20,
        "at most 1.15 x bare",
      ),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await page.close();
  }
}

interface Measured {
  /** Pages per minute. */
  readonly pace: number;
  /** The memory of the browser's processes, in the mean of the run. */
  readonly bytes: number;
}

function line(
  what: string,
  [ours, bare]: readonly [readonly Measured[], readonly Measured[]],
  of: (run: Measured) => number,
  target: string,
): Line {
  const [own, other] = [median(ours.map(of)), median(bare.map(of))];
  return {
    what,
    figure: `${own.toFixed(0)} (bare loop ${other.toFixed(0)})`,
    ratio: `${(own / other).toFixed(2)} x bare`,
    target,
  };
}

/** Runs the pages, and measures. */
async function measure(count: number, run: () => Promise<void>): Promise<Measured> {
  const started = performance.now();
  const { bytes } = await withBrowserMemory(run);
  return { pace: count / ((performance.now() - started) / 60_000), bytes: bytes ?? Number.NaN };
}

async function throughService(
  bench: Bench,
  address: string,
  folder: string,
  count: number,
  round: number,
): Promise<Measured> {
  const input = { name: `pages_${round}`, address, folder, atOnce };
  return withPageService(bench, input, async ({ ask }) => {
    // The browser starts with the first question, which is not measured.
    await ask(1);
    return measure(count, () => ask(count));
  });
}

async function bareLoop(address: string, count: number): Promise<Measured> {
  const browser = await launchBare();
  try {
    await ask(browser, address);
    let left = count;
    return await measure(count, async () => {
      await Promise.all(
        Array.from({ length: atOnce }, async () => {
          while (left-- > 0) await ask(browser, address);
        }),
      );
    });
  } finally {
    await browser.close();
  }
}

async function ask(browser: Browser, address: string): Promise<void> {
  const context = await browser.newContext({ viewport: { width: 1280, height: 900 } });
  const page = await context.newPage();
  await page.goto(address, { waitUntil: "domcontentloaded" });
  await page.waitForSelector("textarea");
  await page.fill("textarea", question);
  await page.click("button.send");
  let text = "";
  let since = performance.now();
  for (;;) {
    const now =
      (await page
        .locator(".turn.assistant .text")
        .last()
        .textContent()
        .catch(() => "")) ?? "";
    if (now !== text || (await page.locator("button.stop").count()) > 0) {
      text = now;
      since = performance.now();
    } else if (text !== "" && performance.now() - since >= 1200 && (await page.locator("i.done").count()) > 0) break;
    await page.waitForTimeout(300);
  }
  await page.click("button.show-sources");
  await page.waitForSelector(".panel .source");
  const read = await page.evaluate(
    `({ page: document.documentElement.outerHTML, turn: document.querySelector(".turn.assistant:last-child").outerHTML,
        sources: [...document.querySelectorAll(".source a")].map(({ href, textContent }) => ({ href, textContent })) })`,
  );
  if ((read as { sources: unknown[] }).sources.length !== 3) throw new Error("the bare loop read no sources");
  await context.close();
}

/** The service's browser, started by Playwright. */
async function launchBare(): Promise<Browser> {
  const cacheDir = tmpdir();
  const { programs } = await findBrowsers({
    endpoints: [],
    path: process.env["QUERENT_BROWSER_PATH"] ?? null,
    cacheDir,
    contextsMax: null,
    egressAllow: [],
    countryProxies: new Map(),
    proxyHost: "127.0.0.1",
  });
  const program = programs[0];
  if (program === undefined) throw new Error("there is no browser");
  if (!("packed" in program)) return chromium.launch({ executablePath: program.path });
  const { path, folder } = await unpack(program, cacheDir, () => undefined);
  return chromium.launch({ executablePath: path, env: { ...process.env, LD_LIBRARY_PATH: join(folder, "lib") } });
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
