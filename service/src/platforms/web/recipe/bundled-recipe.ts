import { join } from "node:path";

/** The codes of the platforms whose recipes ship with the service. */
export const bundledRecipes: readonly string[] = [
  "chatgpt-web",
  "gemini-web",
  "google-ai-mode",
  "google-ai-overview",
  "perplexity-web",
  "copilot-web",
  "claude-web",
  "grok-web",
  "meta-ai-web",
  "deepseek-web",
  "doubao-web",
  "kimi-web",
  "qwen-web",
  "yuanbao-web",
];

/** The recipe of the example page. */
export const exampleRecipe = join(import.meta.dirname, "../assistant-page/recipe.yaml");

/** The file of a recipe that ships with the service. */
export function bundledRecipe(code: string): string {
  return join(import.meta.dirname, "../recipes", `${code}.yaml`);
}
