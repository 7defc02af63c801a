import type { BrowserPool } from "../../browser/index.ts";
import type { PageEvidenceKind } from "@querent/contract";
import { optionSupport } from "../option-support.ts";
import type { Platform, PlatformQuestion, ReturnedField } from "../platform.ts";
import { describeSetUp, setUps } from "../set-up.ts";
import type { DriveReport } from "./drive/drive-report.ts";
import type { LoadedRecipe } from "./recipe/load-recipe.ts";
import { askWithSession, type PageSessions, sessionFileCheck } from "./drive/page-sessions.ts";
import type { Recipe } from "./recipe/recipe.ts";
import type { PageSnapshots } from "./page/snapshots.ts";

export interface WebPlatformDeps {
  readonly code: string;
  readonly loaded: LoadedRecipe;
  readonly pool: Pick<BrowserPool, "withContext">;
  /** The countries from which its page can be visited. */
  readonly countries?: readonly string[];
  /** What is missing besides the session; null: nothing. */
  readonly missing: string | null;
  /** The stored sessions that it is asked with. Without: the session's file, which is only read. */
  readonly sessions?: PageSessions;
  /** True: it is asked only while a session is stored, because the operator has not enabled it otherwise. */
  readonly needsSession?: boolean;
  /** Serves the page in this process, and returns its port. Absent: the page is on the network. */
  readonly serve?: () => Promise<number>;
  /** Whether a question to which the page has no answer is free. */
  readonly freeWithoutAnswer?: boolean;
  /** What is kept as evidence besides the page's HTML. */
  readonly evidence?: readonly PageEvidenceKind[];
  /** Called after every drive with the snapshots, and whether the answer was complete. */
  readonly onDriven?: (driven: PageSnapshots, question: PlatformQuestion, failed: boolean) => void;
  /** Called for each file of the evidence that an answer lacks. */
  readonly onEvidenceMissing?: (missing: MissingEvidence, question: PlatformQuestion) => void;
  /** Called with the report of a drive about its recipe. */
  readonly onReport?: (report: DriveReport) => void;
}

export interface MissingEvidence {
  readonly kind: PageEvidenceKind;
  readonly why: string;
  readonly cause: unknown;
}

const runMsDefault = 300_000;

/** An assistant's web page, operated and read according to a recipe. */
export function webPlatform(deps: WebPlatformDeps): Platform {
  const { code, loaded, countries = [], missing, sessions, needsSession = false } = deps;
  const { recipe } = loaded;
  const support = pageSupport(countries);
  const sessionFault = loaded.storageState === null ? () => null : sessionFileCheck(loaded.storageState);
  return {
    code,
    name: recipe.name,
    kind: "web",
    recipeDigest: loaded.sha256,
    returns: returnsOf(recipe),
    recipe: recipeStatus(recipe),
    outputs: ["answer"],
    resultFormats: ["json", "html", "all"],
    options: support,
    get missing() {
      if (missing !== null) return missing;
      const stored = sessions?.missing();
      if (stored !== undefined) return stored;
      return needsSession ? describeSetUp(setUps.page(code)) : sessionFault();
    },
    get setUp() {
      if (typeof sessions?.missing() === "string") return setUps.signedOut(code);
      return needsSession ? setUps.page(code) : setUps.other;
    },

    async ask(question, given) {
      if (needsSession && (await sessions?.stored()) !== true) {
        const { reason: message } = setUps.page(code);
        return { kind: "permanent", code: "platform_not_configured", stage: "platform", message, platformStatus: null };
      }
      const { askPage } = await import("./ask-page.ts");
      const context = { ...given, runBudgetMs: given.runBudgetMs ?? runMsDefault };
      const { signal, requester, runBudgetMs: runMs } = context;
      if (sessions === undefined) return (await askPage(deps, support, question, context, null)).outcome;
      return askWithSession(sessions, { signal, runMs, ...(requester && { requester }) }, (state) =>
        askPage(deps, support, question, context, state),
      );
    },

    async reread(raw, _question, _observedAt) {
      const { rereadPage } = await import("./ask-page.ts");
      return rereadPage(recipe, raw);
    },
  };
}

/** The fields that a recipe can read. */
function returnsOf(recipe: Recipe): Readonly<Record<ReturnedField, boolean>> {
  const rules = recipe.extract ?? {};
  return {
    sources: rules.sources !== undefined,
    products: rules.products !== undefined,
    videos: rules.videos !== undefined,
    media: rules.media !== undefined,
    reasoningProcess: rules.reasoning !== undefined,
    searchProcess: rules.search !== undefined,
    pageHtml: true,
  };
}

/** How far the recipe is known to match the page. */
function recipeStatus({ verified, checked }: Recipe): NonNullable<Platform["recipe"]> {
  if (checked === undefined) return { status: verified ? "checked_live" : "unchecked", checkedOn: null };
  return { status: checked.how === "live" ? "checked_live" : "from_source", checkedOn: checked.on };
}

/**
 * A page is told a language, a time zone and a position. From which country it is visited, it sees by itself: that is supported
 * only where the operator has a proxy.
 */
function pageSupport(countries: readonly string[]) {
  return optionSupport(
    {
      language: "native",
      location: "native",
      ...(countries.length === 0 ? {} : { country: "native" }),
    },
    { country: [...countries], location: ["latitude", "longitude"] },
  );
}
