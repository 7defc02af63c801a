import assert from "node:assert/strict";
import { mkdirSync } from "node:fs";
import { after } from "node:test";
import { join } from "node:path";
import axe from "axe-core";
import type { Browser, BrowserContext, Page, Request } from "playwright-core";
import { waiting } from "../../../service/test/harness/wait.ts";
import { startTestService, type TestService, type TestServiceOptions } from "../../../service/test/harness/service.ts";
import { launchChromium } from "./chromium.ts";

export interface Visit {
  readonly token?: string;
  readonly width?: number;
  readonly theme?: "light" | "dark";
  readonly language?: "en" | "zh-CN";
  /** The page's clock is the test's: it goes on by itself, and an hour can pass at once. */
  readonly clock?: boolean;
  /** The browser is to refuse what a frame tries, or to lose a request, and says so. */
  readonly refusals?: boolean;
  /** Host names whose requests are answered with a failure instead of being a fault of the page. */
  readonly foreign?: readonly string[];
  /** Another address of the service, as that of a proxy before it. */
  readonly through?: string;
}

export interface TestConsole {
  readonly service: TestService;
  /** A page of a browser that knows nothing yet. With a token it is signed in by what an earlier visit kept. */
  visit(path: string, visit?: Visit): Promise<ConsolePage>;
}

export interface ConsolePage {
  readonly page: Page;
  /** Requests to others than the service, with their addresses. */
  readonly foreign: readonly string[];
  /** Expects that axe finds nothing. */
  expectAccessible(): Promise<void>;
  /** Keeps a picture, where the run was asked for pictures. */
  picture(name: string, options?: { whole?: boolean }): Promise<void>;
  close(): Promise<void>;
}

const pictureFolder = process.env["CONSOLE_PICTURES"];

/** A service, and a browser to look at its console with. */
export async function startTestConsole(options: TestServiceOptions = {}): Promise<TestConsole> {
  let browser: Browser | undefined;
  const contexts = new Set<BrowserContext>();
  // Before the service's own hook: hooks run in the order in which they were set.
  after(async () => {
    for (const context of contexts) {
      await describe(context);
      await context.close();
    }
    await browser?.close();
  });
  const service = await startTestService(options);
  browser = await launchChromium();

  const visit: TestConsole["visit"] = async (path, visit = {}) => {
    const { token, width = 1280, theme = "light", language = "en", through: address = service.address } = visit;
    const context = await browser.newContext({
      viewport: { width, height: width < 600 ? 844 : 860 },
      colorScheme: theme,
      locale: language,
      permissions: ["clipboard-read", "clipboard-write"],
      reducedMotion: "reduce",
      ...(width < 600 ? { deviceScaleFactor: 2, hasTouch: true, isMobile: true } : {}),
    });
    // What never comes is a fault; what comes late is a busy machine.
    context.setDefaultTimeout(180_000 * waiting());
    contexts.add(context);
    if (token !== undefined)
      await context.addInitScript(
        `if (window === top) sessionStorage.setItem("querent.token", ${JSON.stringify(token)})`,
      );
    const page = await context.newPage();
    if (visit.clock === true) await page.clock.install();
    const faults: string[] = [];
    const foreign: string[] = [];
    const noteForeign = (request: Request) => {
      const { origin, protocol } = new URL(request.url());
      if (origin !== address && /^https?:$/.test(protocol)) foreign.push(request.url());
    };
    page.on("requestfinished", noteForeign);
    page.on("requestfailed", (request) => {
      // What the page's own policy forbids was never sent.
      if (request.failure()?.errorText !== "csp") noteForeign(request);
    });
    page.on("pageerror", (error) => faults.push(String(error)));
    page.on("console", (message) => {
      const expected =
        visit.foreign?.some((host) => message.location().url.includes(host)) === true ||
        (visit.refusals === true &&
          /Content Security Policy|sandboxed|Trusted\w+' assignment|net::ERR_(FAILED|CONTENT_LENGTH_MISMATCH)/.test(
            message.text(),
          ));
      // What the service refuses is shown to the person; the browser notes it too.
      const isRefusal = message.text().startsWith("Failed to load resource: the server responded");
      if (message.type() === "error" && !expected && !isRefusal) faults.push(message.text());
    });
    await page.goto(`${address}/console${path}`);
    return {
      page,
      foreign,
      expectAccessible: () => expectAccessible(page),
      picture: async (name, { whole = true } = {}) => {
        if (pictureFolder === undefined) return;
        mkdirSync(pictureFolder, { recursive: true });
        await page.screenshot({ path: join(pictureFolder, `${name}.png`), fullPage: whole });
      },
      close: async () => {
        contexts.delete(context);
        await context.close();
        assert.deepEqual(faults, [], "the page has no errors, and its policy was not broken");
      },
    };
  };
  return { service, visit };
}

/** What a page shows that a failed test has left open: a test that waits in vain says only what for. */
async function describe(context: BrowserContext): Promise<void> {
  for (const page of context.pages()) {
    const text = await page.innerText("body", { timeout: 5000 }).catch(String);
    console.error(`Left open: ${page.url()} ${JSON.stringify(text.slice(0, 3000))}`);
  }
}

interface AxeResult {
  readonly violations: readonly {
    id: string;
    help: string;
    nodes: readonly { html: string; failureSummary?: string }[];
  }[];
}

/** A page that changes whenever it is looked at is judged as it was at the last of these looks. */
const looksMax = 20;

async function expectAccessible(page: Page): Promise<void> {
  await page.evaluate(axe.source);
  let found = await findViolations(page);
  // What was found may be there no more, such as the colours of a button that was becoming usable.
  for (let looks = 1; found.violations.length > 0 && found.changed && looks < looksMax; looks++)
    found = await findViolations(page);
  assert.deepEqual(
    found.violations.map(({ id, help, nodes }) => ({
      id,
      help,
      nodes: nodes.slice(0, 3).map(({ html, failureSummary }) => `${html.slice(0, 200)} ${failureSummary ?? ""}`),
    })),
    [],
  );
}

/** What axe finds once nothing moves, and whether the page changed meanwhile. Evaluated in the page, where axe is. */
const findViolations = (page: Page) =>
  page.evaluate<AxeResult & { changed: boolean }>(`(async () => {
    const moving = () =>
      document.getAnimations().filter(({ effect }) => Number.isFinite(effect?.getComputedTiming().endTime));
    await Promise.allSettled(moving().map(({ finished }) => finished));
    let changed = false;
    const note = (records) => (changed ||= records.length > 0);
    const observed = new MutationObserver(note);
    observed.observe(document, { subtree: true, childList: true, attributes: true, characterData: true });
    const { violations } = await axe.run(document, { resultTypes: ["violations"] });
    note(observed.takeRecords());
    observed.disconnect();
    return { violations, changed: changed || moving().length > 0 };
  })()`);
