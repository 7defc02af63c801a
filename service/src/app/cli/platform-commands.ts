/** `querentd platform`: the operator's commands for platforms. */
import { InvalidArgumentError, type Command } from "commander";
import {
  costsOf,
  readPlatformCosts,
  type Cost,
  type PlatformCosts,
  type VendorPrices,
} from "../../statistics/index.ts";
import { listPlatformModels } from "./list-models.ts";
import { listPlatforms } from "./list-platforms.ts";
import { print, withDatabase, type Output } from "./operator-command.ts";
import { table, type Column } from "./table.ts";
import { readPlatformSettings } from "../platform-settings.ts";
import { testPlatform } from "./test-platform.ts";

export function addPlatformCommands(program: Command): void {
  const platform = program.command("platform").description("list and test platforms");
  platform
    .command("list")
    .description("list the platforms, and what is missing to use them")
    .option("--json", "print JSON")
    .action((options: Output) => listPlatforms(options));
  platform
    .command("models")
    .description("ask the vendors which models they have, and show which of the configured ones are missing")
    .argument("[code]", "the platform's code; all platforms with a key by default")
    .option("--json", "print JSON")
    .action((code: string | undefined, options: Output) => listPlatformModels(code, options));
  platform
    .command("test")
    .description("ask a platform one question, and show the requests, the responses and the result")
    .argument("<code>", "the platform's code")
    .argument("<question>", "the question")
    .option("--deep", "with `deepAnalysis`")
    .option("--json", "print JSON, with complete bodies")
    .action((code: string, question: string, options: Output & { deep?: boolean }) =>
      testPlatform(code, question, options),
    );
  platform
    .command("costs")
    .description("show the points charged per platform, and the reported usage of your vendor accounts")
    .option("--days <n>", "number of days, including today", readDays, 30)
    .option("--json", "print JSON")
    .action((options: Output & { days: number }) =>
      withDatabase(async ({ config, database }) => {
        const settings = readPlatformSettings(config.config);
        const rows = (await readPlatformCosts(database, options.days)).map((costs) =>
          perTask(costs, settings.get(costs.platform)?.cost ?? null),
        );
        print(options, { days: options.days, platforms: rows }, rows.length === 0 ? nothing : asTable(rows));
      }),
    );
}

const nothing = "No task has completed in these days.";

type Row = ReturnType<typeof perTask>;

function perTask(costs: PlatformCosts, prices: VendorPrices | null) {
  const average = (sum: number | null) => (sum === null || costs.metered === 0 ? null : sum / costs.metered);
  const paid = costsOf(costs, prices);
  return {
    ...costs,
    costs: paid,
    perTask: {
      chargedPoints: costs.completed === 0 ? null : costs.chargedPoints / costs.completed,
      inputTokens: average(costs.inputTokens),
      outputTokens: average(costs.outputTokens),
      searches: average(costs.searches),
      money: costs.metered === 0 ? null : inOneCurrency(paid, costs.metered),
    },
  };
}

/** The sum of the costs in their currency; null if nothing is known, or there is more than one. */
function inOneCurrency(paid: readonly Cost[], tasks: number): { amount: number; currency: string } | null {
  const [first, ...others] = paid;
  if (first === undefined || others.some(({ currency }) => currency !== first.currency)) return null;
  return { amount: paid.reduce((sum, { amount }) => sum + amount, 0) / tasks, currency: first.currency };
}

function asTable(rows: readonly Row[]): string {
  return table(
    costColumns,
    rows.map(({ platform, completed, chargedPoints, metered, failedAttempts, costs, perTask: each }) => [
      platform,
      completed,
      chargedPoints,
      metered,
      figure(each.chargedPoints, 1),
      figure(each.inputTokens, 0),
      figure(each.outputTokens, 0),
      figure(each.searches, 1),
      failedAttempts,
      each.money === null ? "-" : `${each.money.amount.toFixed(6)} ${each.money.currency}`,
      costs.map(({ amount, currency, basis }) => `${amount.toFixed(2)} ${currency} ${basis}`).join(" + ") || "unknown",
    ]),
  );
}

const costColumns: readonly Column[] = [
  { head: "PLATFORM", least: 8 },
  { head: "COMPLETED" },
  { head: "POINTS" },
  { head: "METERED", optional: 5 },
  { head: "POINTS/TASK", optional: 4 },
  { head: "INPUT TOKENS", optional: 3 },
  { head: "OUTPUT TOKENS", optional: 2 },
  { head: "SEARCHES", optional: 1 },
  { head: "FAILED ATTEMPTS", optional: 6 },
  { head: "COST/TASK" },
  { head: "COST", optional: 7 },
];

const figure = (value: number | null, digits: number) => (value === null ? "-" : value.toFixed(digits));

function readDays(text: string): number {
  const days = Number(text);
  if (!/^\d{1,5}$/.test(text) || days === 0) throw new InvalidArgumentError("Days are a whole number from 1 to 99999.");
  return days;
}
