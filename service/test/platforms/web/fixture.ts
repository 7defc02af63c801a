import { once } from "node:events";
import { createServer, type RequestListener } from "node:http";
import type { AddressInfo } from "node:net";
import { after } from "node:test";
import { join } from "node:path";
import { composeResult } from "../../../src/answers/index.ts";
import {
  loadRecipe,
  webPlatform,
  type LoadedRecipe,
  type Outcome,
  type Platform,
  type PlatformQuestion,
  type WebPlatformDeps,
} from "../../../src/platforms/index.ts";
import type { BrowserPool } from "../../../src/browser/index.ts";
import { startAssistantPage } from "../../../src/platforms/web/assistant-page/server.mjs";

export const recipeFile = join(import.meta.dirname, "../../../src/platforms/web/assistant-page/recipe.yaml");

export interface ExamplePage {
  readonly address: string;
  /** Questions that reached it so far. */
  asked(): number;
  /** Its recipe, pointed at it; `query` turns knobs on when the page is opened. */
  loaded(query?: string): LoadedRecipe;
}

/** Serves a page of the test's own, until the test or file that calls this ends. Returns the port. */
export async function servePage(listener: RequestListener): Promise<number> {
  const server = createServer(listener);
  after(() => {
    server.close();
    server.closeAllConnections();
  });
  await once(server.listen(0, "127.0.0.1"), "listening");
  return (server.address() as AddressInfo).port;
}

/** The example page, until the test or file that calls this ends. A hook that calls it would end at once. */
export async function examplePage(): Promise<ExamplePage> {
  const page = await startAssistantPage({ port: 0 });
  after(() => page.close());
  return {
    address: page.address,
    asked: page.asked,
    loaded(query = "") {
      const loaded = loadRecipe(recipeFile);
      return { ...loaded, recipe: { ...loaded.recipe, entry: `${page.address}${query}` } };
    },
  };
}

const options = { deepAnalysis: false, output: "answer", resultFormat: "all" } as const;

export function platformOf(
  loaded: LoadedRecipe,
  pool: BrowserPool,
  told: Pick<WebPlatformDeps, "evidence" | "onDriven" | "onEvidenceMissing" | "onReport" | "sessions"> = {},
): Platform {
  return webPlatform({ code: "example", loaded, pool, missing: null, ...told });
}

export function ask(
  platform: Platform,
  text: string,
  more: { budgetMs?: number; signal?: AbortSignal; options?: Partial<PlatformQuestion["options"]> } = {},
): Promise<Outcome> {
  return platform.ask(
    { taskId: "task", text, options: { ...options, ...more.options }, attempt: 1 },
    { signal: more.signal ?? new AbortController().signal, runBudgetMs: more.budgetMs ?? 600_000 },
  );
}

export async function result(platform: Platform, text: string, more: Parameters<typeof ask>[2] = {}) {
  const outcome = await ask(platform, text, more);
  if (outcome.kind !== "answered") throw new Error(`not answered: ${JSON.stringify(outcome)}`);
  return { outcome, ...composeResult(outcome.answer, platform, { ...options, ...more.options }) };
}
