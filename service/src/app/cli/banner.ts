import pc from "picocolors";
import type { Role } from "../roles/names.ts";
import type { RunningService } from "../compose.ts";
import { describeChanges, type Config } from "../config.ts";
import { browserAdvice } from "../browsers.ts";
import { describeMissing, installCommand, type OptionalPackage } from "../optional-packages.ts";
import { querentd } from "../../kernel/program-name.ts";
import { setUps, type Platform } from "../../platforms/index.ts";
import { version } from "../version.ts";

interface BannerInput {
  readonly config: Config;
  readonly service: Pick<RunningService, "address" | "platforms">;
  /** The URL of the management port; null if there is none. */
  readonly management: string | null;
  readonly roles: readonly Role[];
  /** The first account's token, only at its first start. */
  readonly token: string | null;
  readonly missing: readonly OptionalPackage[];
  /** Why this process has no usable browser; null if it has one, or if that is not known yet. */
  readonly noBrowser: string | null;
}

/** The banner that the operator sees once the service is up: its URL, an example request, and the settings that were changed. */
export function printBanner(input: BannerInput): void {
  const { config, management, roles, token, missing, noBrowser } = input;
  const { address, platforms } = input.service;
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
  }
  if (management !== null) lines.push(`  Management ${pc.cyan(management)}`, "");
  if (address !== null) {
    lines.push("  Try it:", "", ...tryIt(address, token).map((line) => `    ${line}`), "");
    // At the first start there is nothing to see yet, and most platforms have to be set up.
    if (token !== null) {
      lines.push(
        "  Platforms:",
        "",
        ...describePlatforms(platforms, noBrowser !== null).map((line) => `    ${line}`.trimEnd()),
        "",
      );
      lines.push(`  See every view with simulated answers: ${querentd} demo`, "");
    } else if (config.accessToken === null)
      lines.push(`  For another access token: ${querentd} token create --account default --name NAME`, "");
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
  if (noBrowser !== null) lines.push(...describeNoBrowser(noBrowser));
  lines.push(
    `  Settings (the others have their defaults; ${querentd} doctor shows all):`,
    "",
    ...settings(config, roles).map((line) => pc.dim(`    ${line}`)),
    "",
    "  Stop with Ctrl-C.",
    "",
  );
  // Last and alone, where it is seen and easily copied.
  if (token !== null) lines.push(...describeToken(token));
  process.stdout.write(`${lines.join("\n")}\n`);
}

/** The token of the first account, which nothing can show again. */
export function printToken(token: string): void {
  process.stdout.write(`${describeToken(token).join("\n")}\n`);
}

const describeToken = (token: string) => [
  `  Access token of the account ${pc.bold("default")}, shown this once:`,
  "",
  token,
  "",
];

/** The same part of the banner, for when it becomes known later. */
export function printNoBrowser(why: string): void {
  process.stdout.write(`${["", ...describeNoBrowser(why)].join("\n")}\n`);
}

function describeNoBrowser(why: string): string[] {
  return [
    `  ${pc.yellow("This process can use no browser:")}`,
    "",
    `    ${why}`,
    "    It takes no screenshots, and asks no platform that is a web page, nor its stand-in. While no other worker has a browser, such tasks are refused.",
    `    ${browserAdvice}`,
    `    It looks again by itself. To look into it: ${querentd} doctor`,
    "",
  ];
}

/** Which can be asked, and what sets up the others: in one line for those whose commands differ in the code only. */
function describePlatforms(platforms: readonly Platform[], hasNoBrowser: boolean): string[] {
  const codesOf = (some: readonly Platform[]) => some.map(({ code }) => code).join(", ") || "none";
  const standIns = platforms.filter(({ standIn }) => standIn === true);
  const ready = platforms.filter(({ missing, standIn }) => missing === null && standIn !== true);
  const others = platforms.filter((platform) => !ready.includes(platform));
  const commandOf = ({ setUp = setUps.other }: Platform) => setUp.command;
  // The stand-ins are named one by one: clients expect these platforms.
  const groups = Map.groupBy(others, (platform) =>
    platform.standIn === true ? platform.code : commandOf(platform).replaceAll(platform.code, "CODE"),
  );
  const lines = [...groups].flatMap(([command, group]): (readonly [string, string])[] =>
    group.length === 1
      ? group.map((platform) => [platform.code, commandOf(platform)])
      : [
          ["CODE", command],
          ["", `for ${codesOf(group)}`],
        ],
  );
  const width = Math.max(0, ...lines.map(([code]) => code.length));
  const toKnow = hasNoBrowser
    ? "need a browser: see below"
    : "an example page of this service answers, offline, until you set them up";
  return [
    `Ready: ${codesOf(ready)}`,
    ...(standIns.length === 0 ? [] : [`Stand-ins: ${codesOf(standIns)} (${toKnow})`]),
    "",
    "To set up another one:",
    "",
    ...lines.map(([code, command]) => `${code.padEnd(width)}  ${command}`),
  ];
}

function tryIt(address: string, token: string | null): string[] {
  return [
    `curl -s ${address}/v1/tasks/batch \\`,
    `  -H "Authorization: Bearer ${token ?? "$QUERENT_ACCESS_TOKEN"}" \\`,
    `  -H "Idempotency-Key: $(date +%s%N)" -H "Content-Type: application/json" \\`,
    `  -d '[{"question": "How fine should I grind for espresso?", "platformCode": "sample", "options": {}}]'`,
  ];
}

function settings(config: Config, roles: readonly Role[]): string[] {
  const described = describeChanges(config, roles);
  const width = Math.max(...described.map(({ name }) => name.length));
  return described.map(({ name, value }) => `${name.padEnd(width)}  ${value}`);
}
