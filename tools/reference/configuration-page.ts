import { variables } from "../../service/src/app/config/variables.ts";
import { builtInLimits } from "../../service/src/app/platform-settings.ts";
import { PlatformsFile } from "../../service/src/app/platforms-file.ts";
import { fieldTable, generated, plain, table } from "./schema-text.ts";

/** docs/reference/configuration.md: the environment's variables, and the file of platforms. */
export function configurationPage(): string {
  const file = plain(PlatformsFile).properties?.["platforms"];
  const entry = Object.values(file?.patternProperties ?? {})[0];
  if (entry === undefined) throw new Error("The schema of the platforms' file has no entries.");
  return [
    generated,
    "# Configuration",
    "## Environment",
    "The service reads its environment once, at start, and prints what it runs with. A `QUERENT_` variable that it does not know is an error, so that a misspelt name is not silence. Variables marked *secret* are never printed.",
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
    "`QUERENT_CONFIG` names a YAML file with the limits and prices of the platforms. It is read at start. What it leaves out stays as built in. The schema is [platforms.schema.json](platforms.schema.json); editors that know JSON Schema check the file while you write it.",
    "```yaml\n# yaml-language-server: $schema=./docs/reference/platforms.schema.json\nplatforms:\n  sample:\n    price: { base: 5 }\n    runningMax: 4\n    rate: { perSecond: 2, burst: 5 }\n  simulator:\n    enabled: false\n```",
    "Each entry:",
    fieldTable(entry, { required: false }),
    "Built in:",
    table(
      ["Platform", "Price", "`runningMax`", "`rate`", "`runTimeoutSeconds`", "`attempts`", "`breakerAfter`"],
      Object.entries(builtInLimits).map(([code, settings]) => [
        `\`${code}\``,
        Object.entries(settings.price)
          .filter(([, points]) => points > 0)
          .map(([part, points]) => (part === "base" ? String(points) : `${part} +${points}`))
          .join(", "),
        String(settings.runningMax),
        settings.rate === null ? "none" : `${settings.rate.perSecond} a second, ${settings.rate.burst} at once`,
        String(settings.runTimeoutSeconds),
        String(settings.attempts),
        settings.breakerAfter === null ? "never" : String(settings.breakerAfter),
      ]),
    ),
    "",
  ].join("\n\n");
}
