/** The URL and the token: from flags, else from the environment, else from the configuration file. */
import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { UsageError } from "./exit-codes.ts";

export interface Settings {
  readonly url: string;
  /** The access token; null if none is set. */
  readonly token: string | null;
  readonly configFile: string;
  readonly stateFolder: string;
  /** Warnings for the user, such as a configuration file that other users can read. */
  readonly warnings: readonly string[];
}

export const defaultUrl = "http://127.0.0.1:8080";

export function readSettings(
  flags: { readonly url?: string | undefined; readonly token?: string | undefined },
  environment: NodeJS.ProcessEnv,
): Settings {
  const configFile = join(folderOf(environment, "XDG_CONFIG_HOME", ".config"), "querent", "config.json");
  const { file, warnings } = readFile(configFile);
  const set = (text: string | undefined) => (text === undefined || text.trim() === "" ? undefined : text.trim());
  const url = set(flags.url) ?? set(environment["QUERENT_URL"]) ?? file.url ?? defaultUrl;
  if (!/^https?:\/\//.test(url) || !URL.canParse(url))
    throw new UsageError(`The URL of the service must start with http: or https:, not "${url}".`);
  return {
    url: url.replace(/\/+$/, ""),
    token: set(flags.token) ?? set(environment["QUERENT_TOKEN"]) ?? file.token ?? null,
    configFile,
    stateFolder: join(folderOf(environment, "XDG_STATE_HOME", ".local/state"), "querent"),
    warnings,
  };
}

/** The XDG Base Directory Specification requires that relative paths are ignored. */
function folderOf(environment: NodeJS.ProcessEnv, name: string, fallback: string): string {
  const given = environment[name];
  return given?.startsWith("/") === true ? given : join(environment["HOME"] ?? homedir(), fallback);
}

function readFile(path: string): { file: { url?: string; token?: string }; warnings: string[] } {
  let text: string;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === "ENOENT") return { file: {}, warnings: [] };
    throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const file = parse(path, text);
  const isOpen = file.token !== undefined && (statSync(path).mode & 0o077) !== 0;
  return {
    file,
    warnings: isOpen ? [`${path} contains a token and is readable by other users. Run chmod 600 ${path}.`] : [],
  };
}

function parse(path: string, text: string): { url?: string; token?: string } {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`${path} is not valid JSON. Expected {"url": "...", "token": "qrt_..."}.`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new UsageError(`${path} must contain an object: {"url": "...", "token": "qrt_..."}.`);
  const members: Record<string, string> = {};
  for (const [name, member] of Object.entries(value)) {
    if (!["url", "token"].includes(name))
      throw new UsageError(`${path}: unknown member "${name}". Known are "url" and "token".`);
    if (typeof member !== "string") throw new UsageError(`${path}: "${name}" must be a string.`);
    members[name] = member;
  }
  return members;
}
