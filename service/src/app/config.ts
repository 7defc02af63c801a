/** The configuration of this process, read from the environment. */
import { didYouMean } from "../kernel/did-you-mean.ts";
import { fileVariable, readSecret } from "./config/read-secret.ts";
import { variables } from "./config/variables.ts";

type Parsed = { readonly [Key in keyof typeof variables]: ReturnType<(typeof variables)[Key]["parse"]> };

export type Config = Omit<Parsed, "databaseConnections" | "standIns"> & {
  readonly databaseConnections: number;
  readonly standIns: "on" | "off";
};

/** Connections of a process with several roles, and of one with a role of its own. */
const connectionsOfAll = 20;
const connectionsOf: ReadonlyMap<string | undefined, number> = new Map([
  ["api", 12],
  ["worker", 16],
  ["notifier", 10],
]);

type Definition = (typeof variables)[keyof typeof variables];

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
 * Reads the configuration from the environment, for a process with these roles; none: for a command. Unknown `QUERENT_` variables
 * are errors, so that a misspelled name is noticed.
 */
export function readConfig(environment: NodeJS.ProcessEnv, roles: readonly string[] = []): Config {
  const faults: string[] = [];
  const names = Object.values(variables).flatMap((definition) =>
    "secret" in definition ? [definition.name, fileVariable(definition.name)] : [definition.name],
  );
  for (const name of Object.keys(environment)) {
    if (!name.startsWith("QUERENT_") || names.includes(name) || clientVariables.includes(name)) continue;
    faults.push(`${name} is not a variable of this service.${didYouMean(name, names, "")}`);
  }
  const valueOf = (definition: Definition): string | undefined => {
    if (!("secret" in definition)) return environment[definition.name]?.trim() || undefined;
    try {
      return readSecret(environment, definition.name);
    } catch (error) {
      faults.push(error instanceof Error ? error.message : String(error));
      return undefined;
    }
  };
  const entries = Object.entries(variables).map(([key, definition]) => {
    const value = valueOf(definition);
    try {
      return [key, definition.parse(value)];
    } catch (error) {
      faults.push(`${definition.name} ${error instanceof Error ? error.message : String(error)}`);
      return [key, undefined];
    }
  });
  const isSet = ({ name }: Definition) =>
    [name, fileVariable(name)].some((one) => (environment[one]?.trim() ?? "") !== "");
  if (isSet(variables.databaseDirectUrl) && !isSet(variables.databaseUrl))
    faults.push("QUERENT_DATABASE_DIRECT_URL needs DATABASE_URL beside it, the address of the pooler.");
  if (isSet(variables.databaseReadUrl) && !isSet(variables.databaseUrl))
    faults.push("QUERENT_DATABASE_READ_URL needs DATABASE_URL beside it, the address of the primary.");
  if (faults.length > 0) throw new ConfigError(faults);
  const parsed = Object.fromEntries(entries) as Parsed;
  const ofRoles = roles.length === 1 ? connectionsOf.get(roles[0]) : undefined;
  return {
    ...parsed,
    databaseConnections: parsed.databaseConnections ?? ofRoles ?? connectionsOfAll,
    standIns: parsed.standIns ?? usualStandIns(parsed),
  };
}

/** A service with a server of its own is not one that somebody tries out. */
const usualStandIns = ({ databaseUrl }: Pick<Parsed, "databaseUrl">): "on" | "off" =>
  databaseUrl === null ? "on" : "off";

/** The effective values, for display; for secrets only whether they are set. */
export function describeConfig(config: Config): { name: string; value: string }[] {
  return Object.entries(variables).map(([key, definition]) => {
    const value = config[key as keyof Config];
    if ("secret" in definition) {
      const entries = value instanceof Map || Array.isArray(value) ? [...value] : [value];
      const isSet = value !== null && entries.length > 0;
      return { name: definition.name, value: isSet ? "set (not shown)" : "not set" };
    }
    if (value === null) return { name: definition.name, value: definition.defaultText };
    if (typeof value === "object" && "host" in value)
      return { name: definition.name, value: `${value.host}:${value.port}` };
    if (typeof value === "object" && "address" in value)
      return { name: definition.name, value: value.name === "" ? value.address : `${value.name} <${value.address}>` };
    const shown = typeof value === "object" ? ("join" in value ? value.join(",") : "") : String(value);
    return { name: definition.name, value: shown || definition.defaultText };
  });
}

/** The effective values that differ from their defaults, and the data folder, for display. */
export function describeChanges(config: Config, roles: readonly string[]): { name: string; value: string }[] {
  const usual = { ...readConfig({}, roles), standIns: usualStandIns(config) };
  const defaults = new Map(describeConfig(usual).map(({ name, value }) => [name, value]));
  return describeConfig(config).filter(
    ({ name, value }) => name === variables.dataDir.name || value !== defaults.get(name),
  );
}
