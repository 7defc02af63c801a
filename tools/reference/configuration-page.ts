import { variables } from "../../service/src/app/config/variables.ts";
import { builtInLimits } from "../../service/src/app/platform-settings.ts";
import { PlatformsFile } from "../../service/src/app/platforms-file.ts";
import { SignInProvidersFile } from "../../service/src/app/sign-in-providers.ts";
import { fieldTable, generated, plain, table } from "./schema-text.ts";

/** docs/reference/configuration.md: the environment variables, and the configuration file of platforms. */
export function configurationPage(): string {
  const entry = entryOf(plain(PlatformsFile).properties?.["platforms"]);
  const provider = entryOf(plain(SignInProvidersFile).properties?.["providers"]);
  const proxy = memberOf(plain(SignInProvidersFile), "proxy");
  return [
    generated,
    "# Configuration",
    "## Environment",
    "The service reads its environment at start, and prints the settings that differ from their defaults; `npm run --silent querentd -- doctor` prints all. An unknown `QUERENT_` variable is an error, so that misspelled names are noticed. Variables marked *secret* are never printed.",
    "Each *secret* variable can also be read from a file, as Docker and Kubernetes provide secrets: set `NAME_FILE` to its path, such as `DATABASE_URL_FILE=/run/secrets/database-url`. White space around the value, such as the newline at the end, is removed. A file that cannot be read, is empty or has more than 64 KiB is an error, and so is setting both. The same applies to the variables with the keys of model APIs, such as `OPENAI_API_KEY_FILE`. Files are read once, at start.",
    table(
      ["Variable", "Default", "Unit", ""],
      Object.values(variables).map((variable) => [
        `\`${variable.name}\``,
        /^[\d./]+$|^(info)$/.test(variable.defaultText) ? `\`${variable.defaultText}\`` : variable.defaultText,
        variable.unit,
        `${variable.about}${"secret" in variable ? " *Secret.*" : ""}`,
      ]),
    ),
    "## Platforms",
    "`QUERENT_CONFIG` is the path of a YAML file with the settings of the platforms, which is read at start. Omitted settings have their defaults. Its schema is [platforms.schema.json](platforms.schema.json), which editors with support for JSON Schema use to validate the file.",
    "```yaml\n# yaml-language-server: $schema=./docs/reference/platforms.schema.json\nplatforms:\n  sample:\n    price: { base: 5 }\n    runningMax: 4\n    rate: { perSecond: 2, burst: 5 }\n  simulator:\n    enabled: false\n```",
    "Each entry:",
    fieldTable(entry, { required: false }),
    "Defaults of built-in platforms:",
    table(
      ["Platform", "Price", "`runningMax`", "`rate`", "`runTimeoutSeconds`", "`attempts`", "`breakerAfter`"],
      Object.entries(builtInLimits).map(([code, settings]) => [
        `\`${code}\``,
        Object.entries(settings.price)
          .filter(([, points]) => points > 0)
          .map(([part, points]) => (part === "base" ? String(points) : `${part} +${points}`))
          .join(", "),
        String(settings.runningMax),
        settings.rate === null ? "none" : `${settings.rate.perSecond} per second, ${settings.rate.burst} at once`,
        String(settings.runTimeoutSeconds),
        String(settings.attempts),
        settings.breakerAfter === null ? "never" : String(settings.breakerAfter),
      ]),
    ),
    "## Identity providers",
    "`QUERENT_SIGN_IN_PROVIDERS` is the path of a YAML file with the identity providers at which people [sign in](../how-to/single-sign-on.md), and with the proxy that signs them in, which is read at start. Its schema is [sign-in-providers.schema.json](sign-in-providers.schema.json). Each of `providers`:",
    fieldTable(provider, { required: true }),
    "`proxy`, for [a proxy in front of Querent that signs people in](../how-to/single-sign-on.md#behind-a-proxy-that-signs-people-in):",
    fieldTable(proxy, { required: true }),
    "Its `headers`:",
    fieldTable(memberOf(proxy, "headers"), { required: true }),
    "Its `token`:",
    fieldTable(memberOf(proxy, "token"), { required: true }),
    "Its `clientKey`:",
    fieldTable(memberOf(provider, "clientKey"), { required: true }),
    "Each of `members`:",
    fieldTable(membersOf(provider), { required: true }),
    "",
  ].join("\n\n");
}

type Schema = ReturnType<typeof plain>;

function entryOf(file: Schema | undefined): Schema {
  const entry = Object.values(file?.patternProperties ?? {})[0];
  if (entry === undefined) throw new Error("The schema of the file has no entries.");
  return entry;
}

function memberOf(schema: Schema, name: string): Schema {
  const member = schema.properties?.[name];
  if (member === undefined) throw new Error(`The schema has no member ${name}.`);
  return member;
}

function membersOf(provider: Schema): Schema {
  const items = provider.properties?.["members"]?.items;
  if (items === undefined) throw new Error("The schema of an identity provider has no members.");
  return items;
}
