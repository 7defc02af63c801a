import { isListed, keyOf, listModels, type ModelList, type Upstream } from "../../platforms/index.ts";
import { readConfig } from "../config.ts";
import { readPlatformSettings } from "../platform-settings.ts";
import { CommandError } from "./command-error.ts";
import { print, type Output } from "./operator-command.ts";
import { table, type Column } from "./table.ts";

/** `querentd platform models`: whether the vendors have the configured models. Needs no database, and asks no question. */
export async function listPlatformModels(code: string | undefined, options: Output): Promise<void> {
  const all = readPlatformSettings(readConfig(process.env).config);
  if (code !== undefined && all.get(code)?.api === undefined) {
    const known = [...all].filter(([, { api }]) => api !== undefined).map(([each]) => each);
    throw new CommandError(`There is no platform ${code} with a model API. Known: ${known.join(", ")}.`);
  }
  const rows: Row[] = [];
  for (const [platform, { api }] of all) {
    if (code !== undefined && platform !== code) continue;
    for (const upstream of api?.upstreams ?? []) {
      const key = keyOf(upstream, process.env);
      // Without a code, only the platforms that are in use are listed.
      if (key === null && code === undefined) continue;
      const list: ModelList =
        key === null
          ? { kind: "failed", message: `No key: set the environment variable ${upstream.keyVariable ?? ""}.` }
          : await listModels(upstream, key);
      rows.push(rowOf(platform, upstream, list));
    }
  }
  if (rows.some(({ error, missing }) => error !== null || missing.length > 0)) process.exitCode = 1;
  print(options, rows, rows.length === 0 ? "No key of a model API is set." : asTable(rows, code !== undefined));
}

interface Row {
  readonly platform: string;
  readonly endpoint: string;
  readonly configured: readonly string[];
  /** The configured models that the vendor does not list. */
  readonly missing: readonly string[];
  readonly models: readonly string[];
  readonly error: string | null;
}

function rowOf(platform: string, upstream: Upstream, list: ModelList): Row {
  const configured = upstream.models;
  const about = { platform, endpoint: upstream.url, configured };
  if (list.kind === "failed") return { ...about, missing: [], models: [], error: list.message };
  const missing = configured.filter((model) => !isListed(upstream, model, list.models));
  return { ...about, missing, models: list.models, error: null };
}

function asTable(rows: readonly Row[], withModels: boolean): string {
  const cells = rows.map(({ platform, endpoint, configured, missing, models, error }) => [
    platform,
    endpoint,
    configured.join(", "),
    error ?? (missing.length === 0 ? `listed, of ${models.length}` : `not listed: ${missing.join(", ")}`),
  ]);
  const lists = withModels ? rows.flatMap(({ endpoint, models }) => ["", `Models at ${endpoint}:`, ...models]) : [];
  return [table(columns, cells), ...lists.map(printable)].join("\n");
}

/** Without control characters, which a terminal would interpret. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, "�");
}

const columns: readonly Column[] = [
  { head: "PLATFORM", least: 8 },
  { head: "ENDPOINT", least: 12, optional: 1 },
  { head: "CONFIGURED", least: 8 },
  { head: "STATE", least: 24 },
];
