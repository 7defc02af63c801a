/**
 * A backup of the embedded server's cluster while it runs, by PostgreSQL's low-level functions: the package has no pg_basebackup.
 * See "Making a Base Backup Using the Low Level API" in PostgreSQL's documentation.
 */
import { mkdir, readdir, writeFile } from "node:fs/promises";
import { dirname, join } from "node:path";
import { Client } from "pg";
import { BootError } from "../boot-error.ts";
import { attachEmbedded } from "./attach-embedded.ts";
import { copyFile, copyTree, makeFolderLike, sync, type Copied } from "./copy-tree.ts";
import { clusterFolder } from "./embedded.ts";

/** The folders that are copied empty: their contents are made again at the start, or belong to this server alone. */
const emptied: ReadonlySet<string> = new Set([
  "pg_wal",
  "pg_replslot",
  "pg_dynshmem",
  "pg_notify",
  "pg_serial",
  "pg_snapshots",
  "pg_stat_tmp",
  "pg_subtrans",
]);
const leftOut = /^(postmaster\.(pid|opts)|pg_internal\.init.*|pgsql_tmp.*|backup_label|tablespace_map)$/;

/**
 * Copies the cluster of a data folder to that of another, which is complete when this resolves: a server that is started there
 * recovers to the end of the copy. Writes of the service go on meanwhile.
 */
export async function backUpCluster(dataDir: string, targetDir: string): Promise<Copied> {
  await using embedded = await attachEmbedded({ dataDir, create: false });
  const client = new Client({ ...embedded.connection, application_name: "querentd backup" });
  await client.connect();
  try {
    const cluster = clusterFolder(dataDir);
    const target = clusterFolder(targetDir);
    await makeFolderLike(dirname(target), dirname(cluster));
    return await copyWhileRunning(client, cluster, target);
  } finally {
    // Ends the backup, and with it the slot, if it was interrupted.
    await client.end();
  }
}

async function copyWhileRunning(client: Client, cluster: string, target: string): Promise<Copied> {
  // A temporary slot keeps the log from now on. A backup belongs to its session, so one connection does all of this.
  const slot = `querent_backup_${process.pid}`;
  await client.query("select pg_create_physical_replication_slot($1, true, true)", [slot]);
  const { rows: started } = await client.query<{ segment: string }>(
    "select pg_walfile_name(pg_backup_start('querentd backup', true)) as segment",
  );
  const copied = await copyTree(cluster, target, (path) => {
    const [top = "", ...below] = path.split("/");
    return !leftOut.test(below.at(-1) ?? top) && !(emptied.has(top) && below.length > 0);
  });
  // Waits until the log is flushed to the end of the backup, and begins a new segment: the last one that is needed is complete.
  const { rows: stopped } = await client.query<{ segment: string; labelfile: string; spcmapfile: string }>(
    "select pg_walfile_name(lsn) as segment, labelfile, spcmapfile from pg_backup_stop(false)",
  );
  const [first, end] = [started[0], stopped[0]];
  if (first === undefined || end === undefined)
    throw new Error("PostgreSQL did not say where the backup begins and ends");
  if (end.spcmapfile.trim() !== "")
    throw new BootError("The database has tablespaces, whose files are not in the data folder. Nothing was backed up.");
  const log = await copyLog(cluster, target, first.segment, end.segment);
  const label = join(target, "backup_label");
  await writeFile(label, end.labelfile, { mode: 0o600 });
  await sync(label);
  await sync(target);
  return { files: copied.files + log.files + 1, bytes: copied.bytes + log.bytes };
}

/** The segments of the log that recovery needs: their names sort by their position. */
async function copyLog(cluster: string, target: string, first: string, last: string): Promise<Copied> {
  const names = (await readdir(join(cluster, "pg_wal"))).filter(
    (name) => /^[0-9A-F]{24}$/.test(name) && name >= first && name <= last,
  );
  if (!names.includes(first) || !names.includes(last))
    throw new Error(`the log from ${first} to ${last} is no longer complete`);
  await mkdir(join(target, "pg_wal"), { recursive: true, mode: 0o700 });
  let bytes = 0;
  for (const name of names) bytes += await copyFile(join(cluster, "pg_wal", name), join(target, "pg_wal", name));
  await sync(join(target, "pg_wal"));
  return { files: names.length, bytes };
}
