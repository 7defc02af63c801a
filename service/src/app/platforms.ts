import { join } from "node:path";
import type { BrowserPool } from "../browser/index.ts";
import {
  bundledCorpusFolder,
  bundledRecipe,
  loadRecipe,
  samplePlatform,
  simulatorPlatform,
  webPlatform,
  type CorpusProblem,
  type LoadedRecipe,
  type Platform,
} from "../platforms/index.ts";
import type { Config } from "./config.ts";
import { keepCaptures } from "./keep-captures.ts";
import type { PlatformSettings, WebSettings } from "./platform-settings.ts";

export interface PlatformDeps {
  readonly config: Config;
  readonly settings: ReadonlyMap<string, PlatformSettings>;
  readonly browsers: Pick<BrowserPool, "withContext">;
  /** Why no browser can be used; null when one can. */
  readonly noBrowser: string | null;
  readonly onSampleProblem: (problem: CorpusProblem) => void;
}

/** Every platform that this code knows, in the order in which they are listed; whether it is offered is the settings' matter. */
export async function createPlatforms(deps: PlatformDeps): Promise<readonly Platform[]> {
  const folder = deps.config.sampleDir ?? bundledCorpusFolder;
  return [
    await samplePlatform({ folder, onProblem: deps.onSampleProblem }),
    simulatorPlatform(),
    ...createWebPlatforms(deps),
  ];
}

/** One for each entry that is a web page. */
function createWebPlatforms({ config, settings, browsers, noBrowser }: PlatformDeps): Platform[] {
  return [...settings].flatMap(([code, { web }]) => {
    if (web === null) return [];
    return webPlatform({
      code,
      loaded: loadWith(code, web),
      pool: browsers,
      missing: web.chosen ? noBrowser : notChosen(code),
      onDriven: (captures, { taskId, attempt }, failed) => {
        if (failed) keepCaptures(join(config.dataDir, "captures"), `${code}-${taskId}-${attempt}`, captures);
      },
    });
  });
}

function loadWith(code: string, { recipe, session }: WebSettings): LoadedRecipe {
  const loaded = loadRecipe(recipe ?? bundledRecipe(code));
  return session === null ? loaded : { ...loaded, storageState: session };
}

/** What ships was never seen to work on the page itself, and a page's terms are the operator's to mind: so somebody has to say yes. */
function notChosen(code: string): string {
  return `Its recipe is a starting point that was not verified on the live page. To use it, write "${code}: {recipe: built-in}" into the file of QUERENT_CONFIG; see docs/platforms/${code}.md.`;
}
