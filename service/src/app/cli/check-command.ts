import { InvalidArgumentError, type Command } from "commander";
import pc from "picocolors";
import { checkContents } from "../../artifacts/index.ts";
import { checkConsistency, type ConsistencyCheck } from "../../operator/index.ts";
import { readConfig } from "../config.ts";
import { openContentStore } from "../open-content-store.ts";
import { openExistingDatabase } from "../open-database.ts";
import { print, type OperatorOutput } from "./operator-command.ts";

export function addCheckCommand(program: Command): void {
  program
    .command("check")
    .description(
      "check that the database is whole and artifacts are in the store; the exit code is 1 if anything is wrong",
    )
    .option(
      "--artifacts <n>",
      "how many artifacts to read and compare with their digests, the newest first",
      readCount,
      1000,
    )
    .option("--json", "print JSON")
    .action(check);
}

/** `querentd check`: changes nothing and migrates nothing, so it also runs on a restored backup, and needs no master key. */
async function check(options: OperatorOutput & { artifacts: number }): Promise<void> {
  const config = readConfig(process.env);
  await using opened = await openExistingDatabase(config);
  const { at, checks } = await checkConsistency(opened.database);
  const store = openContentStore(config);
  let contents;
  try {
    contents = await checkContents(opened.database, store, options.artifacts);
  } finally {
    await store.close();
  }
  const all: readonly ConsistencyCheck[] = [
    ...checks,
    {
      holds: `the newest ${contents.read} artifacts are in ${store.place}, unchanged`,
      violations: contents.violations,
      unchecked: null,
    },
  ];
  print(options, { at, checks: all }, all.map(describe).join("\n"));
  if (all.some(({ violations }) => violations.length > 0)) process.exitCode = 1;
}

function describe({ holds, violations, unchecked }: ConsistencyCheck): string {
  if (unchecked !== null) return `${pc.yellow("-    ")}  ${holds}: not checked, because ${unchecked}`;
  if (violations.length === 0) return `${pc.green("ok   ")}  ${holds}`;
  return [`${pc.red("WRONG")}  ${holds}`, ...violations.map((violation) => `         not: ${violation}`)].join("\n");
}

function readCount(text: string): number {
  const count = Number(text);
  if (!/^\d+$/.test(text)) throw new InvalidArgumentError("A number of artifacts is a whole number.");
  return count;
}
