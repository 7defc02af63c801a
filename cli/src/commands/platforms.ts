import type { PlatformRecord } from "@querent/client";
import type { Command } from "commander";
import type { Open } from "../context.ts";
import { table } from "../output/columns.ts";
import type { CommandOutput } from "../output/output.ts";
import { printableLine } from "../output/printable.ts";

export function addPlatforms(program: Command, open: Open): void {
  program
    .command("platforms")
    .description("list platforms with their fields, prices and health")
    .action(async (_flags: object, command: Command) => {
      const { output, querent, signal } = open(command);
      const platforms = await querent.platforms.list({ signal });
      if (output.format === "text") return output.text(...platformLines(platforms, output), ...setUpLines(platforms));
      for (const platform of platforms) await output.json(platform);
    });
}

/** What the operator runs to set up those that are not. */
function setUpLines(platforms: readonly PlatformRecord[]): string[] {
  const lines = platforms.flatMap(({ platformCode, setUp }) =>
    setUp === null ? [] : [`  ${printableLine(`${platformCode}: ${setUp.command}`)}`],
  );
  return lines.length === 0 ? [] : ["", "The operator of the service sets up a platform with:", ...lines];
}

function platformLines(platforms: readonly PlatformRecord[], { color, width }: CommandOutput): string[] {
  const rows = platforms.map(({ platformCode, kind, configured, standIn, price, returns, health, outputs }) => [
    color.bold(printableLine(platformCode)),
    kind,
    configured ? (standIn ? color.yellow("stand-in") : color.green("ready")) : color.dim("not configured"),
    String(price.base),
    Object.entries(returns)
      .filter(([, given]) => given)
      .map(([name]) => name)
      .concat(outputs.filter((output) => output !== "answer"))
      .join(" "),
    health.successRate === null
      ? "-"
      : `${Math.floor(health.successRate * 100)} % of ${health.finished}, ${health.p50Seconds ?? "?"} s`,
  ]);
  return table(
    [
      { head: "PLATFORM" },
      { head: "KIND", optional: 2 },
      { head: "STATE" },
      { head: "POINTS", align: "right" },
      { head: "RETURNS", least: 16, optional: 1 },
      { head: "LATELY", least: 12 },
    ],
    rows,
    width,
  );
}
