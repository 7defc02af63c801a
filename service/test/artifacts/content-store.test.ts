/** The stores of artifacts: a folder, and a bucket. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { createHash, randomBytes } from "node:crypto";
import { mkdirSync, mkdtempSync, readdirSync, rmSync, utimesSync, writeFileSync } from "node:fs";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, suite, test } from "node:test";
import { ContentFault, FileStore, fixedKeys, S3Store, type ContentStore } from "../../src/artifacts/index.ts";
import { s3Keys, startS3 } from "../harness/s3.ts";

const patience = () => AbortSignal.timeout(180_000);
const keyOf = (bytes: Uint8Array) => `ab/${createHash("sha256").update(bytes).digest("hex")}-1`;
const fault = (reason: ContentFault["reason"]) => (error: unknown) =>
  error instanceof ContentFault && error.reason === reason;

/** What holds of every store. */
function holds(open: () => ContentStore): void {
  for (const size of [0, 1, 65_537, 5_000_000]) {
    test(`${size} bytes come back as they were stored, also when stored twice`, async () => {
      const store = open();
      const bytes = randomBytes(size);
      await store.write(keyOf(bytes), bytes, patience());
      await store.write(keyOf(bytes), bytes, patience());
      assert.ok((await store.read(keyOf(bytes), size, patience())).equals(bytes));
    });
  }

  test("what was removed is missing, and may be removed again", async () => {
    const store = open();
    const bytes = randomBytes(10);
    await store.write(keyOf(bytes), bytes, patience());
    await store.remove(keyOf(bytes), patience());
    await store.remove(keyOf(bytes), patience());
    await assert.rejects(store.read(keyOf(bytes), 10, patience()), fault("missing"));
  });

  test("content of another size is damaged, and is not read further than it should be long", async () => {
    const store = open();
    const bytes = randomBytes(1000);
    await store.write(keyOf(bytes), bytes, patience());
    await assert.rejects(store.read(keyOf(bytes), 999, patience()), fault("damaged"));
    await assert.rejects(store.read(keyOf(bytes), 1001, patience()), fault("damaged"));
  });

  test("a write that is called off is no fault of the store", async () => {
    const store = open();
    const reason = new Error("called off");
    await assert.rejects(
      store.write(keyOf(randomBytes(5)), randomBytes(5), AbortSignal.abort(reason)),
      (error) => !(error instanceof ContentFault),
    );
  });
}

suite("a folder", () => {
  const folder = mkdtempSync(join(tmpdir(), "querent-artifacts-"));
  after(() => rmSync(folder, { recursive: true, force: true }));
  holds(() => new FileStore(folder));

  test("nothing unfinished is left, and what a killed process left is removed after a day", async () => {
    const store = new FileStore(folder);
    const bytes = randomBytes(100);
    await store.write(keyOf(bytes), bytes, patience());
    assert.deepEqual(readdirSync(join(folder, "making")), []);
    writeFileSync(join(folder, "making", "old"), "half");
    writeFileSync(join(folder, "making", "new"), "half");
    const days = (count: number) => new Date(Date.now() - count * 86_400_000);
    utimesSync(join(folder, "making", "old"), days(2), days(2));
    assert.equal(await store.removeLeftovers(new Date()), 1);
    assert.deepEqual(readdirSync(join(folder, "making")), ["new"]);
  });

  test("a full disk is told as such, and leaves nothing", { skip: noSmallDisk() }, async () => {
    const disk = join(folder, "disk");
    mkdirSync(disk);
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", disk]);
    try {
      const store = new FileStore(disk);
      const bytes = randomBytes(2_000_000);
      await assert.rejects(store.write(keyOf(bytes), bytes, patience()), fault("full"));
      assert.deepEqual(readdirSync(join(disk, "making")), []);
      const small = randomBytes(1000);
      await store.write(keyOf(small), small, patience());
      assert.ok((await store.read(keyOf(small), 1000, patience())).equals(small));
    } finally {
      execFileSync("umount", [disk]);
    }
  });

  test("a folder that is no folder is a fault that names it", async () => {
    const file = join(folder, "file");
    writeFileSync(file, "");
    await assert.rejects(new FileStore(file).write(keyOf(Buffer.of(1)), Buffer.of(1), patience()), (error) => {
      assert.ok(error instanceof ContentFault);
      assert.ok(error.message.includes(file));
      return true;
    });
  });
});

suite("an S3 server", async () => {
  const s3 = await startS3("artifacts");
  after(() => s3.stop());
  const store = new S3Store(s3.settings);
  after(() => store.close());
  holds(() => store);

  test("a wrong secret is refused by the server, and the fault does not tell it", async () => {
    await using store = closing(
      new S3Store({ ...s3.settings, credentials: fixedKeys({ ...s3Keys, secretAccessKey: "not-the-secret" }) }),
    );
    await assert.rejects(store.write(keyOf(Buffer.of(1)), Buffer.of(1), patience()), (error) => {
      assert.ok(fault("refused")(error));
      assert.match((error as Error).message, /SignatureDoesNotMatch/);
      assert.doesNotMatch((error as Error).message, /not-the-secret/);
      return true;
    });
  });

  test("a bucket that does not exist is told as a setting to be put right, not as a lost artifact", async () => {
    await using store = closing(new S3Store({ ...s3.settings, bucket: "elsewhere" }));
    await assert.rejects(store.read(keyOf(Buffer.of(1)), 1, patience()), fault("refused"));
  });
});

suite("an S3 server that fails", () => {
  async function server(statuses: number[], body = ""): Promise<{ store: S3Store; asked: () => number }> {
    let asked = 0;
    const http = createServer((request, response) => {
      request.resume();
      request.on("end", () => {
        response.writeHead(statuses[Math.min(asked++, statuses.length - 1)] ?? 200);
        response.end(body);
      });
    });
    await new Promise<void>((resolve) => http.listen(0, "127.0.0.1", resolve));
    after(() => {
      http.closeAllConnections();
      http.close();
    });
    const endpoint = `http://127.0.0.1:${(http.address() as AddressInfo).port}`;
    const credentials = fixedKeys({ accessKeyId: "a", secretAccessKey: "b" });
    const store = new S3Store({ endpoint, bucket: "b", region: "r", prefix: "", credentials });
    after(() => store.close());
    return { store, asked: () => asked };
  }

  test("for a moment is tried again", async () => {
    const { store, asked } = await server([503, 200]);
    await store.write(keyOf(Buffer.of(1)), Buffer.of(1), patience());
    assert.equal(asked(), 2);
  });

  test("for good is unavailable after three tries", async () => {
    const { store, asked } = await server([500]);
    await assert.rejects(store.write(keyOf(Buffer.of(1)), Buffer.of(1), patience()), fault("unavailable"));
    assert.equal(asked(), 3);
  });

  test("since its room is used up is full, and not tried again", async () => {
    const { store, asked } = await server([507]);
    await assert.rejects(store.write(keyOf(Buffer.of(1)), Buffer.of(1), patience()), fault("full"));
    assert.equal(asked(), 1);
  });

  test("by sending more than was stored is damaged", async () => {
    const { store } = await server([200], "x".repeat(100_000));
    await assert.rejects(store.read(keyOf(Buffer.of(1)), 10, patience()), fault("damaged"));
  });

  test("by not being there is unavailable, or given up when the task is", async () => {
    const credentials = fixedKeys({ accessKeyId: "a", secretAccessKey: "b" });
    await using store = closing(
      new S3Store({ endpoint: "http://127.0.0.1:9", bucket: "b", region: "r", prefix: "", credentials }),
    );
    await assert.rejects(store.read(keyOf(Buffer.of(1)), 1, patience()), fault("unavailable"));
    await assert.rejects(store.read(keyOf(Buffer.of(1)), 1, AbortSignal.abort(new Error("stop"))), /stop/);
  });
});

/** Closed at the end of its block. */
function closing(store: S3Store): S3Store & AsyncDisposable {
  return Object.assign(store, { [Symbol.asyncDispose]: () => store.close() });
}

/** Why a small file system can't be mounted here, or false. */
function noSmallDisk(): string | false {
  const folder = mkdtempSync(join(tmpdir(), "querent-disk-"));
  try {
    execFileSync("mount", ["-t", "tmpfs", "-o", "size=1m", "tmpfs", folder], { stdio: "ignore" });
    execFileSync("umount", [folder], { stdio: "ignore" });
    return false;
  } catch {
    return "no file system can be mounted here";
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
