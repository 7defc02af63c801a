/** A test's own PostgreSQL server, to be restarted and killed. It restarts automatically. */
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
}

export async function startOwnPostgres(t: TestContext): Promise<OwnPostgres> {
  const folder = temporaryFolder();
  let pid = 0;
  const postgres = await startEmbedded({
    dataDir: folder.path,
    settings: { max_connections: 100 },
    log: (event) => {
      if (event.event === "postgres.started") pid = event.pid;
    },
  });
  t.after(async () => {
    await postgres.stop();
    folder[Symbol.dispose]();
  });
  const { host, user, port, database } = postgres.connection;
  return {
    url: `postgresql://${user}@localhost:${port}/${database}?host=${encodeURIComponent(host)}`,
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
