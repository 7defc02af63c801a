/** `querentd audit`: the audit log of accounts and of the installation, for operators. Each can run beside a service. */
import { once } from "node:events";
import { auditKinds, type AuditEntry, type AuditKind } from "@querent/contract";
import { InvalidArgumentError, Option, type Command } from "commander";
import pc from "picocolors";
import {
  auditFormats,
  installationId,
  listEntries,
  readChains,
  streamEntries,
  verifyChain,
  type AuditFormat,
  type ChainVerdict,
} from "../../audit/index.ts";
import type { Database } from "../../db/index.ts";
import { publishedKeys } from "../../evidence/index.ts";
import { listAccounts } from "../../accounts/index.ts";
import { CommandError } from "../command-error.ts";
import { version } from "../version.ts";
import { accountNamed } from "./account-commands.ts";
import { print, readTime, readUuid, withDatabase, type OperatorOutput } from "./operator-command.ts";
import { table, type TableColumn } from "./table.ts";

interface Selected {
  readonly account?: string;
  readonly installation?: true;
  readonly kind?: AuditKind;
  readonly operation?: string;
  readonly actor?: string;
  readonly target?: string;
  readonly since?: Date;
  readonly until?: Date;
}

export function addAuditCommands(program: Command): void {
  const audit = program.command("audit").description("read, export and verify the audit log");
  selection(audit.command("list").description("list entries, newest first"))
    .option("--limit <n>", "how many of each log", readCount, 50)
    .option("--json", "print JSON")
    .action((options: OperatorOutput & Selected & { limit: number }) =>
      withDatabase(async ({ database }) => {
        const accounts = await accountsOf(database, options);
        const lists = await Promise.all(
          [...accounts.keys()].map((accountId) =>
            listEntries(database, accountId, filterOf(options), { beforeId: null, limit: options.limit }),
          ),
        );
        const entries = lists.flatMap((list) => list.entries).toSorted((one, other) => other.at.localeCompare(one.at));
        print(
          options,
          entries.map((entry) => ({ account: accounts.get(entry.accountId), ...entry })),
          table(
            columns,
            entries.map((entry) => cellsOf(entry, accounts)),
          ),
        );
      }),
    );
  selection(audit.command("export").description("write sealed entries to standard output, oldest first"))
    .addOption(new Option("--format <format>", "the format").choices(auditFormats).default("jsonl"))
    .option("--after <sequence>", "only entries behind this place in the chain", readCount, 0)
    .action((options: Selected & { format: AuditFormat; after: number }) =>
      withDatabase(async ({ database }) => {
        let withHead = true;
        for (const accountId of (await accountsOf(database, options)).keys()) {
          const given = { filter: filterOf(options), after: options.after, version, withHead };
          for await (const piece of streamEntries(database, accountId, options.format, given))
            if (!process.stdout.write(piece)) await once(process.stdout, "drain");
          withHead = false;
        }
      }),
    );
  audit
    .command("verify")
    .description("check that nothing in the log was altered, removed or cut off; the exit code is 1 if anything was")
    .option("--account <name>", "only the log of this account")
    .option("--installation", "only the log of the installation")
    .option("--expect <head>", "a head that was noted before, as SEQUENCE:DIGEST, which has to be in the log", readHead)
    .option("--json", "print JSON")
    .action((options: OperatorOutput & Selected & { expect?: { sequence: number; digest: string } }) =>
      withDatabase(async ({ database }) => {
        if (options.expect !== undefined && options.account === undefined && options.installation !== true)
          throw new CommandError("`--expect` is the head of one log. Specify --account or --installation.");
        const accounts = await accountsOf(database, options);
        const keys = await publishedKeys(database);
        const verdicts: ChainVerdict[] = [];
        for (const accountId of accounts.keys())
          verdicts.push(await verifyChain(database, accountId, keys, options.expect ?? null));
        print(
          options,
          verdicts.map((verdict) => ({ account: accounts.get(verdict.accountId), ...verdict })),
          verdicts.map((verdict) => describe(verdict, accounts)).join("\n"),
        );
        if (verdicts.some(({ faults }) => faults.length > 0)) process.exitCode = 1;
      }),
    );
}

function selection(command: Command): Command {
  return command
    .option("--account <name>", "only the log of this account")
    .option("--installation", "only the log of the installation")
    .addOption(new Option("--kind <kind>", "only entries of this kind").choices(Object.keys(auditKinds)))
    .option("--operation <name>", "only this operation or command")
    .option("--actor <id>", "only what this person or token did", readUuid)
    .option("--target <id>", "only what concerns this panel, token, …")
    .option("--since <time>", "only entries since then: 2026-11-01, 2026-11-01T09:30:00Z, or 7d", readTime)
    .option("--until <time>", "only entries before then", readTime);
}

const filterOf = ({ kind, operation, actor, target, since, until }: Selected) => ({
  ...{ kind, operation, actorId: actor, targetId: target },
  ...{ from: since?.toISOString(), to: until?.toISOString() },
});

const installation = "(installation)";

/** The logs that are meant, with the names of their accounts. An account that was deleted is named by its id. */
async function accountsOf(database: Database, { account, installation: only }: Selected): Promise<Map<string, string>> {
  if (only === true) return new Map([[installationId, installation]]);
  if (account !== undefined) return new Map([[await accountNamed(database, account), account]]);
  const names = new Map((await listAccounts(database)).map(({ accountId, name }) => [accountId, name]));
  const all = new Set([installationId, ...names.keys(), ...(await readChains(database))]);
  return new Map([...all].map((id) => [id, id === installationId ? installation : (names.get(id) ?? id)]));
}

function describe({ accountId, entries, unsealed, head, faults }: ChainVerdict, accounts: Map<string, string>): string {
  const name = accounts.get(accountId) ?? accountId;
  const waiting = unsealed === 0 ? "" : `, and ${unsealed} that the service has yet to seal`;
  const end = head === null ? "" : `, head ${head.sequence}:${head.digest}`;
  if (faults.length === 0) return `${pc.green("ok   ")}  ${name}: ${entries} entries${waiting}${end}`;
  return [
    `${pc.red("WRONG")}  ${name}: ${entries} entries${waiting}${end}`,
    ...faults.map((fault) => `         ${fault}`),
  ].join("\n");
}

const cellsOf = (entry: AuditEntry, accounts: Map<string, string>) => [
  entry.at,
  accounts.get(entry.accountId) ?? entry.accountId,
  entry.actor.name ?? entry.actor.id ?? entry.actor.kind,
  entry.operation,
  entry.target === null ? "-" : `${entry.target.type} ${entry.target.id}`,
  entry.address ?? "-",
];

const columns: readonly TableColumn[] = [
  { head: "TIME" },
  { head: "ACCOUNT", least: 8 },
  { head: "WHO", least: 12 },
  { head: "OPERATION", least: 12 },
  { head: "TARGET", least: 8, optional: 1 },
  { head: "FROM", optional: 2 },
];

function readCount(text: string): number {
  if (!/^\d{1,9}$/.test(text)) throw new InvalidArgumentError("It is a whole number.");
  return Number(text);
}

function readHead(text: string): { sequence: number; digest: string } {
  const [, sequence, digest] = /^(\d{1,15}):([0-9a-f]{64})$/.exec(text) ?? [];
  if (sequence === undefined || digest === undefined)
    throw new InvalidArgumentError("A head is written as `audit verify` prints it: SEQUENCE:DIGEST.");
  return { sequence: Number(sequence), digest };
}
