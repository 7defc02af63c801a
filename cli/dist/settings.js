/** The URL and the token: from flags, else from the environment, else from the configuration file. */
import { readFileSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { join } from "node:path";
import { UsageError } from "./exit-codes.js";
export const defaultUrl = "http://127.0.0.1:8080";
export function readSettings(flags, environment) {
  const configFile = join(folderOf(environment, "XDG_CONFIG_HOME", ".config"), "querent", "config.json");
  const { file, warnings } = readFile(configFile);
  const set = (text) => (text === undefined || text.trim() === "" ? undefined : text.trim());
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
function folderOf(environment, name, fallback) {
  const given = environment[name];
  return given?.startsWith("/") === true ? given : join(environment["HOME"] ?? homedir(), fallback);
}
function readFile(path) {
  let text;
  try {
    text = readFileSync(path, "utf8");
  } catch (error) {
    if (error.code === "ENOENT") return { file: {}, warnings: [] };
    throw new UsageError(`${path} cannot be read: ${error instanceof Error ? error.message : String(error)}`);
  }
  const file = parse(path, text);
  const isOpen = file.token !== undefined && (statSync(path).mode & 0o077) !== 0;
  return {
    file,
    warnings: isOpen ? [`${path} contains a token and is readable by other users. Run chmod 600 ${path}.`] : [],
  };
}
function parse(path, text) {
  let value;
  try {
    value = JSON.parse(text);
  } catch {
    throw new UsageError(`${path} is not valid JSON. Expected {"url": "...", "token": "qrt_..."}.`);
  }
  if (typeof value !== "object" || value === null || Array.isArray(value))
    throw new UsageError(`${path} must contain an object: {"url": "...", "token": "qrt_..."}.`);
  const members = {};
  for (const [name, member] of Object.entries(value)) {
    if (!["url", "token"].includes(name))
      throw new UsageError(`${path}: unknown member "${name}". Known are "url" and "token".`);
    if (typeof member !== "string") throw new UsageError(`${path}: "${name}" must be a string.`);
    members[name] = member;
  }
  return members;
}
