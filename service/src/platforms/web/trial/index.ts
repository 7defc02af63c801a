/** Trying a recipe by hand. */
export { checkRecorded, parseSnapshots, replay, saveSession, tryPage, tryRecipe, type Trial } from "./try-recipe.ts";
