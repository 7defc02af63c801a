/** `querentd platform`: the operator's commands for platforms. */
import { noteAudit } from "../../runtime/audited.ts";
import { InvalidArgumentError, type Command } from "commander";
import {
  costsOf,
  readPlatformCosts,
  type PlatformCost,
  type PlatformCosts,
  type VendorPrices,
} from "../../statistics/index.ts";
import { CommandError } from "../command-error.ts";
import { print, withDatabase, type OperatorOutput } from "./operator-command.ts";
import { table, type TableColumn } from "./table.ts";
import { readPlatformSettings, type PlatformSettings } from "../platform-settings.ts";
import { readConfig, type Config } from "../config.ts";
import {
  describeSetUp,
  setUps,
  isListed,
  keyedUpstream,
  keyOf,
  listModels,
  type Platform,
  type SetUp,
  type ModelList,
  type Upstream,
  type ApiStep,
  type Outcome,
} from "../../platforms/index.ts";
import { createPlatforms, platformKeys, platformsToRead, standInOf, withKeyFiles } from "../platforms.ts";
import { nothingStored, withStored, type StoredOfPlatforms } from "./with-stored.ts";
import type { TaskOptions } from "@querent/contract";
import { composeResult } from "../../answers/index.ts";
import { createBrowserPool, whyNoBrowser } from "../browsers.ts";
import { deleteKey, putKey, SetupError } from "../../setups/index.ts";

export function addPlatformCommands(program: Command): void {
  const platform = program.command("platform").description("list and test platforms");
  platform
    .command("list")
    .description("list the platforms, and what is missing to use them")
    .option("--json", "print JSON")
    .action((options: OperatorOutput) => listPlatforms(options));
  platform
    .command("models")
    .description("ask the vendors which models they have, and show which of the configured ones are missing")
    .argument("[code]", "the platform's code; all platforms with a key by default")
    .option("--json", "print JSON")
    .action((code: string | undefined, options: OperatorOutput) => listPlatformModels(code, options));
  platform
    .command("test")
    .description("ask a platform one question, and show the requests, the responses and the result")
    .argument("<code>", "the platform's code")
    .argument("<question>", "the question")
    .option("--deep", "with `deepAnalysis`")
    .option("--json", "print JSON, with complete bodies")
    .action((code: string, question: string, options: OperatorOutput & { deep?: boolean }) =>
      testPlatform(code, question, options),
    );
  const key = platform.command("key").description("store and remove the keys of vendors, encrypted in the database");
  key
    .command("set")
    .description("read a key from the standard input, and store it; running processes use it within seconds")
    .argument("<code>", "the platform's code")
    .action(storeKey);
  key
    .command("remove")
    .description("remove a stored key; it stays valid at the vendor")
    .argument("<code>", "the platform's code")
    .action((code: string) =>
      withDatabase(async ({ config, database }) => {
        const variable = keyVariableOf(config, code);
        noteAudit({ target: { type: "platform", id: code }, before: { variable } });
        if (!(await deleteKey(database, variable))) throw new CommandError(`No key is stored for ${code}.`);
        console.log(`Removed: ${variable}.`);
      }),
    );
  platform
    .command("costs")
    .description("show the points charged per platform, and the reported usage of your vendor accounts")
    .option("--days <n>", "number of days, including today", readDays, 30)
    .option("--json", "print JSON")
    .action((options: OperatorOutput & { days: number }) =>
      withDatabase(async ({ config, database }) => {
        const settings = readPlatformSettings(config.config);
        const rows = (await readPlatformCosts(database, options.days)).map((costs) =>
          perTask(costs, settings.get(costs.platform)?.cost ?? null),
        );
        print(options, { days: options.days, platforms: rows }, rows.length === 0 ? nothing : asTable(rows));
      }),
    );
}

async function storeKey(code: string): Promise<void> {
  const variable = keyVariableOf(readConfig(process.env), code);
  if (process.stdin.isTTY) console.error("Paste the key, and press Enter and Ctrl+D.");
  const key = await readKey();
  try {
    await withDatabase(async ({ database, masterKey }) => {
      noteAudit({ target: { type: "platform", id: code }, after: { variable } });
      await putKey(database, masterKey, { variable, key });
    });
  } catch (error) {
    throw error instanceof SetupError ? new CommandError(error.message) : error;
  }
  console.log(`Stored in place of ${variable}. A key in the environment of the service takes precedence.`);
}

/** From the standard input, because other users of the machine see the arguments of commands. */
async function readKey(): Promise<string> {
  const chunks: Buffer[] = [];
  let bytes = 0;
  for await (const chunk of process.stdin) {
    const part = Buffer.from(chunk as Uint8Array);
    bytes += part.length;
    if (bytes > 64 * 1024) throw new CommandError("The standard input has more than a key.");
    chunks.push(part);
  }
  return Buffer.concat(chunks).toString("utf8").trim();
}

/** The variable in whose place the key of a platform stands. */
function keyVariableOf(config: Config, code: string): string {
  const all = readPlatformSettings(config.config);
  const upstreams = all.get(code)?.api?.upstreams;
  if (upstreams === undefined)
    throw new CommandError(
      `There is no platform ${code} with a model API. Known: ${[...all].flatMap(([each, { api }]) => (api === null ? [] : [each])).join(", ")}.`,
    );
  const variable = keyedUpstream(upstreams)?.keyVariable ?? null;
  if (variable === null) throw new CommandError(`${code} needs no key.`);
  return variable;
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
function inOneCurrency(paid: readonly PlatformCost[], tasks: number): { amount: number; currency: string } | null {
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

const costColumns: readonly TableColumn[] = [
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

/** `querentd platform list`: the platforms, their URLs, and what is missing. */
export async function listPlatforms(options: OperatorOutput): Promise<void> {
  const config = readConfig(process.env);
  await withStored(config, async (stored) => {
    const settings = settingsWith(config, stored);
    const platforms = await platformsToRead({ config, settings, ...stored, onSampleProblem: () => undefined });
    printPlatforms(options, settings, platforms);
  });
}

function printPlatforms(
  options: OperatorOutput,
  settings: ReadonlyMap<string, PlatformSettings>,
  platforms: readonly Platform[],
): void {
  const rows = platforms.map(({ code, name, kind, missing, standIn = false, setUp = setUps.other }) => {
    const upstreams = settings.get(code)?.api?.upstreams ?? [];
    return {
      code,
      name,
      kind,
      models: upstreams.map(({ model }) => model),
      endpoints: upstreams.map(({ url }) => url),
      missing,
      standIn,
      setUp: missing === null && !standIn ? null : setUp,
    };
  });
  const cells = rows.map(({ code, name, models, endpoints, missing, standIn, setUp }) => [
    code,
    name,
    models.join(", ") || "-",
    endpoints.join(", ") || "-",
    stateOf(missing, standIn ? setUp : null),
  ]);
  print(options, rows, table(platformColumns, cells));
}

const stateOf = (missing: string | null, standIn: SetUp | null): string =>
  missing ?? (standIn === null ? "ready" : describeSetUp(standIn));

const platformColumns: readonly TableColumn[] = [
  { head: "CODE" },
  { head: "NAME", least: 8, optional: 2 },
  { head: "MODEL", least: 8, optional: 1 },
  { head: "ENDPOINT", least: 12, optional: 3 },
  { head: "STATE", least: 24 },
];

const settingsWith = (config: Config, { setups }: StoredOfPlatforms) =>
  readPlatformSettings(config.config, (code) => setups?.settingsOf(code) ?? {});

/** `querentd platform models`: whether the vendors have the configured models. Can do without a database, and asks no question. */
export async function listPlatformModels(code: string | undefined, options: OperatorOutput): Promise<void> {
  const config = readConfig(process.env);
  await withStored(config, (stored) => listModelsWith(config, stored, code, options));
}

async function listModelsWith(
  config: Config,
  stored: StoredOfPlatforms,
  code: string | undefined,
  options: OperatorOutput,
): Promise<void> {
  const all = settingsWith(config, stored);
  const keys = platformKeys(withKeyFiles({ environment: process.env, settings: all }), { settings: all, ...stored });
  if (code !== undefined && all.get(code)?.api === undefined) {
    const known = [...all].filter(([, { api }]) => api !== undefined).map(([each]) => each);
    throw new CommandError(`There is no platform ${code} with a model API. Known: ${known.join(", ")}.`);
  }
  const rows: ModelRow[] = [];
  for (const [platform, { api }] of all) {
    if (code !== undefined && platform !== code) continue;
    for (const upstream of api?.upstreams ?? []) {
      const key = keyOf(upstream, keys);
      // Without a code, only the platforms that are in use are listed.
      if (key === null && code === undefined) continue;
      const list: ModelList =
        key === null
          ? { kind: "failed", message: setUps.key([upstream.keyVariable ?? ""]).reason }
          : await listModels(upstream, key);
      rows.push(rowOf(platform, upstream, list));
    }
  }
  if (rows.some(({ error, missing }) => error !== null || missing.length > 0)) process.exitCode = 1;
  print(options, rows, rows.length === 0 ? "No key of a model API is set." : modelsTable(rows, code !== undefined));
}

interface ModelRow {
  readonly platform: string;
  readonly endpoint: string;
  readonly configured: readonly string[];
  /** The configured models that the vendor does not list. */
  readonly missing: readonly string[];
  readonly models: readonly string[];
  readonly error: string | null;
}

function rowOf(platform: string, upstream: Upstream, list: ModelList): ModelRow {
  const configured = upstream.models;
  const about = { platform, endpoint: upstream.url, configured };
  if (list.kind === "failed") return { ...about, missing: [], models: [], error: list.message };
  const missing = configured.filter((model) => !isListed(upstream, model, list.models));
  return { ...about, missing, models: list.models, error: null };
}

function modelsTable(rows: readonly ModelRow[], withModels: boolean): string {
  const cells = rows.map(({ platform, endpoint, configured, missing, models, error }) => [
    platform,
    endpoint,
    configured.join(", "),
    error ?? (missing.length === 0 ? `listed, of ${models.length}` : `not listed: ${missing.join(", ")}`),
  ]);
  const lists = withModels ? rows.flatMap(({ endpoint, models }) => ["", `Models at ${endpoint}:`, ...models]) : [];
  return [table(modelColumns, cells), ...lists.map(printable)].join("\n");
}

/** Without control characters, which a terminal would interpret. */
function printable(text: string): string {
  return text.replace(/\p{Cc}/gu, "�");
}

const modelColumns: readonly TableColumn[] = [
  { head: "PLATFORM", least: 8 },
  { head: "ENDPOINT", least: 12, optional: 1 },
  { head: "CONFIGURED", least: 8 },
  { head: "STATE", least: 24 },
];

/** How much of a body is shown; `--json` shows all of it. */
const shownCharsMax = 4_000;

/** `querentd platform test`: one question, with its request and response. Can do without a database, but uses what one holds. */
export async function testPlatform(
  code: string,
  text: string,
  { deep = false, json = false }: { deep?: boolean; json?: boolean },
): Promise<void> {
  const config = readConfig(process.env);
  const all = readPlatformSettings(config.config);
  const own = all.get(code);
  if (own === undefined) throw new CommandError(`There is no platform ${code}. Known: ${[...all.keys()].join(", ")}.`);
  const asked = { config, code, own, text, deep, json };
  await (own.web === null && own.api === null
    ? askOnce(asked, nothingStored)
    : withStored(config, (stored) =>
        askOnce({ ...asked, own: settingsWith(config, stored).get(code) ?? own }, stored),
      ));
}

interface Asked {
  readonly config: Config;
  readonly code: string;
  readonly own: PlatformSettings;
  readonly text: string;
  readonly deep: boolean;
  readonly json: boolean;
}

async function askOnce({ config, code, own, text, deep, json }: Asked, stored: StoredOfPlatforms): Promise<void> {
  const steps: ApiStep[] = [];
  const browsers = createBrowserPool(config, { onEvent: () => undefined });
  const standIn = standInOf(config);
  const [platform] = await createPlatforms({
    config,
    settings: new Map([[code, own]]),
    environment: process.env,
    browsers,
    ...stored,
    standIn,
    noBrowser: await whyNoBrowser(config),
    onSampleProblem: (problem) => console.error(JSON.stringify(problem)),
    onApiStep: (step) => void steps.push(step),
  });
  if (platform === undefined || platform.missing !== null)
    throw new CommandError(`${code}: ${platform?.missing ?? "missing"}`);
  const options: TaskOptions = { deepAnalysis: deep, output: "answer", resultFormat: "json" };
  const question = { taskId: "00000000-0000-7000-8000-000000000000", text, options, attempt: 1 };
  let outcome: Outcome;
  try {
    outcome = await platform.ask(question, { signal: AbortSignal.timeout(own.runTimeoutSeconds * 1000) });
  } finally {
    await browsers.close();
    await standIn?.close();
  }
  if (outcome.kind !== "answered") process.exitCode = 1;
  const report = outcomeOf(outcome, platform, options);
  process.stdout.write(json ? `${JSON.stringify({ steps, ...report }, null, 2)}\n` : describe(steps, report));
}

function outcomeOf(outcome: Outcome, platform: Platform, options: TaskOptions) {
  if (outcome.kind !== "answered") return { outcome };
  const { kind, consumption } = outcome;
  return { outcome: { kind, consumption }, result: composeResult(outcome.answer, platform, options) };
}

function describe(steps: readonly ApiStep[], report: object): string {
  const lines = steps.flatMap(({ sent, end, durationMs, api, endpoint }) => [
    `--- ${api} at ${endpoint}`,
    `> ${sent.method} ${sent.url}`,
    ...Object.entries(sent.headers).map(([name, value]) => `> ${name}: ${value}`),
    ...(sent.body === null ? [] : ["", indented(sent.body)]),
    "",
    `< ${end.kind === "received" ? end.status : end.kind} after ${durationMs} ms`,
    ...(end.kind === "received" ? Object.entries(end.headers).map(([name, value]) => `< ${name}: ${value}`) : []),
    ...("body" in end ? ["", indented(end.body)] : []),
    "",
  ]);
  const shown = [...lines, "--- what is made of it", JSON.stringify(report, null, 2)].map(escaped);
  return `${shown.join("\n")}\n`;
}

/** JSON is indented; anything else is unchanged. */
function indented(body: string): string {
  let text = body;
  try {
    text = JSON.stringify(JSON.parse(body), null, 2);
  } catch {
    // Shown as received.
  }
  const left = text.length - shownCharsMax;
  return left > 0 ? `${text.slice(0, shownCharsMax).toWellFormed()}\n… ${left} more characters` : text;
}

/** Without control characters, which a terminal would interpret. */
function escaped(text: string): string {
  return text.replace(/[^\P{Cc}\n\t]/gu, (found) => `\\u${found.charCodeAt(0).toString(16).padStart(4, "0")}`);
}
