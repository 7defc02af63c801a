import type { Command } from "commander";
import { readerVersion } from "../../answers/index.ts";
import { createToken, deleteAccount, findAccount } from "../../accounts/index.ts";
import { readHolder } from "../../db/embedded/index.ts";
import type { Database } from "../../db/index.ts";
import { demoPlatforms, demoTruth, fillDemo, findDemo, removeDemo } from "../../demo/index.ts";
import { EntitySearch, observeTasks } from "../../observations/index.ts";
import { querent, querentd } from "../../kernel/program-name.ts";
import type { Config } from "../config.ts";
import { createAccount } from "../accounts.ts";
import { CommandError } from "../command-error.ts";
import { print, withDatabase, type OperatorOutput } from "./operator-command.ts";
import { table } from "./table.ts";

/** The account of the demonstration, unless another is given. */
const demoAccount = "simulated-demo";
/** Where `querent` looks for the service, unless it is told otherwise. */
const clientAddress = "http://127.0.0.1:8080";
const dayMs = 86_400_000;
const tokenDays = 30;
/** Enough for the sample batch of the console and a few questions more, and little if a platform with a price is asked. */
const demoPoints = 100;

export function addDemoCommand(program: Command): void {
  program
    .command("demo")
    .description(
      `show every view with four weeks of simulated answers, in an account of its own (${demoAccount}); costs nothing`,
    )
    .option("--account <name>", "fill this existing account instead")
    .option("--remove", "take everything away again")
    .option("--truth", "print what the figures should find, and change nothing")
    .option("--json", "print JSON")
    .action((options: DemoOptions) => (options.truth === true ? printTruth(options) : withDatabase(run(options))));
}

interface DemoOptions extends OperatorOutput {
  readonly account?: string;
  readonly remove?: true;
  readonly truth?: true;
}

type Deps = Parameters<Parameters<typeof withDatabase>[0]>[0];

const run = (options: DemoOptions) => async (deps: Deps) => {
  const { database } = deps;
  const name = options.account ?? demoAccount;
  const existing = await findAccount(database, name);
  if (existing === null && options.account !== undefined)
    throw new CommandError(`There is no account named ${name}. Nothing was changed.`);
  const panelId = existing === null ? null : await findDemo(database, existing);
  if (options.remove === true) return remove(database, { name, accountId: existing, panelId }, options);
  if (panelId !== null)
    throw new CommandError(
      `The account ${name} has the demonstration already (panel ${panelId}). To renew it, first run: ${querentd} demo --remove${accountFlag(options)}`,
    );
  return fill(deps, { name, existing }, options);
};

async function fill(
  { database, masterKey, config }: Deps,
  { name, existing }: { readonly name: string; readonly existing: string | null },
  options: DemoOptions,
): Promise<void> {
  const accountId = existing ?? (await createAccount(database, masterKey, { name, points: demoPoints }));
  const entities = new EntitySearch(database);
  const demo = await fillDemo(database, accountId, {
    entities,
    retentionMs: config.retentionDays * dayMs,
    // The simulated web page is read with a recipe that never changes.
    observe: observeTasks({
      entities,
      reader: readerVersion,
      recipeOf: (code) => (code === demoPlatforms.web ? "simulated" : null),
      kindOf: (code) => (code === demoPlatforms.web ? "web" : "api"),
    }),
  });
  const token =
    options.account === undefined
      ? await createToken(database, {
          accountId,
          scopes: ["tasks:read", "tasks:write", "panels:read", "usage:read"],
          name: "demo",
          expiresAt: new Date(Date.now() + tokenDays * dayMs),
        })
      : null;
  print(
    options,
    { account: name, accountId, ...demo, token: token?.token ?? null },
    describeFilled({
      name,
      ...demo,
      address: addressOf(config),
      token: token?.token ?? null,
      flag: accountFlag(options),
    }),
  );
}

async function remove(
  database: Database,
  { name, accountId, panelId }: { name: string; accountId: string | null; panelId: string | null },
  options: DemoOptions,
): Promise<void> {
  if (options.account === undefined && accountId !== null) {
    if (panelId === null)
      throw new CommandError(
        `The account ${name} has no demonstration, so it is somebody's own. Nothing was deleted. To fill it: ${querentd} demo`,
      );
    if (!(await deleteAccount(database, accountId)))
      throw new CommandError(
        `The account ${name} has tasks that have not ended. Nothing was deleted. Cancel them, or wait for them, and try again.`,
      );
  } else if (accountId === null || panelId === null)
    throw new CommandError(`The account ${name} has no demonstration. Nothing was deleted.`);
  else await removeDemo(database, accountId, panelId);
  print(
    options,
    { account: name, removed: true },
    options.account === undefined
      ? `The demonstration was removed, with its account ${name} and its tokens.`
      : `The demonstration was removed from the account ${name}.`,
  );
}

function describeFilled(demo: {
  readonly name: string;
  readonly panelId: string;
  readonly runs: number;
  readonly answers: number;
  readonly address: string;
  readonly token: string | null;
  readonly flag: string;
}): string {
  const count = demo.answers.toLocaleString("en");
  return [
    `The account ${demo.name} has a panel with ${demo.runs} runs and ${count} simulated answers. Nobody was asked, and nothing was charged.`,
    "",
    `  Console   ${demo.address}/console/panels/${demo.panelId}`,
    ...(demo.token === null
      ? []
      : [
          `  Token     ${demo.token}`,
          `            for ${tokenDays} days and ${demoPoints} points, shown this once: sign in with it`,
        ]),
    "",
    "  On the command line, while the service runs:",
    "",
    ...(demo.address === clientAddress ? [] : [`    export QUERENT_URL=${demo.address}`]),
    ...(demo.token === null ? [] : [`    export QUERENT_TOKEN=${demo.token}`]),
    `    ${querent} panel show ${demo.panelId}`,
    "",
    `  What the figures should find:  ${querentd} demo --truth`,
    `  Take everything away again:    ${querentd} demo --remove${demo.flag}`,
  ].join("\n");
}

function printTruth(options: OperatorOutput): void {
  const truth = demoTruth();
  print(
    options,
    truth,
    table(
      [{ head: "PLATFORM" }, { head: "NAMED OR CITED" }, { head: "LAST MODEL" }, { head: "CHANGE" }],
      truth.map(({ platformCode, subject, percent, change }) => [platformCode, subject, `${percent} %`, change]),
    ),
  );
}

const accountFlag = ({ account }: DemoOptions) => (account === undefined ? "" : ` --account "${account}"`);

/** Where the service is reached: with the embedded database, it has noted its address in the data folder. */
const addressOf = ({ publicUrl, databaseUrl, dataDir, host, port }: Config) =>
  publicUrl ?? (databaseUrl === null ? readHolder(dataDir)?.address : undefined) ?? `http://${host}:${port}`;
