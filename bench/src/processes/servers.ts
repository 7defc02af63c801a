/** The servers shared by all contenders: an embedded PostgreSQL with the service's settings, and Redis. */
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
  /** Creates an empty database and returns its URL. `drop` deletes it. */
  create(name: string): Promise<string>;
  url(name: string): string;
  drop(name: string): Promise<void>;
  /** Writes a checkpoint, so that it does not happen during the next measurement. */
  checkpoint(): Promise<void>;
}

export async function startPostgres(
  folder: string,
  settings: Readonly<Record<string, string | number>> = {},
): Promise<PostgresServer> {
  const server = await startEmbedded({
    dataDir: folder,
    settings: {
      // Some measurements keep snapshots for minutes, and alternatives may have idle connections.
      idle_in_transaction_session_timeout: 0,
      max_connections: 200,
      ...settings,
    },
  });
  const admin = new pg.Client({ ...server.connection });
  await admin.connect();
  const { rows } = await admin.query<{ version: string }>("select current_setting('server_version') as version");
  const { host, port, user } = server.connection;
  const drop = (name: string) => admin.query(`drop database if exists ${name} with (force)`).then(() => undefined);
  const url = (name: string) => `postgresql://${user}@localhost:${port}/${name}?host=${encodeURIComponent(host)}`;
  const stop = async () => {
    await admin.end();
    await server.stop();
  };
  return {
    version: rows[0]?.version ?? "?",
    async create(name) {
      await drop(name);
      await admin.query(`create database ${name}`);
      return url(name);
    },
    url,
    drop,
    checkpoint: () => admin.query("checkpoint").then(() => undefined),
    [Symbol.asyncDispose]: stop,
  };
}

export interface RedisServer extends AsyncDisposable {
  readonly version: string;
  readonly port: number;
}

/** Redis with an append-only file. Null if `redis-server` is not installed. */
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
