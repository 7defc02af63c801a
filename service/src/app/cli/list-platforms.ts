import { readConfig } from "../config.ts";
import { print, type Output } from "./operator-command.ts";
import { table, type Column } from "./table.ts";
import { readPlatformSettings } from "../platform-settings.ts";
import { platformsToRead } from "../platforms.ts";

/** `querentd platform list`: the platforms, their URLs, and what is missing. */
export async function listPlatforms(options: Output): Promise<void> {
  const config = readConfig(process.env);
  const settings = readPlatformSettings(config.config);
  const platforms = await platformsToRead({ config, settings, onSampleProblem: () => undefined });
  const rows = platforms.map(({ code, name, kind, missing }) => {
    const upstreams = settings.get(code)?.api?.upstreams ?? [];
    return {
      code,
      name,
      kind,
      models: upstreams.map(({ model }) => model),
      endpoints: upstreams.map(({ url }) => url),
      missing,
    };
  });
  const cells = rows.map(({ code, name, models, endpoints, missing }) => [
    code,
    name,
    models.join(", ") || "-",
    endpoints.join(", ") || "-",
    missing ?? "ready",
  ]);
  print(options, rows, table(columns, cells));
}

const columns: readonly Column[] = [
  { head: "CODE" },
  { head: "NAME", least: 8, optional: 2 },
  { head: "MODEL", least: 8, optional: 1 },
  { head: "ENDPOINT", least: 12, optional: 3 },
  { head: "STATE", least: 24 },
];
