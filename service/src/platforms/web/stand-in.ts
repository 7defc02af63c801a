/** An example page of this service, which answers in place of an assistant's page until the operator has set that up. */
import type { PageEvidenceKind } from "@querent/contract";
import type { BrowserPool } from "../../browser/index.ts";
import type { Platform } from "../platform.ts";
import { setUps } from "../set-up.ts";
import { loadExampleRecipe } from "./recipe/load-recipe.ts";
import type { PageSessions } from "./drive/page-sessions.ts";
import { webPlatform } from "./web-platform.ts";

/** The page, on a port of 127.0.0.1 that is opened for the first question. Other hosts than those of stand-ins get no answer. */
export class StandInPage {
  #page: Promise<{ readonly port: number; close(): Promise<void> }> | undefined;

  async port(): Promise<number> {
    this.#page ??= this.#start();
    return (await this.#page).port;
  }

  async close(): Promise<void> {
    const page = this.#page;
    this.#page = undefined;
    await page?.then((started) => started.close());
  }

  async #start() {
    const { startAssistantPage } = await import("./assistant-page/server.mjs");
    try {
      return await startAssistantPage({ port: 0, standInFor: standInPlatform });
    } catch (error) {
      // The next question tries again.
      this.#page = undefined;
      throw error;
    }
  }
}

interface StandInDeps {
  readonly page: StandInPage;
  readonly pool: Pick<BrowserPool, "withContext">;
  readonly countries: readonly string[];
  readonly missing: string | null;
  readonly sessions: PageSessions | undefined;
  readonly evidence: readonly PageEvidenceKind[];
}

/** `real`, and while no session of it is stored, the example page in its place. It is asked and read as any other page. */
export function withStandIn(real: Platform, { page, sessions, ...deps }: StandInDeps): Platform {
  const { code } = real;
  const example = loadExampleRecipe();
  const recipe = { ...example.recipe, name: `${real.name}: stand-in`, entry: `http://${standInHost(code)}/` };
  const standIn = webPlatform({ ...deps, code, loaded: { ...example, recipe }, serve: () => page.port() });
  const isReal = () => sessions !== undefined && sessions.missing() !== undefined;
  const current = () => (isReal() ? real : standIn);
  return {
    ...standIn,
    get name() {
      return current().name;
    },
    get returns() {
      return current().returns;
    },
    ...(real.recipeDigest !== undefined && { recipeDigest: real.recipeDigest }),
    get missing() {
      return current().missing;
    },
    get setUp() {
      return isReal() ? (real.setUp ?? setUps.other) : setUps.standIn(code);
    },
    get standIn() {
      return !isReal();
    },
    ...(real.recipe && { recipe: real.recipe }),
    ask: async (question, context) => ((await sessions?.stored()) === true ? real : standIn).ask(question, context),
    ...(real.reread && { reread: real.reread }),
  };
}

/** The hosts of stand-ins. No name under `.invalid` exists (RFC 6761), so the page's address says in every record that it is not the assistant's. */
const pattern = /^([a-z0-9][a-z0-9-]{0,63})\.stand-in\.invalid$/;

const standInHost = (code: string): string => `${code}.stand-in.invalid`;

/** The platform in whose place a host answers; undefined: it is no stand-in. */
const standInPlatform = (host: string): string | undefined => pattern.exec(host)?.[1];

/** Whether the page at this address is a stand-in. */
export const isStandIn = (url: string): boolean => standInPlatform(URL.parse(url)?.hostname ?? "") !== undefined;
