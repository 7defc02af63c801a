import { join } from "node:path";
import type { BrowserPool } from "../browser/index.ts";
import { systemClock } from "../kernel/clock.ts";
import {
  apiPlatform,
  bundledCorpusFolder,
  loadBundledRecipe,
  loadExampleRecipe,
  loadRecipe,
  modulePlatform,
  RecipeError,
  samplePlatform,
  setUps,
  simulatorPlatform,
  StandInPage,
  unloadedPlatform,
  webPlatform,
  withStandIn,
  type ApiStep,
  type CorpusProblem,
  type DriveReport,
  type LoadedRecipe,
  type MissingEvidence,
  type Platform,
  type UpstreamFailure,
} from "../platforms/index.ts";
import type { PlatformSessions } from "../sessions/index.ts";
import type { StoredSetups } from "../setups/index.ts";
import type { ApiSettings } from "./api-settings.ts";
import { createBrowserPool, whyNoBrowser } from "./browsers.ts";
import { ConfigError, type Config } from "./config.ts";
import { withSecretFiles } from "./config/read-secret.ts";
import type { PlatformSettings, WebSettings } from "./platform-settings.ts";
import { mkdirSync, readdirSync, rmSync, writeFileSync } from "node:fs";
import { gzipSync } from "node:zlib";

interface PlatformDeps {
  readonly config: Config;
  readonly settings: ReadonlyMap<string, PlatformSettings>;
  /** The variables that contain the keys, by the names in the settings. */
  readonly environment: Readonly<Record<string, string | undefined>>;
  readonly browsers: Pick<BrowserPool, "withContext">;
  /** Why no browser is usable; null if one is. */
  readonly noBrowser: string | null;
  readonly onSampleProblem: (problem: CorpusProblem) => void;
  /** Called with a platform whose recipe or module cannot be loaded. */
  readonly onUnloaded?: (code: string, why: string) => void;
  readonly onApiStep?: (step: ApiStep) => void;
  readonly onUpstreamFailed?: (failure: UpstreamFailure) => void;
  readonly onDriveReport?: (code: string, report: DriveReport) => void;
  readonly onEvidenceMissing?: (code: string, taskId: string, missing: MissingEvidence) => void;
  /** The stored sessions of web platforms. Without: session files are only read. */
  readonly sessions?: PlatformSessions | null;
  /** The keys that administrators have stored. Without: only the environment has keys. */
  readonly setups?: Pick<StoredSetups, "keyFor"> | null;
  /** Answers in place of the pages that have a stand-in and that nobody has set up. Without: nothing does. */
  readonly standIn?: StandInPage | null;
}

/** Every platform that is enabled, in the order in which they are listed. */
export async function createPlatforms(deps: PlatformDeps): Promise<readonly Platform[]> {
  const all = { ...deps, environment: platformKeys(withKeyFiles(deps), deps) };
  return Promise.all([...deps.settings].map(([code, settings]) => createPlatform(code, settings, all)));
}

/** For listing platforms and parsing stored answers: no browser is started. */
export async function platformsToRead({
  config,
  settings,
  sessions,
  setups,
  onSampleProblem,
}: Pick<PlatformDeps, "config" | "settings" | "sessions" | "setups" | "onSampleProblem">): Promise<
  readonly Platform[]
> {
  return createPlatforms({
    config,
    settings,
    sessions: sessions ?? null,
    setups: setups ?? null,
    environment: process.env,
    browsers: createBrowserPool(config, { onEvent: () => undefined }),
    noBrowser: await whyNoBrowser(config),
    onSampleProblem,
    standIn: standInOf(config),
  });
}

/** What observations say of the platforms' answers and failures: those of a stand-in have another kind and recipe. */
export const observedPlatforms = (platforms: ReadonlyMap<string, Platform>) => ({
  recipeOf(code: string, kind: string | null): string | null {
    const platform = platforms.get(code);
    if (platform?.kind === "web" && kind === "sample") return loadExampleRecipe().sha256;
    return platform?.recipeDigest ?? null;
  },
  kindOf(code: string): string | null {
    const platform = platforms.get(code);
    return platform?.standIn === true ? "sample" : (platform?.kind ?? null);
  },
});

/** The example page, which opens no port before it is asked. */
export const standInOf = ({ standIns }: Config): StandInPage | null => (standIns === "on" ? new StandInPage() : null);

async function createPlatform(
  code: string,
  { api, module, web }: PlatformSettings,
  deps: PlatformDeps,
): Promise<Platform> {
  const { config, environment, onSampleProblem } = deps;
  if (code === "sample") {
    return samplePlatform({ folder: config.sampleDir ?? bundledCorpusFolder, onProblem: onSampleProblem });
  }
  if (code === "simulator") return simulatorPlatform();
  if (web !== null) return createWebPlatform(code, web, deps);
  if (api !== null) return followingSettings(code, api, deps);
  try {
    return await modulePlatform(module ?? "", { code, environment });
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    deps.onUnloaded?.(code, why);
    return unloadedPlatform(code, "api", why);
  }
}

/** A model API as its settings are now: an administrator may set another model while the service runs. */
function followingSettings(code: string, first: ApiSettings, deps: PlatformDeps): Platform {
  const { settings, environment, onApiStep: onStep, onUpstreamFailed } = deps;
  const make = (api: ApiSettings) =>
    apiPlatform({ ...api, code, environment, clock: systemClock, onStep, onUpstreamFailed });
  let made = { api: first, platform: make(first) };
  const current = () => {
    const api = settings.get(code)?.api ?? first;
    if (api !== made.api) made = { api, platform: make(api) };
    return made.platform;
  };
  const { name, kind, outputs, resultFormats } = made.platform;
  return {
    ...{ code, name, kind, outputs, resultFormats },
    get returns() {
      return current().returns;
    },
    get options() {
      return current().options;
    },
    get missing() {
      return current().missing;
    },
    get setUp() {
      return current().setUp ?? setUps.other;
    },
    ask: (question, context) => current().ask(question, context),
    reread: (...given) => current().reread(...given),
  };
}

/** The variables that contain the keys of model APIs. */
const keyVariables = (settings: PlatformDeps["settings"]): string[] => [
  ...new Set(
    [...settings.values()]
      .flatMap(({ api }) => api?.upstreams.map(({ keyVariable }) => keyVariable) ?? [])
      .filter((name) => name !== null),
  ),
];

/** The environment with the keys of model APIs also where files contain them, such as OPENAI_API_KEY_FILE. */
export function withKeyFiles({
  environment,
  settings,
}: Pick<PlatformDeps, "environment" | "settings">): PlatformDeps["environment"] {
  try {
    return withSecretFiles(environment, keyVariables(settings));
  } catch (error) {
    throw new ConfigError([error instanceof Error ? error.message : String(error)]);
  }
}

/** The environment, in which a stored key stands in place of a variable that is not set. Stored keys are read each time. */
export function platformKeys(
  given: PlatformDeps["environment"],
  { settings, setups }: Pick<PlatformDeps, "settings" | "setups">,
): PlatformDeps["environment"] {
  if (!setups) return given;
  const keys: Record<string, string | undefined> = { ...given };
  for (const name of keyVariables(settings)) {
    if ((given[name]?.trim() ?? "") !== "") continue;
    Object.defineProperty(keys, name, { get: () => setups.keyFor(name), enumerable: false });
  }
  return keys;
}

function createWebPlatform(code: string, web: WebSettings, deps: PlatformDeps): Platform {
  const { config, browsers, noBrowser, onDriveReport, onEvidenceMissing } = deps;
  let recipe: LoadedRecipe;
  try {
    recipe = web.recipe === null ? loadBundledRecipe(code) : loadRecipe(web.recipe);
  } catch (error) {
    if (!(error instanceof RecipeError)) throw error;
    deps.onUnloaded?.(code, error.message);
    return unloadedPlatform(code, "web", error.message);
  }
  const loaded = web.session === null ? recipe : { ...recipe, storageState: web.session };
  const files = sessionFiles(loaded, web);
  const sessions = deps.sessions?.of({ code, files, limits: web.sessions });
  const countries = [...config.countryProxies.keys()];
  const platform = webPlatform({
    code,
    loaded,
    ...(sessions && { sessions }),
    pool: browsers,
    countries,
    missing: noBrowser,
    needsSession: !web.chosen,
    freeWithoutAnswer: web.freeWithoutAnswer,
    evidence: web.evidence,
    onDriven: (snapshots, { taskId, attempt }, failed) => {
      if (failed) keepCaptures(join(config.dataDir, "captures"), `${code}-${taskId}-${attempt}`, snapshots);
    },
    onReport: (report) => onDriveReport?.(code, report),
    onEvidenceMissing: (missing, { taskId }) => onEvidenceMissing?.(code, taskId, missing),
  });
  if (web.chosen || !deps.standIn || !haveStandIns.includes(code)) return platform;
  const { evidence } = web;
  return withStandIn(platform, {
    page: deps.standIn,
    pool: browsers,
    countries,
    missing: noBrowser,
    sessions,
    evidence,
  });
}

/** The web-type platforms of the specification, which a client may expect to be there. */
const haveStandIns: readonly string[] = ["chatgpt-web", "gemini-web"];

function sessionFiles({ storageState }: LoadedRecipe, { sessions }: WebSettings): ReadonlyMap<string, string> {
  if (sessions.size === 0) return new Map(storageState === null ? [] : [["default", storageState]]);
  return new Map([...sessions].flatMap(([name, { file }]) => (file === null ? [] : [[name, file] as const])));
}

/** The number of the latest files that are kept. */
const filesMax = 200;

/** Stores the snapshots of a page whose answer was not complete, for `querentd recipe replay`. The oldest are removed. */
function keepCaptures(folder: string, name: string, captures: object): string {
  mkdirSync(folder, { recursive: true, mode: 0o700 });
  const file = join(folder, `${new Date().toISOString().replaceAll(/[:.]/g, "-")}-${name}.json.gz`);
  writeFileSync(file, gzipSync(JSON.stringify(captures)), { mode: 0o600 });
  const files = readdirSync(folder)
    .filter((each) => each.endsWith(".json.gz"))
    .sort();
  for (const old of files.slice(0, Math.max(0, files.length - filesMax))) rmSync(join(folder, old), { force: true });
  return file;
}
