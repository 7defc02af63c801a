import { readConfig } from "../config.ts";
import { print, type Output } from "./operator-command.ts";
import { table, type Column } from "./table.ts";
import { readPlatformSettings, type PlatformSettings } from "../platform-settings.ts";
import { describeSetUp, setUps, type Platform, type SetUp } from "../../platforms/index.ts";
import { platformsToRead } from "../platforms.ts";
import { withSessions } from "./with-sessions.ts";

/** `querentd platform list`: the platforms, their URLs, and what is missing. */
export async function listPlatforms(options: Output): Promise<void> {
  const config = readConfig(process.env);
  const settings = readPlatformSettings(config.config);
  await withSessions(config, async (sessions) => {
    const platforms = await platformsToRead({ config, settings, sessions, onSampleProblem: () => undefined });
    printPlatforms(options, settings, platforms);
  });
}

function printPlatforms(
  options: Output,
  settings: ReadonlyMap<string, PlatformSettings>,
  platforms: readonly Platform[],
): void {
  const rows = platforms.map(({ code, name, kind, missing, standIn = false, setUp = setUps.other }) => {
    const upstreams = settings.get(code)?.api?.upstreams ?? [];
    return {
      code,
      name,
      kind,
      models: upstreams.map(({ model }) => model),
      endpoints: upstreams.map(({ url }) => url),
      missing,
      standIn,
      setUp: missing === null && !standIn ? null : setUp,
    };
  });
  const cells = rows.map(({ code, name, models, endpoints, missing, standIn, setUp }) => [
    code,
    name,
    models.join(", ") || "-",
    endpoints.join(", ") || "-",
    stateOf(missing, standIn ? setUp : null),
  ]);
  print(options, rows, table(columns, cells));
}

const stateOf = (missing: string | null, standIn: SetUp | null): string =>
  missing ?? (standIn === null ? "ready" : describeSetUp(standIn));

const columns: readonly Column[] = [
  { head: "CODE" },
  { head: "NAME", least: 8, optional: 2 },
  { head: "MODEL", least: 8, optional: 1 },
  { head: "ENDPOINT", least: 12, optional: 3 },
  { head: "STATE", least: 24 },
];
