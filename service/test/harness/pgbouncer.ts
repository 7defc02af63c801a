/** A real PgBouncer in front of the tests' PostgreSQL, where the Debian package is installed. */
import { spawn, spawnSync } from "node:child_process";
import { once } from "node:events";
import { chmodSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { temporaryFolder } from "./process.ts";
import { until } from "./wait.ts";

/** Why there is none; false if there is. */
export const noPgBouncer =
  spawnSync("pgbouncer", ["--version"]).status === 0 ? false : "pgbouncer is not installed (apt install pgbouncer)";

export interface PgBouncer extends AsyncDisposable {
  /** The same database through the pooler. */
  through(url: string): string;
}

export async function startPgBouncer(
  serverUrl: string,
  { poolMode, poolSize = 20 }: { poolMode: "session" | "transaction" | "statement"; poolSize?: number },
): Promise<PgBouncer> {
  const folder = temporaryFolder();
  chmodSync(folder.path, 0o755);
  const server = new URL(serverUrl);
  const port = await freePort();
  const users = join(folder.path, "users.txt");
  const user = decodeURIComponent(server.username);
  writeFileSync(users, `"${user}" "${decodeURIComponent(server.password)}"\n`);
  const file = join(folder.path, "pgbouncer.ini");
  const host = server.searchParams.get("host") ?? server.hostname;
  // Nothing beside what must be set: PgBouncer's defaults are what Querent has to work with.
  writeFileSync(
    file,
    `[databases]\n* = host=${host} port=${server.port || "5432"}\n[pgbouncer]\nlisten_addr = 127.0.0.1\nlisten_port = ${port}\nunix_socket_dir =\nauth_type = trust\nauth_file = ${users}\npool_mode = ${poolMode}\ndefault_pool_size = ${poolSize}\n`,
  );
  const child = spawn(...commandFor(host, file), { stdio: ["ignore", "pipe", "pipe"] });
  let log = "";
  for (const stream of [child.stdout, child.stderr])
    stream.setEncoding("utf8").on("data", (text: string) => (log += text));
  const exited = once(child, "exit");
  await until("PgBouncer to listen", async () => {
    if (child.exitCode !== null) throw new Error(`PgBouncer exited: ${log}`);
    const socket = connect(port, "127.0.0.1");
    const isUp = await once(socket, "connect").then(
      () => true,
      () => false,
    );
    socket.destroy();
    return isUp;
  });
  return {
    through(url) {
      const { pathname } = new URL(url);
      return `postgresql://${encodeURIComponent(user)}@127.0.0.1:${port}${pathname}`;
    },
    async [Symbol.asyncDispose]() {
      child.kill("SIGKILL");
      await exited;
      folder[Symbol.dispose]();
    },
  };
}

/** It refuses to run as root, and must be able to open the server's socket, which only its owner can. */
function commandFor(host: string, file: string): [string, string[]] {
  if (process.getuid?.() !== 0) return ["pgbouncer", [file]];
  const owner = host.startsWith("/") ? statSync(host).uid : 65_534;
  const user = String(owner);
  if (owner === 0) return ["unshare", ["--user", "--map-user=1", "--map-group=1", "pgbouncer", file]];
  return ["setpriv", [`--reuid=${user}`, "--clear-groups", "pgbouncer", file]];
}
