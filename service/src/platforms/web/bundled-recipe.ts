import { join } from "node:path";

/** The file of a recipe that ships with the service. */
export function bundledRecipe(code: string): string {
  return join(import.meta.dirname, "recipes", `${code}.yaml`);
}
