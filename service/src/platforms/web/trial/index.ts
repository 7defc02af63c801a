/** Trying a recipe by hand. */
export { parseSnapshots, replay, saveSession, tryPage, tryRecipe, type Trial } from "./try-recipe.ts";
