/** `querentd account | token | points`: the operator's commands, each of which can run beside a service. */
import { scopes, accountNamePattern, programScopes, projectScopes, type Scope } from "@querent/contract";
import { Argument, InvalidArgumentError, Option, type Command } from "commander";
import {
  createToken,
  findAccount,
  listAccounts,
  listTokens,
  revokeToken,
  setStorageQuota,
} from "../../accounts/index.ts";
import { deleteObservations, keepObservations } from "../../observations/index.ts";
import { setFactorRule } from "../../people/index.ts";
import { grantPoints } from "../../points/index.ts";
import { createAccount } from "../accounts.ts";
import { CommandError } from "../command-error.ts";
import { collectProjects, projectIdsNamed } from "./project-names.ts";
import { print, readUuid, withDatabase, type OperatorOutput } from "./operator-command.ts";
import { table, type TableColumn } from "./table.ts";
import { querentd } from "../../kernel/program-name.ts";
import type { Database } from "../../db/index.ts";
import { noteAudit } from "../../runtime/audited.ts";

const dayMs = 86_400_000;

export function addAccountCommands(program: Command): void {
  addObservations(addAccount(program));
  addToken(program);
  addPoints(program);
}

function addAccount(program: Command): Command {
  const account = program.command("account").description("manage accounts");
  account
    .command("create")
    .description("create an account")
    .argument("<name>", "its name", readName)
    .option("--points <n>", "initial points", readPoints, 0)
    .option("--json", "print JSON")
    .action((name: string, options: OperatorOutput & { points: number }) =>
      withDatabase(async ({ database, masterKey }) => {
        if ((await findAccount(database, name)) !== null) throw new CommandError(`The account ${name} already exists.`);
        const accountId = await createAccount(database, masterKey, { name, points: options.points });
        print(
          options,
          { accountId, name, points: options.points },
          `Account ${name} has ${options.points} points. Give it a token: ${querentd} token create --account "${name}"`,
        );
      }),
    );
  account
    .command("list")
    .description("list the accounts")
    .option("--by-size", "those that store the most first (default: newest first)")
    .option("--json", "print JSON")
    .action((options: OperatorOutput & { bySize?: true }) =>
      withDatabase(async ({ database }) => {
        const accounts = await listAccounts(database, options.bySize === true ? { bySize: { before: null } } : {});
        print(
          options,
          accounts,
          table(
            accountColumns,
            accounts.map((row) => [
              row.name,
              row.balance.available,
              row.balance.held,
              row.balance.captured,
              row.unfinishedTasks,
              inMib(row.storage.totalBytes),
              inMib(row.storage.bytes),
              row.storage.rows,
            ]),
          ),
        );
      }),
    );
  addQuota(account);
  addSecondFactor(account);
  return account;
}

function addSecondFactor(account: Command): void {
  account
    .command("second-factor")
    .description("require a passkey or a code of the members of an account, or no longer")
    .argument("<name>", "the account")
    .addArgument(new Argument("<rule>", "whether it is required").choices(["required", "optional"]))
    .option("--json", "print JSON")
    .action((name: string, rule: string, options: OperatorOutput) =>
      withDatabase(async ({ database }) => {
        const accountId = await accountNamed(database, name);
        const set = await database.transaction((tx) => setFactorRule(tx, { accountId, required: rule === "required" }));
        print(
          options,
          { account: name, ...set },
          set.required
            ? `Members of ${name} need a second factor. Whoever has none can only set one up.`
            : `Members of ${name} need no second factor.`,
        );
      }),
    );
}

function addObservations(account: Command): void {
  account
    .command("observations")
    .description("set how long an account's observations are kept, or delete all of them")
    .argument("<name>", "the account", readName)
    .addOption(
      new Option("--keep <days>", "a number of days, `forever`, or `default`: QUERENT_OBSERVATION_DAYS")
        .argParser(readKeep)
        .conflicts("delete"),
    )
    .option(
      "--delete",
      "delete every observation of the account, and what is kept of its failed tasks; its tasks and results stay",
    )
    .option("--json", "print JSON")
    .action((name: string, { keep, ...options }: OperatorOutput & { keep?: Keep; delete?: true }) =>
      withDatabase(async ({ database }) => {
        const accountId = await accountNamed(database, name);
        if (options.delete === true) {
          const { observations, failures } = await deleteObservations(database, accountId, {});
          print(
            options,
            { account: name, deleted: observations, deletedFailures: failures },
            `${observations} observations and ${failures} failed tasks of ${name} were deleted.`,
          );
        } else if (keep !== undefined) {
          noteAudit({ after: { keep } });
          await database.transaction((tx) => keepObservations(tx, accountId, keep));
          const kept = typeof keep === "number" ? `for ${keep} days` : (keep ?? "forever");
          print(options, { account: name, keep: keep ?? "forever" }, `Observations of ${name} are kept: ${kept}.`);
        } else throw new CommandError("Specify --keep or --delete.");
      }),
    );
}

/** How many days observations are kept; null for ever. */
type Keep = Parameters<typeof keepObservations>[2];

function readKeep(value: string): Keep {
  if (value === "forever") return null;
  if (value === "default") return value;
  const days = Number(value);
  if (Number.isInteger(days) && days > 0 && days <= 36_500) return days;
  throw new InvalidArgumentError("It is a number of days up to 36500, `forever` or `default`.");
}

type TokenOptions = OperatorOutput & {
  account: string;
  scopes?: Scope[];
  project?: string[];
  expires?: number;
  name?: string;
};

function addToken(program: Command): void {
  const token = program.command("token").description("manage access tokens");
  addTokenCreate(token);
  token
    .command("list")
    .description("list tokens, without their text")
    .option("--account <name>", "only tokens of this account")
    .option("--json", "print JSON")
    .action((options: OperatorOutput & { account?: string }) =>
      withDatabase(async ({ database }) => {
        const filter =
          options.account === undefined ? {} : { accountId: await accountNamed(database, options.account) };
        const tokens = await listTokens(database, filter);
        print(
          options,
          tokens.map(({ accountName, record }) => ({ ...record, accountName })),
          table(
            tokenColumns,
            tokens.map(({ accountName, record }) => [
              record.tokenId,
              accountName,
              `${record.preview}…`,
              record.scopes.join(","),
              record.expiresAt ?? "-",
              record.revokedAt ?? "-",
              record.lastUsedAt ?? "-",
              record.name ?? "",
            ]),
          ),
        );
      }),
    );
  token
    .command("revoke")
    .description("revoke a token immediately")
    .argument("<id>", "the id shown by `token list`", readUuid)
    .option("--json", "print JSON")
    .action((tokenId: string, options: OperatorOutput) =>
      withDatabase(async ({ database }) => {
        const [known] = await listTokens(database, { tokenId });
        if (known !== undefined)
          noteAudit({
            accountId: known.accountId,
            target: { type: "token", id: tokenId },
            before: { name: known.record.name },
          });
        if (!(await database.transaction((tx) => revokeToken(tx, tokenId))))
          throw new CommandError("No active token has this id.");
        print(options, { tokenId, revoked: true }, "Revoked.");
      }),
    );
}

function addTokenCreate(token: Command): void {
  token
    .command("create")
    .description("issue a token; it is shown once")
    .requiredOption("--account <name>", "the account of the token")
    .option("--scopes <list>", `scopes, separated by commas: ${scopes.join(", ")}`, readScopes)
    .option(
      "--project <project>",
      `limit it to a project, by name or id; repeatable. It has the scopes ${projectScopes.join(", ")}, or some of them`,
      collectProjects,
    )
    .option("--expires <time>", "lifetime, such as 12h or 30d (default: does not expire)", readLifetime)
    .option("--name <text>", "a name to identify the token")
    .option("--json", "print JSON")
    .action((options: TokenOptions) =>
      withDatabase(async ({ database }) => {
        const accountId = await accountNamed(database, options.account);
        const projects = await projectIdsNamed(database, accountId, options.project);
        const given = options.scopes ?? (projects === null ? programScopes : projectScopes);
        const wide = projects === null ? [] : given.filter((scope) => !projectScopes.includes(scope));
        if (wide.length > 0)
          throw new CommandError(
            `A token that is limited to projects has no scopes that are about the whole account: leave out ${wide.join(", ")}.`,
          );
        const expiresAt = options.expires === undefined ? null : new Date(Date.now() + options.expires);
        const made = await database.transaction((tx) =>
          createToken(tx, { accountId, scopes: given, projects, name: options.name ?? null, expiresAt }),
        );
        // Only the token goes to standard output: `TOKEN=$(querentd token create ...)`.
        if (options.json !== true && process.stdout.isTTY)
          console.error(
            `A token of the account ${options.account} for ${given.join(", ")}${expiresAt === null ? "" : ` until ${expiresAt.toISOString()}`}. It is shown this once:`,
          );
        print(
          options,
          { ...made, account: options.account, scopes: given, ...(projects === null ? {} : { projects }), expiresAt },
          made.token,
        );
      }),
    );
}

function addPoints(program: Command): void {
  program
    .command("points")
    .description("manage points")
    .command("grant")
    .description("grant points to an account")
    .argument("<points>", "the number of points", readPoints)
    .requiredOption("--account <name>", "the account to grant them to")
    .option("--note <text>", "a note for the ledger")
    .option("--json", "print JSON")
    .action((points: number, options: OperatorOutput & { account: string; note?: string }) =>
      withDatabase(async ({ database }) => {
        const accountId = await accountNamed(database, options.account);
        noteAudit({ after: { points, note: options.note ?? null } });
        const available = await database.transaction((tx) =>
          grantPoints(tx, { accountId, points, note: options.note ?? null }),
        );
        print(
          options,
          { account: options.account, granted: points, available },
          `${options.account} has ${available} points available.`,
        );
      }),
    );
}

const accountColumns: readonly TableColumn[] = [
  { head: "NAME", least: 12 },
  { head: "AVAILABLE" },
  { head: "HELD", optional: 2 },
  { head: "SPENT", optional: 1 },
  { head: "UNFINISHED", optional: 3 },
  { head: "STORES MIB", optional: 4 },
  { head: "FREE MIB", optional: 5 },
  { head: "FREE ROWS", optional: 6 },
];

const tokenColumns: readonly TableColumn[] = [
  { head: "ID" },
  { head: "ACCOUNT", least: 8 },
  { head: "TOKEN", optional: 3 },
  { head: "SCOPES", least: 12, optional: 5 },
  { head: "EXPIRES", optional: 2 },
  { head: "REVOKED", optional: 1 },
  { head: "LAST USED", optional: 4 },
  { head: "NAME", least: 8 },
];

function readPoints(text: string): number {
  if (!/^\d{1,12}$/.test(text)) throw new InvalidArgumentError("Points are a whole number of up to 12 digits.");
  return Number(text);
}

function readScopes(text: string): Scope[] {
  const named = [...new Set(text.split(",").map((scope) => scope.trim()))];
  const unknown = named.filter((scope) => !(scopes as readonly string[]).includes(scope));
  if (unknown.length > 0) throw new InvalidArgumentError(`Scopes are ${scopes.join(", ")}.`);
  return named as Scope[];
}

function readLifetime(text: string): number {
  const parts = /^(\d{1,5})(h|d)$/.exec(text);
  if (parts === null || Number(parts[1]) === 0) throw new InvalidArgumentError("A time is written like 12h or 30d.");
  return Number(parts[1]) * (parts[2] === "h" ? 3_600_000 : dayMs);
}

type QuotaOptions = OperatorOutput & Partial<Record<"rows" | "mib" | "artifactMib", number | null>>;

export function addQuota(account: Command): void {
  account
    .command("quota")
    .description("set how much an account may store without points, and how large the files of its results may be")
    .argument("<name>", "the account", readName)
    .option("--rows <n>", "rows, or `default`: QUERENT_STORAGE_ROWS_PER_ACCOUNT", readQuota)
    .option("--mib <n>", "their size in MiB, or `default`: QUERENT_STORAGE_MIB_PER_ACCOUNT", readQuota)
    .option("--artifact-mib <n>", "size of files in MiB, or `default`: QUERENT_ARTIFACT_MIB_PER_ACCOUNT", readQuota)
    .option("--json", "print JSON")
    .action((name: string, { rows, mib: mebibytes, artifactMib, ...options }: QuotaOptions) =>
      withDatabase(async ({ database }) => {
        if (rows === undefined && mebibytes === undefined && artifactMib === undefined)
          throw new CommandError("Specify --rows, --mib or --artifact-mib.");
        const accountId = await accountNamed(database, name);
        const inBytes = (value: number | null) => (value === null ? null : value * mib);
        const quota = {
          ...(rows === undefined ? {} : { storageRowsMax: rows }),
          ...(mebibytes === undefined ? {} : { storageBytesMax: inBytes(mebibytes) }),
          ...(artifactMib === undefined ? {} : { artifactBytesMax: inBytes(artifactMib) }),
        };
        noteAudit({ after: quota });
        await database.transaction((tx) => setStorageQuota(tx, accountId, quota));
        const [row] = await listAccounts(database, { accountId });
        const { storageRowsMax = null, storageBytesMax = null, artifactBytesMax = null } = row?.storage ?? {};
        const shown = (value: number | null, unit: string) => (value === null ? "the default" : `${value} ${unit}`);
        print(
          options,
          { account: name, storageRowsMax, storageBytesMax, artifactBytesMax },
          `${name} may store, without points, in rows: ${shown(storageRowsMax, "rows")}; in size: ${shown(storageBytesMax === null ? null : inMib(storageBytesMax), "MiB")}; in files of results: ${shown(artifactBytesMax === null ? null : inMib(artifactBytesMax), "MiB")}.`,
        );
      }),
    );
}

const mib = 1024 ** 2;
export const inMib = (bytes: number) => Math.ceil(bytes / mib);

/** The account's own quota; null for the service's setting. */
function readQuota(value: string): number | null {
  if (value === "default") return null;
  if (/^\d{1,9}$/.test(value)) return Number(value);
  throw new InvalidArgumentError("It is a whole number of up to 9 digits, or `default`.");
}

const namePattern = new RegExp(accountNamePattern, "u");

export async function accountNamed(database: Database, name: string): Promise<string> {
  const accountId = await findAccount(database, name);
  if (accountId === null) {
    const names = (await listAccounts(database)).map((account) => account.name).join(", ");
    throw new CommandError(
      `There is no account named ${name}. ${names === "" ? `Create one with: ${querentd} account create NAME` : `Known: ${names}.`}`,
    );
  }
  noteAudit({ accountId });
  return accountId;
}

export function readName(text: string): string {
  if (!namePattern.test(text))
    throw new InvalidArgumentError(
      "A name has 1 to 100 letters, digits, spaces and . _ @ -, and begins with a letter or digit.",
    );
  return text;
}
