/** A test's own PostgreSQL server, to be restarted, killed, stopped and frozen. It restarts automatically. */
import { execFileSync } from "node:child_process";
import { once } from "node:events";
import { connect } from "node:net";
import type { TestContext } from "node:test";
import { startEmbedded } from "../../src/db/embedded/index.ts";
import { temporaryFolder } from "./process.ts";
import { until } from "./wait.ts";

export interface OwnPostgres {
  readonly url: string;
  /**
   * Shuts it down while clients are connected, and waits until it has restarted. Fast: sessions are ended; immediate: like a
   * crash.
   */
  restart(how: "fast" | "immediate"): Promise<void>;
  /** Stops it until `start`. */
  stop(): Promise<void>;
  start(): Promise<void>;
  /** Stops all of its processes where they are (SIGSTOP), until `thaw`. */
  freeze(): void;
  thaw(): void;
}

export async function startOwnPostgres(t: TestContext): Promise<OwnPostgres> {
  const folder = temporaryFolder();
  let pid = 0;
  const launch = () =>
    startEmbedded({
      dataDir: folder.path,
      settings: { max_connections: 100 },
      log: (event) => {
        if (event.event === "postgres.started") pid = event.pid;
      },
    });
  let postgres = await launch();
  let frozen: number[] = [];
  const thaw = () => {
    for (const one of frozen.splice(0)) process.kill(one, "SIGCONT");
  };
  t.after(async () => {
    thaw();
    await postgres.stop();
    folder[Symbol.dispose]();
  });
  const { host, user, port, database } = postgres.connection;
  return {
    url: `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
    stop: () => postgres.stop(),
    async start() {
      postgres = await launch();
    },
    freeze() {
      // The postmaster first: then it starts no more.
      process.kill(pid, "SIGSTOP");
      const children = execFileSync("ps", ["-o", "pid=", "--ppid", `${pid}`], { encoding: "utf8" });
      frozen = [pid, ...children.trim().split(/\s+/u).map(Number)].toReversed();
      for (const one of frozen) process.kill(one, "SIGSTOP");
    },
    thaw,
    async restart(how) {
      const before = pid;
      process.kill(before, how === "fast" ? "SIGINT" : "SIGQUIT");
      await until("PostgreSQL to be back", () => pid !== before);
      await until("it to take connections", async () => {
        const socket = connect(`${host}/.s.PGSQL.${port}`);
        const up = await once(socket, "connect").then(
          () => true,
          () => false,
        );
        socket.destroy();
        return up;
      });
    },
  };
}
