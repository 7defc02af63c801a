import pc from "picocolors";
import type { Role } from "./compose.ts";
import { describeConfig, type Config } from "./config.ts";
import { describeMissing, installCommand, type OptionalPackage } from "./optional-packages.ts";
import { version } from "./version.ts";

interface BannerInput {
  readonly config: Config;
  readonly address: string | null;
  readonly roles: readonly Role[];
  /** The first account's token, at its first start only. */
  readonly token: string | null;
  readonly missing: readonly OptionalPackage[];
}

/** What the operator sees once the service is up: where it is, how to ask it something, and what it runs with. */
export function printBanner({ config, address, roles, token, missing }: BannerInput): void {
  const lines = [
    "",
    `${pc.bold("Querent")} ${version} is running${roles.length === 3 ? "" : ` (${roles.join(", ")})`}.`,
    "",
  ];
  if (address !== null) {
    lines.push(
      `  API        ${pc.cyan(address)}`,
      `  Console    ${pc.cyan(`${address}/console`)}`,
      `  Reference  ${pc.cyan(`${address}/docs`)}`,
      "",
    );
    lines.push("  Try it:", "", ...tryIt(address, token).map((line) => `    ${line}`), "");
  }
  if (missing.length > 0) {
    lines.push(
      `  ${pc.yellow("Not everything is installed:")}`,
      "",
      ...describeMissing(missing).map((line) => `    ${line}`),
      `    To install it, stop the service and run: ${installCommand}`,
      "",
    );
  }
  lines.push(
    "  Runs with:",
    "",
    ...settings(config).map((line) => pc.dim(`    ${line}`)),
    "",
    "  Stop with Ctrl-C.",
    "",
  );
  // Last and without anything around it, where it is seen and easily copied.
  if (token !== null)
    lines.push(`  Access token of the account ${pc.bold("default")}, shown this once:`, "", token, "");
  process.stdout.write(`${lines.join("\n")}\n`);
}

function tryIt(address: string, token: string | null): string[] {
  return [
    `curl -s ${address}/v1/tasks/batch \\`,
    `  -H "Authorization: Bearer ${token ?? "$QUERENT_ACCESS_TOKEN"}" \\`,
    `  -H "Idempotency-Key: $(date +%s%N)" -H "Content-Type: application/json" \\`,
    `  -d '[{"question": "How fine should I grind for espresso?", "platformCode": "sample", "options": {}}]'`,
  ];
}

function settings(config: Config): string[] {
  const described = describeConfig(config);
  const width = Math.max(...described.map(({ name }) => name.length));
  return described.map(({ name, value }) => `${name.padEnd(width)}  ${value}`);
}
