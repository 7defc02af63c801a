/** The servers that everything measured shares: one embedded PostgreSQL with the service's own settings, and Redis. */
import { spawn } from "node:child_process";
import { once } from "node:events";
import { mkdirSync } from "node:fs";
import { join } from "node:path";
import { setTimeout as sleep } from "node:timers/promises";
import pg from "pg";
import { startEmbedded } from "../../../service/src/db/embedded/index.ts";
import { endProcess, remember } from "./child.ts";

export interface PostgresServer extends AsyncDisposable {
  readonly version: string;
  /** Makes an empty database and tells its address; it is gone with `drop`. */
  create(name: string): Promise<string>;
  drop(name: string): Promise<void>;
  /** Writes out what is dirty, so that one measurement's checkpoint does not fall into the next. */
  checkpoint(): Promise<void>;
}

export async function startPostgres(folder: string): Promise<PostgresServer> {
  const server = await startEmbedded({
    dataDir: folder,
    settings: {
      // Old snapshots are held for minutes on purpose, and a peer may leave a connection idle.
      idle_in_transaction_session_timeout: 0,
      max_connections: 200,
    },
  });
  const admin = new pg.Client({ ...server.connection });
  await admin.connect();
  const { rows } = await admin.query<{ version: string }>("select current_setting('server_version') as version");
  const { host, port, user } = server.connection;
  const drop = (name: string) => admin.query(`drop database if exists ${name} with (force)`).then(() => undefined);
  const stop = async () => {
    await admin.end();
    await server.stop();
  };
  return {
    version: rows[0]?.version ?? "?",
    async create(name) {
      await drop(name);
      await admin.query(`create database ${name}`);
      return `postgresql://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`;
    },
    drop,
    checkpoint: () => admin.query("checkpoint").then(() => undefined),
    [Symbol.asyncDispose]: stop,
  };
}

export interface RedisServer extends AsyncDisposable {
  readonly version: string;
  readonly port: number;
}

/** Redis with an append-only file; null when there is no `redis-server` to be found. */
export async function startRedis(
  folder: string,
  port: number,
  appendfsync: "everysec" | "always",
): Promise<RedisServer | null> {
  mkdirSync(folder, { recursive: true });
  const child = spawn(
    "redis-server",
    ["--port", `${port}`, "--bind", "127.0.0.1", "--dir", folder, "--appendonly", "yes", "--appendfsync", appendfsync]
      .concat(["--save", "", "--logfile", join(folder, "redis.txt")]),
    { stdio: "ignore" },
  ); // prettier-ignore
  remember(child);
  const failed = once(child, "error").then(() => true);
  if (await Promise.race([failed, sleep(500, false)])) return null;
  const version = spawn("redis-server", ["--version"], { stdio: ["ignore", "pipe", "ignore"] });
  const [text] = (await once(version.stdout, "data")) as [Buffer];
  return {
    version: /v=(\S+)/.exec(text.toString())?.[1] ?? "?",
    port,
    [Symbol.asyncDispose]: () => endProcess(child, "SIGTERM"),
  };
}
