import { table } from "../output/columns.js";
import { printableLine } from "../output/printable.js";
export function addPlatforms(program, open) {
  program
    .command("platforms")
    .description("list platforms with their fields, prices and health")
    .action(async (_flags, command) => {
      const { output, querent, signal } = open(command);
      const platforms = await querent.platforms.list({ signal });
      if (output.format === "text") return output.text(...platformLines(platforms, output));
      for (const platform of platforms) await output.json(platform);
    });
}
function platformLines(platforms, { color, width }) {
  const rows = platforms.map(({ platformCode, kind, configured, price, returns, health, outputs }) => [
    color.bold(printableLine(platformCode)),
    kind,
    configured ? color.green("ready") : color.dim("not configured"),
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
