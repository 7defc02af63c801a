/** Querent: `querentd serve` as an operator runs it, in its own process, with an account for each caller. */
import { spawn, type ChildProcess } from "node:child_process";
import { mkdtempSync, openSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import { createToken } from "../../../service/src/accounts/index.ts";
import { createAccount } from "../../../service/src/app/accounts.ts";
import { Database, migrate } from "../../../service/src/db/index.ts";
import { loadMasterKeyFile } from "../../../service/src/vault/index.ts";
import { endProcess, remember, startChild, type BenchChild } from "../processes/child.ts";
import type { Loaded, LoadInput } from "../processes/load.ts";
import type { Contender, ContenderInput, ContenderWork } from "./contender.ts";

const run = join(import.meta.dirname, "../../../tools/run.mjs");
const main = join(import.meta.dirname, "../../../service/src/main.ts");
const loadFile = join(import.meta.dirname, "../processes/load.ts");
export const question = "How fine should I grind for espresso?";

export interface QuerentOptions extends ContenderInput {
  readonly accounts: number;
  readonly caFile: string;
  readonly roles?: string;
  readonly environment?: Readonly<Record<string, string>>;
}

/** A database with the service's schema and accounts, on which processes of the service can be started. */
export interface Installation extends AsyncDisposable {
  readonly database: Database;
  readonly tokens: readonly string[];
  readonly accountIds: readonly string[];
  serve(change?: Partial<QuerentOptions>): Promise<BenchService>;
}

export interface BenchService extends AsyncDisposable {
  readonly address: string;
  readonly pid: number;
  readonly child: ChildProcess;
  end(signal: NodeJS.Signals): Promise<void>;
}

export async function install(options: QuerentOptions): Promise<Installation> {
  const folder = mkdtempSync(join(tmpdir(), "querent-bench-"));
  const database = new Database({ connection: { connectionString: options.databaseUrl }, connectionsMax: 4 });
  await migrate(database);
  const masterKey = await loadMasterKeyFile(folder, { make: true });
  const tokens: string[] = [];
  const accountIds: string[] = [];
  for (let index = 0; index < options.accounts; index++) {
    const accountId = await createAccount(database, masterKey, { name: `bench ${index}`, points: 1_000_000_000 });
    const made = await createToken(database, {
      accountId,
      scopes: ["tasks:read", "tasks:write", "panels:read", "panels:write", "webhook:manage"],
      name: null,
      expiresAt: null,
    });
    await database.query("update webhooks set url = $2, origin = $3, url_set_at = now() where account_id = $1", [
      accountId,
      options.receiverUrl,
      new URL(options.receiverUrl).origin,
    ]);
    tokens.push(made.token);
    accountIds.push(accountId);
  }
  const processes: BenchService[] = [];
  return {
    database,
    tokens,
    accountIds,
    async serve(change = {}) {
      const started = await serve({ ...options, ...change }, folder);
      processes.push(started);
      return started;
    },
    async [Symbol.asyncDispose]() {
      await Promise.all(processes.map((started) => started.end("SIGKILL")));
      await database.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

async function serve(options: QuerentOptions, folder: string): Promise<BenchService> {
  const outputFile = join(mkdtempSync(join(folder, "output-")), "output.txt");
  const output = openSync(outputFile, "w");
  const child = spawn(process.execPath, [run, "--quiet", main, "serve", "--roles", options.roles ?? "api,worker,notifier"], {
    env: {
      ...Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith("QUERENT_"))),
      NO_COLOR: "1",
      DATABASE_URL: options.databaseUrl,
      QUERENT_DATA_DIR: folder,
      QUERENT_PORT: "0",
      QUERENT_LOG_LEVEL: "warn",
      QUERENT_REQUESTS_PER_MINUTE: "0",
      QUERENT_EGRESS_ALLOW: "127.0.0.0/8",
      QUERENT_EGRESS_CA: options.caFile,
      ...options.environment,
    },
    stdio: ["ignore", output, output],
  }); // prettier-ignore
  remember(child);
  let text = "";
  while (!text.includes("Stop with Ctrl-C")) {
    if (child.exitCode !== null) throw new Error(`querentd ended:\n${text}`);
    await sleep(20);
    text = readFileSync(outputFile, "utf8");
  }
  const end = (signal: NodeJS.Signals) => endProcess(child, signal);
  return {
    address: /API +(http:\/\/\S+)/.exec(text)?.[1] ?? "",
    pid: child.pid ?? 0,
    child,
    end,
    [Symbol.asyncDispose]: () => end("SIGTERM"),
  };
}

/** A load generator for one process of the service. */
export function startLoad(address: string, connections: number): Promise<BenchChild<undefined>> {
  return startChild(loadFile, { address, connections });
}

export async function startQuerent(
  options: QuerentOptions,
  connections: number,
): Promise<Contender & { installation: Installation }> {
  const installation = await install(options);
  const service = await installation.serve();
  const load = await startLoad(service.address, connections);
  let loads = 0;
  return {
    installation,
    pid: service.pid,
    send: (work: ContenderWork) =>
      load.ask<Loaded>("send", {
        ...work,
        address: service.address,
        path: "/v1/tasks/batch",
        tokens: installation.tokens,
        batches: work.tasks / work.batchSize,
        question,
        platformCode: "simulator",
        key: `load-${loads++}`,
        ...(work.perSecond === undefined ? {} : { batchesPerSecond: work.perSecond / work.batchSize }),
      } satisfies LoadInput & ContenderWork),
    async [Symbol.asyncDispose]() {
      await load.end();
      await service.end("SIGTERM");
      await installation[Symbol.asyncDispose]();
    },
  };
}
