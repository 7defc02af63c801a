/**
 * npm run docs [-- --check]
 *
 * Generates the reference from the code: the table of operations, the catalogue of errors, the table of variables, the command lines, and
 * a migrated database. `--check` writes nothing, and fails if a file is out of date. It does not check the database's schema, which needs
 * a server and is compared by a test.
 */
import { mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { dirname, join, relative } from "node:path";
import { openapiDocument } from "@querent/contract";
import { PlatformsFile } from "../service/src/app/platforms-file.ts";
import { SignInProvidersFile } from "../service/src/app/sign-in-providers.ts";
import { Recipe } from "../service/src/platforms/index.ts";
import { version } from "../service/src/app/version.ts";
import { apiPage } from "./reference/api-page.ts";
import { assistantTools } from "./reference/assistant-tools.ts";
import { clientTypes } from "./reference/client-types.ts";
import { commandLinePage } from "./reference/command-line-page.ts";
import { configurationPage } from "./reference/configuration-page.ts";
import { dashboard } from "./reference/dashboard.ts";
import { directionOverrides } from "./reference/directions.ts";
import { errorsPage } from "./reference/errors-page.ts";
import { testPages } from "./reference/test-pages.ts";
import { formatted } from "./reference/formatted.ts";
import { measuresPage } from "./reference/measures-page.ts";
import { metricsPage } from "./reference/metrics-page.ts";
import { querentPage } from "./reference/querent-page.ts";
import { migratedSchema } from "./reference/migrated-schema.ts";
import { clientQuestionOptions } from "./reference/question-options.ts";
import { platformPages } from "./reference/platform-pages.ts";
import { vendorRegistry } from "./reference/vendor-registry.ts";

const root = join(import.meta.dirname, "..");
const check = process.argv.includes("--check");

const pages: Record<string, () => string | Promise<string>> = {
  "docs/reference/api.md": apiPage,
  "docs/reference/errors.md": errorsPage,
  ...testPages(),
  "docs/reference/configuration.md": configurationPage,
  "docs/reference/measures.md": measuresPage,
  "docs/reference/metrics.md": metricsPage,
  "deploy/monitoring/grafana-dashboard.json": dashboard,
  "docs/reference/command-line.md": commandLinePage,
  "docs/reference/querent.md": querentPage,
  "docs/reference/openapi.json": () => json(openapiDocument({ version })),
  "docs/reference/platforms.schema.json": () =>
    json({ $schema: "https://json-schema.org/draft/2020-12/schema", ...PlatformsFile }),
  "docs/reference/sign-in-providers.schema.json": () =>
    json({ $schema: "https://json-schema.org/draft/2020-12/schema", ...SignInProvidersFile }),
  "service/src/platforms/api/vendors/index.ts": vendorRegistry,
  ...platformPages(),
  "client/src/wire.ts": clientTypes,
  "client/src/question-options.ts": clientQuestionOptions,
  "mcp/src/tool-table.ts": assistantTools,
  "tools/direction.oxlintrc.json": () => json({ overrides: directionOverrides() }),
  "docs/reference/recipe.schema.json": () =>
    json({ $schema: "https://json-schema.org/draft/2020-12/schema", ...Recipe }),
  ...(check ? {} : { "service/src/db/schema.sql": migratedSchema }),
};

const stale: string[] = [];
for (const [path, make] of Object.entries(pages)) {
  const file = join(root, path);
  const text = await formatted(path, await make());
  if (text === existing(file)) continue;
  stale.push(relative(root, file));
  if (check) continue;
  mkdirSync(dirname(file), { recursive: true });
  writeFileSync(file, text);
}
if (check && stale.length > 0) {
  console.error(`Out of date: ${stale.join(", ")}. Run \`npm run docs\` to update.`);
  process.exitCode = 1;
} else {
  console.log(stale.length === 0 ? "The reference is up to date." : `Written: ${stale.join(", ")}`);
}

function json(value: unknown): string {
  return `${JSON.stringify(value, null, 2)}\n`;
}

function existing(file: string): string | null {
  try {
    return readFileSync(file, "utf8");
  } catch {
    return null;
  }
}
