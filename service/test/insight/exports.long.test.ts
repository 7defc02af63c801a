/** The export to the bucket: a warehouse that reads manifests in their order loads each row once, whatever was killed meanwhile. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { createHash, randomUUID } from "node:crypto";
import { once } from "node:events";
import { existsSync, readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { parquetReadObjects } from "hyparquet";
import { FileStore } from "../../src/artifacts/index.ts";
import { exportObservations, manifestKey } from "../../src/observations/index.ts";
import { newIdsAt } from "../../src/kernel/ids.ts";
import { testDatabase } from "../harness/database.ts";
import { cleanEnvironment, temporaryFolder } from "../harness/process.ts";

interface Manifest {
  readonly number: number;
  readonly files: readonly {
    readonly key: string;
    readonly bytes: number;
    readonly sha256: string;
    readonly rows: number;
  }[];
}

const { database, url } = await testDatabase();
const accountId = randomUUID();
const limits = { rowsMax: 40, settleSeconds: 0 };
const never = new AbortController().signal;

async function record(count: number): Promise<string[]> {
  const ids = newIdsAt(new Date(), count);
  await database.query(
    `insert into observations (account_id, id, observed_at, task_id, revision, result_digest, prompt_digest, platform, platform_kind,
                               reader, source_rules, content_length, recorded_at)
     select $1, id, now(), id, 1, decode(repeat('00', 32), 'hex'), decode(repeat('00', 32), 'hex'), 'p', 'api', 1, '1', 5,
            clock_timestamp()
       from unnest($2::uuid[]) as t(id)`,
    [accountId, ids],
  );
  return ids;
}

/** What a warehouse loads that has read none of the manifests before. */
async function load(folder: string): Promise<string[]> {
  const ids: string[] = [];
  for (let number = 1; existsSync(join(folder, manifestKey(number))); number++) {
    const manifest = JSON.parse(readFileSync(join(folder, manifestKey(number)), "utf8")) as Manifest;
    assert.equal(manifest.number, number);
    for (const { key, bytes, sha256, rows } of manifest.files) {
      const content = readFileSync(join(folder, key));
      assert.equal(content.length, bytes);
      assert.equal(createHash("sha256").update(content).digest("hex"), sha256);
      const loaded = await parquetReadObjects({ file: new Uint8Array(content).buffer });
      assert.equal(loaded.length, rows);
      for (const row of loaded) {
        assert.equal(row["accountId"], accountId);
        ids.push(String(row["observationId"]));
      }
    }
  }
  return ids;
}

/** Kills the export once it hangs; returns its last line if it ended before. */
async function killedAt(folder: string, step: number): Promise<string | null> {
  const program = join(import.meta.dirname, "exporting-process.ts");
  const child = spawn(process.execPath, ["--disable-warning=ExperimentalWarning", program, url, folder, String(step)], {
    env: cleanEnvironment({}),
    stdio: ["ignore", "pipe", "inherit"],
  });
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => {
    output += chunk.toString();
    if (output.includes("hangs")) child.kill("SIGKILL");
  });
  const [code] = (await once(child, "close")) as [number | null];
  return code === null ? null : output;
}

test("killed before and after each access to the store, the export goes on: each row once, in manifests without gaps", async () => {
  using at = temporaryFolder();
  const recorded: string[] = [];
  // Two files of 40 rows and one of the rest: three data files and three manifests, or more accesses after a kill.
  for (const step of [1, -1, 2, -2, 3, -3]) {
    recorded.push(...(await record(90)));
    assert.equal(await killedAt(at.path, step), null, `step ${step}`);
  }
  assert.match((await killedAt(at.path, 0)) ?? "", /exported/);
  assert.deepEqual((await load(at.path)).toSorted(), recorded.toSorted());
  assert.deepEqual(await exportObservations(database, new FileStore(at.path), never, limits), {
    manifests: 0,
    rows: 0,
  });
});

test("a row of a transaction that is still open is exported after its commit; and a revised row once more", async () => {
  using at = temporaryFolder();
  await database.query("truncate observations, observation_exports");
  const store = new FileStore(at.path);
  const open = await database.connect();
  await open.query("begin");
  const [first = ""] = await record(1);
  assert.equal((await exportObservations(database, store, never, limits)).rows, 0);
  await open.query("commit");
  await open.end();
  assert.equal((await exportObservations(database, store, never, limits)).rows, 1);
  await database.query("update observations set revision = 2, recorded_at = clock_timestamp()");
  assert.equal((await exportObservations(database, store, never, limits)).rows, 1);
  assert.deepEqual(await load(at.path), [first, first]);
});
