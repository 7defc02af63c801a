export { loadRecipe, RecipeError, type LoadedRecipe } from "./load-recipe.ts";
export { Recipe } from "./recipe.ts";
export { webPlatform, type WebPlatformDeps } from "./web-platform.ts";
