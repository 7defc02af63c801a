export {
  bundledRecipes,
  loadBundledRecipe,
  loadExampleRecipe,
  loadRecipe,
  parseRecipe,
  RecipeError,
  type LoadedRecipe,
} from "./recipe/load-recipe.ts";
export { fallbacks, type DriftSign, type DriveReport } from "./drive/drive-report.ts";
export { pointedAt, recordRecipe, RecordError } from "./recipe/record-recipe.ts";
export { Recipe } from "./recipe/recipe.ts";
export { readSessionText, type PageSessions } from "./drive/page-sessions.ts";
export { signInNeeds } from "./drive/context-needs.ts";
export { StandInPage, withStandIn } from "./stand-in.ts";
export { webPlatform, type MissingEvidence, type WebPlatformDeps } from "./web-platform.ts";
export type { Trial } from "./try-recipe.ts";

/** What tries a recipe by hand. It is loaded by the commands that need it, since a service does not. */
export const loadTrial = () => import("./try-recipe.ts");
