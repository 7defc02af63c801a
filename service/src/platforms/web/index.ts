export { bundledRecipes } from "./bundled-recipe.ts";
export { fallbacks, type DriftSign, type DriveReport } from "./drive-report.ts";
export { loadBundledRecipe, loadRecipe, RecipeError, type LoadedRecipe } from "./load-recipe.ts";
export { pointedAt, recordRecipe } from "./record-recipe.ts";
export { Recipe } from "./recipe.ts";
export { parseSnapshots, replay, saveSession, tryPage, tryRecipe, type Trial } from "./try-recipe.ts";
export { readSessionText, type PageSessions } from "./page-sessions.ts";
export { signInNeeds, webPlatform, type MissingEvidence, type WebPlatformDeps } from "./web-platform.ts";
