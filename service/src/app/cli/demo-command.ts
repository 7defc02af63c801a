import type { Command } from "commander";
import { createToken, findAccount } from "../../accounts/index.ts";
import { readHolder } from "../../db/embedded/index.ts";
import type { Database } from "../../db/index.ts";
import {
  deleteDemonstration,
  demoAccount,
  demoPoints,
  demoTruth,
  fillDemo,
  findDemo,
  makeDemonstration,
  removeDemo,
} from "../../demo/index.ts";
import { EntitySearch } from "../../observations/index.ts";
import { querent, querentd } from "../../kernel/program-name.ts";
import type { Config } from "../config.ts";
import { createAccount } from "../accounts.ts";
import { CommandError } from "../command-error.ts";
import { noteAudit } from "../../runtime/audited.ts";
import { print, withDatabase, type OperatorOutput } from "./operator-command.ts";
import { table } from "./table.ts";

/** Where `querent` looks for the service, unless it is told otherwise. */
const clientAddress = "http://127.0.0.1:8080";
const dayMs = 86_400_000;
const tokenDays = 30;

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
  // The log of an account that is deleted is deleted with it: that is an entry of the installation.
  if (existing !== null && (options.remove !== true || options.account !== undefined))
    noteAudit({ accountId: existing });
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
  const deps = { database, entities: new EntitySearch(database), retentionMs: config.retentionDays * dayMs };
  const { accountId, filled } =
    options.account !== undefined && existing !== null
      ? { accountId: existing, filled: await fillDemo(database, existing, deps) }
      : await makeDemonstration({ ...deps, createAccount: (input) => createAccount(database, masterKey, input) });
  if (filled === null)
    throw new CommandError(`Somebody else has just created the demonstration in the account ${name}.`);
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
    { account: name, accountId, ...filled, token: token?.token ?? null },
    describeFilled({
      name,
      ...filled,
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
  if (accountId === null || (options.account !== undefined && panelId === null))
    throw new CommandError(`The account ${name} has no demonstration. Nothing was deleted.`);
  if (panelId === null)
    throw new CommandError(
      `The account ${name} has no demonstration, so it is somebody's own. Nothing was deleted. To fill it: ${querentd} demo`,
    );
  if (options.account === undefined) await deleteDemonstration(database);
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
