/** The configuration of this process, read from the environment. */
import { didYouMean } from "../kernel/did-you-mean.ts";
import { variables } from "./config/variables.ts";

export type Config = { readonly [Key in keyof typeof variables]: ReturnType<(typeof variables)[Key]["parse"]> };

/** Variables of `querent`, the users' command line: a shell may have set both. */
const clientVariables = ["QUERENT_URL", "QUERENT_TOKEN", "QUERENT_SIGNING_SECRET"];

/** Thrown with all errors of the environment at once, one line each. */
export class ConfigError extends Error {
  constructor(faults: readonly string[]) {
    super(faults.join("\n"));
    this.name = "ConfigError";
  }
}

/**
 * Reads the configuration from the environment. Unknown `QUERENT_` variables are errors, so that a misspelled name is noticed.
 */
export function readConfig(environment: NodeJS.ProcessEnv): Config {
  const faults: string[] = [];
  const names: string[] = Object.values(variables).map(({ name }) => name);
  for (const name of Object.keys(environment)) {
    if (!name.startsWith("QUERENT_") || names.includes(name) || clientVariables.includes(name)) continue;
    faults.push(`${name} is not a variable of this service.${didYouMean(name, names, "")}`);
  }
  const entries = Object.entries(variables).map(([key, { name, parse }]) => {
    const value = environment[name];
    try {
      return [key, parse(value === undefined || value.trim() === "" ? undefined : value.trim())];
    } catch (error) {
      faults.push(`${name} ${error instanceof Error ? error.message : String(error)}`);
      return [key, undefined];
    }
  });
  const present = new Set(Object.keys(environment).filter((name) => environment[name]?.trim() !== ""));
  if (present.has("QUERENT_DATABASE_DIRECT_URL") && !present.has("DATABASE_URL"))
    faults.push("QUERENT_DATABASE_DIRECT_URL needs DATABASE_URL beside it, the address of the pooler.");
  if (faults.length > 0) throw new ConfigError(faults);
  return Object.fromEntries(entries) as Config;
}

/** The effective values, for display; for secrets only whether they are set. */
export function describeConfig(config: Config): { name: string; value: string }[] {
  return Object.entries(variables).map(([key, definition]) => {
    const value = config[key as keyof Config];
    if ("secret" in definition) {
      const isSet = value !== null && !(Array.isArray(value) && value.length === 0);
      return { name: definition.name, value: isSet ? "set (not shown)" : "not set" };
    }
    if (value === null) return { name: definition.name, value: definition.defaultText };
    return {
      name: definition.name,
      value: Array.isArray(value) ? value.join(",") || definition.defaultText : String(value),
    };
  });
}
