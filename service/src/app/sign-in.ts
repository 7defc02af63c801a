/** Signing in to web platforms in this process's browser. */
import { ProblemError } from "../api/problem-error.ts";
import { loadBundledRecipe, loadRecipe, RecipeError, type LoadedRecipe } from "../platforms/index.ts";
import { SignIns } from "../signin/index.ts";
import type { Parts } from "./parts.ts";
import type { PlatformSettings } from "./platform-settings.ts";

/** `isWorker`: a process without that role has no browser. */
export function signInsOf({ database, masterKey, browserPool, settings, config }: Parts, isWorker: boolean): SignIns {
  return new SignIns({
    database,
    masterKey,
    pool: browserPool,
    countries: [...config.countryProxies.keys()],
    recipeOf(platform) {
      if (!isWorker)
        throw new ProblemError(
          "state_conflict",
          "The process that answers this request has no browser, because it does not have the role worker. Open the console at the address of a process with the roles api and worker, or use `querentd session sign-in` on a machine with a display.",
        );
      return recipeOf(settings, platform);
    },
  });
}

function recipeOf(settings: ReadonlyMap<string, PlatformSettings>, platform: string): LoadedRecipe | null {
  const web = settings.get(platform)?.web ?? null;
  if (web === null) return null;
  try {
    const loaded = web.recipe === null ? loadBundledRecipe(platform) : loadRecipe(web.recipe);
    return web.session === null ? loaded : { ...loaded, storageState: web.session };
  } catch (error) {
    if (error instanceof RecipeError) throw new ProblemError("state_conflict", error.message, { cause: error });
    throw error;
  }
}
