/** Backups of an operator's own PostgreSQL by pgBackRest, as docs/how-to/back-up.md describes them, and the drill. */
import assert from "node:assert/strict";
import { execFile, spawnSync } from "node:child_process";
import {
  appendFileSync,
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { test } from "node:test";
import { promisify } from "node:util";
import pg from "pg";
import { freePort } from "../harness/free-port.ts";
import { cleanEnvironment, startServiceProcess, temporaryFolder } from "../harness/process.ts";
import { until } from "../harness/wait.ts";

const run = promisify(execFile);
const root = join(import.meta.dirname, "../../..");
const bin = ["/usr/lib/postgresql/15/bin", "/usr/lib/postgresql/17/bin"].find((folder) => existsSync(folder));
const isRoot = process.getuid?.() === 0;
const lacks =
  bin === undefined || spawnSync("pgbackrest", ["version"]).status !== 0
    ? "pgbackrest and a PostgreSQL of Debian are not installed"
    : isRoot && spawnSync("id", ["postgres"]).status !== 0
      ? "there is no user postgres to run PostgreSQL as"
      : false;

const token = "token-of-the-backup-test";

test(
  "a backup is restored to a point in time, and the drill notices what is wrong with it",
  { skip: lacks },
  async (t) => {
    const server = await startServer();
    t.after(() => server.stop());
    using data = temporaryFolder();
    const service = await startServiceProcess({
      DATABASE_URL: server.url,
      QUERENT_DATA_DIR: data.path,
      QUERENT_ACCESS_TOKEN: token,
    });
    t.after(() => service.end("SIGKILL"));
    const tasks = async (count: number) => {
      const response = await fetch(`${service.address}/v1/tasks/batch`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${token}`,
          "content-type": "application/json",
          "idempotency-key": `${Math.random()}`,
        },
        body: JSON.stringify(
          Array.from({ length: count }, () => ({
            question: "Is it kept?",
            platformCode: "simulator",
            options: { output: "share_link" },
          })),
        ),
      });
      assert.equal(response.status, 202, await response.text());
      await until("the tasks to end", async () => (await server.query("select from dispatch")).length === 0);
    };
    const drill = async (time?: string) => {
      await server.archive();
      const words = [join(root, "deploy/backup-drill.sh"), "main", ...(time === undefined ? [] : [time])];
      const env = cleanEnvironment({
        ...server.environment,
        DRILL_DATABASE: "postgres",
        QUERENT_DATA_DIR: data.path,
        QUERENTD: `${process.execPath} ${join(root, "service/src/main.ts")}`,
        PG_BIN: bin ?? "",
      });
      return run("sh", words, { env, cwd: "/" }).then(
        ({ stdout }) => ({ code: 0, stdout, stderr: "" }),
        (error: { code: number; stdout: string; stderr: string }) => error,
      );
    };

    await tasks(3);
    await server.backUp();
    // pgBackRest compares times by the second, and finds no backup that ended within that of the target.
    const [ended] = await server.query<{ second: string }>("select date_trunc('second', now())::text as second");
    await until("the next second", async () => {
      const [row] = await server.query<{ isNext: boolean }>(
        `select date_trunc('second', now()) > '${ended?.second ?? ""}' as "isNext"`,
      );
      return row?.isNext === true;
    });
    await tasks(4);
    const [point] = await server.query<{ now: string }>("select now()::text as now");
    await tasks(5);

    const then = await drill(point?.now);
    assert.equal(then.code, 0, then.stdout + then.stderr);
    assert.match(then.stdout, /^Restored to the commit of \d{4}-.*, with 7 tasks\.\n(ok .*\n)+$/);
    const all = await drill();
    assert.match(all.stdout, /with 12 tasks\.\n(ok .*\n)+$/, all.stdout + all.stderr);
    assert.equal(all.code, 0);

    const file = readdirSync(join(data.path, "artifacts"), { recursive: true, withFileTypes: true }).find((entry) =>
      entry.isFile(),
    );
    rmSync(join(file?.parentPath ?? "", file?.name ?? ""));
    await server.query("update ledger set points = points + 1 where kind = 'capture'");
    const corrupted = await drill();
    assert.equal(corrupted.code, 1, corrupted.stderr);
    assert.match(corrupted.stdout, /WRONG +the ledger of each account adds up to its balance\n +not: account /);
    assert.match(corrupted.stdout, /WRONG +the newest \d+ artifacts .*\n +not: task .* is not there\./);
  },
);

/** A PostgreSQL of the system with its WAL archived by pgBackRest, in a folder of its own. */
async function startServer() {
  const folder = mkdtempSync(join(tmpdir(), "querent-backup-"));
  if (isRoot) spawnSync("chown", ["postgres", folder]);
  chmodSync(folder, 0o755);
  const asOwner = (program: string, ...words: string[]) =>
    isRoot
      ? run("runuser", ["-u", "postgres", "--", program, ...words], {
          cwd: "/",
          env: { ...process.env, ...environment },
        })
      : run(program, words, { cwd: "/", env: { ...process.env, ...environment } });
  const configuration = join(folder, "pgbackrest.conf");
  const environment = { PGBACKREST_CONFIG: configuration };
  const cluster = join(folder, "data");
  const port = await freePort();
  for (const name of ["repo", "log", "spool", "lock"]) {
    mkdirSync(join(folder, name));
    if (isRoot) spawnSync("chown", ["postgres", join(folder, name)]);
  }
  writeFileSync(
    configuration,
    `[global]
repo1-path=${folder}/repo
repo1-cipher-type=aes-256-cbc
repo1-cipher-pass=of-the-test
repo1-retention-full=2
start-fast=y
log-path=${folder}/log
spool-path=${folder}/spool
lock-path=${folder}/lock
[main]
pg1-path=${cluster}
pg1-port=${port}
pg1-socket-path=${folder}
`,
  );
  const pgctl = (...words: string[]) => asOwner(join(bin ?? "", "pg_ctl"), "-D", cluster, "-w", "-s", ...words);
  await asOwner(join(bin ?? "", "initdb"), "-D", cluster, "-A", "trust", "-U", "postgres", "--no-sync");
  appendFileSync(
    join(cluster, "postgresql.conf"),
    `port = ${port}\nunix_socket_directories = '${folder}'\narchive_mode = on\nfsync = off\nmax_connections = 60
archive_command = 'pgbackrest --config=${configuration} --stanza=main archive-push %p'\n`,
  );
  await pgctl("-l", join(folder, "log", "postgresql.log"), "start");
  const backrest = (...words: string[]) => asOwner("pgbackrest", "--stanza=main", ...words);
  await backrest("stanza-create");
  const url = `postgresql://postgres@127.0.0.1:${port}/postgres`;
  const query = async <Row extends pg.QueryResultRow>(sql: string): Promise<Row[]> => {
    const client = new pg.Client({ connectionString: url });
    await client.connect();
    try {
      return (await client.query<Row>(sql)).rows;
    } finally {
      await client.end();
    }
  };
  return {
    url,
    environment,
    query,
    backUp: () => backrest("--type=full", "backup"),
    /** Waits until all that is committed is in the repository. */
    async archive() {
      const [switched] = await query<{ name: string }>("select pg_walfile_name(pg_switch_wal()) as name");
      await until("the WAL to be archived", async () => {
        const [archived] = await query<{ done: boolean }>(
          `select last_archived_wal >= '${switched?.name}' as done from pg_stat_archiver`,
        );
        return archived?.done === true;
      });
    },
    async stop() {
      await pgctl("-m", "immediate", "stop").catch(() => {});
      rmSync(folder, { recursive: true, force: true });
    },
  };
}
