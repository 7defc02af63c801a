/** Checks docs/reference/openapi.json with Redocly's recommended rules. Warnings are errors. */
import { readFile } from "node:fs/promises";
import { join } from "node:path";
import { createConfig, lintFromString } from "@redocly/openapi-core";

export async function lintOpenapi(source: string): Promise<string[]> {
  const config = await createConfig({ extends: ["recommended"] });
  const problems = await lintFromString({ source, config });
  return problems.map(
    ({ severity, ruleId, message, location }) => `${severity} ${ruleId}: ${message} (${location[0]?.pointer ?? ""})`,
  );
}

if (import.meta.main) {
  const found = await lintOpenapi(await readFile(join(import.meta.dirname, "../docs/reference/openapi.json"), "utf8"));
  for (const line of found) console.error(line);
  process.exitCode = found.length === 0 ? 0 : 1;
}
