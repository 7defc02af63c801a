/** A primary and a streaming replica of it, by the PostgreSQL of a Debian package: the embedded one has no pg_basebackup. */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { chmodSync, existsSync, mkdirSync, readdirSync } from "node:fs";
import { join } from "node:path";
import type { TestContext } from "node:test";
import pg from "pg";
import { temporaryFolder } from "./process.ts";
import { until } from "./wait.ts";

const installed = "/usr/lib/postgresql";
const major = existsSync(installed) ? readdirSync(installed).toSorted().at(-1) : undefined;
const programs = join(installed, major ?? "none", "bin");

/** Why there is none; false if there is. */
export const noReplicatedPostgres = existsSync(join(programs, "pg_basebackup"))
  ? false
  : "PostgreSQL with pg_basebackup is not installed (apt install postgresql-15)";

export interface Server {
  readonly url: string;
  query(sql: string): Promise<void>;
  start(): Promise<void>;
  kill(): Promise<void>;
}

export async function startReplicatedPostgres(t: TestContext): Promise<{ primary: Server; replica: Server }> {
  const folder = temporaryFolder();
  chmodSync(folder.path, 0o711);
  const made = (name: string): string => {
    const path = join(folder.path, name);
    mkdirSync(path, { mode: 0o700 });
    if (process.getuid?.() === 0) execFileSync("chown", ["postgres:", path]);
    return path;
  };
  const [sockets, primaryData, replicaData] = [made("sockets"), made("primary"), made("replica")];
  const primary = server(primaryData, sockets, 5432);
  const replica = server(replicaData, sockets, 5433);
  t.after(async () => {
    await Promise.all([primary.kill(), replica.kill()]);
    folder[Symbol.dispose]();
  });
  run("initdb", ["-D", primaryData, "-A", "trust", "-U", "postgres"]);
  await primary.start();
  run("pg_basebackup", ["-h", sockets, "-U", "postgres", "-D", replicaData, "-R", "-X", "stream", "-c", "fast"]);
  await replica.start();
  return { primary, replica };
}

function server(data: string, sockets: string, port: number): Server {
  const url = `postgresql://postgres@localhost:${port}/postgres?host=${encodeURIComponent(sockets)}`;
  let child: ChildProcess | null = null;
  const query = async (sql: string) => {
    const client = new pg.Client({ connectionString: url });
    client.on("error", () => {});
    try {
      await client.connect();
      await client.query(sql);
    } finally {
      await client.end();
    }
  };
  return {
    url,
    query,
    async start() {
      const settings = ["listen_addresses=", `port=${port}`, `unix_socket_directories=${sockets}`, "fsync=off"];
      const words = ["-D", data, ...settings.flatMap((setting) => ["-c", setting])];
      const [file, args] = asPostgres("postgres", words);
      const started = spawn(file, args, { stdio: "ignore", cwd: "/" });
      child = started;
      await until("PostgreSQL to accept connections", async () => {
        if (started.exitCode !== null) throw new Error(`PostgreSQL ended with ${started.exitCode}`);
        return query("select 1").then(
          () => true,
          () => false,
        );
      });
    },
    async kill() {
      if (child === null || child.exitCode !== null || child.signalCode !== null) return;
      const exited = once(child, "exit");
      // Like a crash, but ends its children too.
      child.kill("SIGQUIT");
      await exited;
    },
  };
}

function run(program: string, words: readonly string[]): void {
  const [file, args] = asPostgres(program, words);
  execFileSync(file, args, { stdio: "ignore", cwd: "/" });
}

/** PostgreSQL's programs refuse to run as root. */
function asPostgres(program: string, words: readonly string[]): [string, string[]] {
  const path = join(programs, program);
  if (process.getuid?.() !== 0) return [path, [...words]];
  return ["setpriv", ["--reuid=postgres", "--regid=postgres", "--clear-groups", path, ...words]];
}
