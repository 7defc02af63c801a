/** docs/reference/api.md#get-a-tasks-evidence. */
import assert from "node:assert/strict";
import { createHash } from "node:crypto";
import { mkdtempSync, renameSync, rmSync, statSync, symlinkSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, suite, test, type TestContext } from "node:test";
import type { EvidenceKeys, TaskRecord } from "@querent/contract";
import { readPublicKeys, verifyEvidence } from "@querent/evidence";
import { readZip } from "../../../evidence/src/read-zip.ts";
import { commandLine } from "../../src/app/cli/command-line.ts";
import { FileStore, keepContent } from "../../src/artifacts/index.ts";
import { rotateSigningKey, signingKey } from "../../src/evidence/index.ts";
import { MasterKey } from "../../src/vault/index.ts";
import { refused, startTestService } from "../harness/service.ts";
import { testDatabase } from "../harness/database.ts";
import { runCommand } from "../harness/process.ts";

const folder = mkdtempSync(join(tmpdir(), "querent-evidence-"));
after(() => rmSync(folder, { recursive: true, force: true }));
writeFileSync(
  join(folder, "captured.mjs"),
  `export const createPlatform = () => ({
    ask: async ({ text }) => ({
      kind: "answered",
      answer: { parts: [{ type: "markdown", markdown: text }], sources: [], search: null, reasoning: null, pageHtml: null,
        modelVersion: null, observedAt: new Date(), endpoint: null, region: null, unreadable: [] },
      raw: { mediaType: "application/json", body: JSON.stringify({ text }) },
      consumption: null,
      captures: [
        { name: "answer.html", mediaType: "text/html", bytes: Buffer.from("<p>" + text + "</p>") },
        ...(text === "pictured" ? [{ name: "page.png", mediaType: "text/html", bytes: Buffer.from("<script>1</script>") }] : []),
      ],
      ...(text === "pictured" && { evidence: [
        { kind: "picture", capture: "page.png" },
        { kind: "archive", missing: "The archive could not be written." },
      ] }),
    }),
  });`,
);
writeFileSync(join(folder, "platforms.yaml"), "platforms: { captured: { module: ./captured.mjs } }");
const service = await startTestService({
  environment: { QUERENT_DATA_DIR: folder, QUERENT_CONFIG: join(folder, "platforms.yaml") },
});
const account = await service.account();

/** The evidence of a task, as bytes. */
async function evidenceOf(taskId: string, token = account.token): Promise<Buffer> {
  const response = await fetch(`${service.address}/v1/tasks/${taskId}/evidence`, {
    headers: { authorization: `Bearer ${token}` },
  });
  const bytes = Buffer.from(await response.arrayBuffer());
  assert.equal(response.status, 200, bytes.toString("utf8", 0, 500));
  assert.equal(response.headers.get("content-type"), "application/zip");
  assert.equal(response.headers.get("content-disposition"), `attachment; filename="evidence-${taskId}.zip"`);
  return bytes;
}
const published = async () => (await service.call<EvidenceKeys>("GET", "/.well-known/querent-evidence-keys")).body;

suite("evidence", () => {
  test("of every completed task holds the record, and our page of it, signed with a key that the service publishes", async () => {
    const task = await account.answerTo("cards=product sources=2");
    const zip = await evidenceOf(task.taskId);
    const verdict = verifyEvidence(zip, readPublicKeys(JSON.stringify(await published())));
    assert.equal(verdict.verdict, "authentic", verdict.sentence);
    assert.equal(verdict.manifest.taskId, task.taskId);
    assert.equal(verdict.manifest.completedAt, task.completedAt);
    const { files } = readZip(zip);
    assert.deepEqual([...files.keys()].sort(), ["manifest.json", "manifest.sig", "page.html", "record.json"]);
    assert.deepEqual(JSON.parse(String(files.get("record.json"))) as TaskRecord, task);
    assert.match(String(files.get("page.html")), /Simulated product 1/);
  });

  test("is the same bytes whenever it is asked for", async () => {
    const { taskId } = await account.answerTo("sources=1");
    assert.ok((await evidenceOf(taskId)).equals(await evidenceOf(taskId)));
  });

  test("holds the platform's own bytes, where it gave some", async () => {
    const { taskId } = await account.answerTo("a");
    await service.database.query(
      "update task_results set raw_type = 'application/json', raw_body = $2 where task_id = $1",
      [taskId, '{"its": "own"}'],
    );
    assert.equal(String(readZip(await evidenceOf(taskId)).files.get("raw-answer.json")), '{"its": "own"}');
  });

  test("of a shared answer holds the very page that is shared", async () => {
    const task = await account.answerTo("sources=1", { options: { output: "share_link" } });
    const shared = await service.call("GET", new URL(task.shareUrl ?? "").pathname);
    assert.equal(String(readZip(await evidenceOf(task.taskId)).files.get("page.html")), shared.text);
  });

  test("holds what an answer was read from, sealed when the task ended", async () => {
    const task = await account.answerTo("Why?", { platformCode: "captured" });
    const zip = await evidenceOf(task.taskId);
    const verdict = verifyEvidence(zip, readPublicKeys(JSON.stringify(await published())));
    assert.ok(verdict.verdict === "authentic", verdict.sentence);
    assert.deepEqual(
      verdict.seal?.files.map(({ name }) => name),
      ["captures/answer.html", "raw-answer.json"],
    );
    assert.deepEqual([verdict.seal.taskId, verdict.seal.platformCode], [task.taskId, "captured"]);
    assert.ok(Date.parse(verdict.seal.sealedAt) <= Date.parse(task.completedAt ?? ""));
    assert.equal(String(readZip(zip).files.get("captures/answer.html")), "<p>Why?</p>");
  });

  test("names the picture and the archive of the page in the record, each with its address and digest or why it is missing", async () => {
    const { taskId, evidence } = await account.answerTo("pictured", { platformCode: "captured" });
    const content = Buffer.from("<script>1</script>");
    const sha256 = createHash("sha256").update(content).digest("hex");
    const url = `/v1/tasks/${taskId}/evidence/picture`;
    const none = { url: null, file: null, mediaType: null, bytes: null, sha256: null };
    assert.deepEqual(evidence, [
      { kind: "picture", url, file: "captures/page.png", mediaType: "text/html", bytes: 18, sha256, missing: null },
      { kind: "archive", ...none, missing: "The archive could not be written." },
    ]);
    const headers = { authorization: `Bearer ${account.token}` };
    const response = await fetch(service.address + url, { headers });
    assert.equal(response.status, 200);
    // Whatever the page made of it, a browser saves it and executes nothing.
    assert.equal(response.headers.get("content-type"), "image/png");
    assert.equal(response.headers.get("content-disposition"), `attachment; filename="page-${taskId}.png"`);
    assert.equal(response.headers.get("x-content-type-options"), "nosniff");
    assert.equal(response.headers.get("content-security-policy"), "default-src 'none'; sandbox");
    assert.deepEqual(Buffer.from(await response.arrayBuffer()), content);
    const seal = verifyEvidence(await evidenceOf(taskId), null);
    assert.ok(seal.verdict === "intact" && seal.seal?.files.some((file) => file.sha256 === sha256), seal.sentence);
  });

  test("of one file is only for the account of the task, while the result is retained, and not found if there is none", async () => {
    const { taskId } = await account.answerTo("pictured", { platformCode: "captured" });
    const plain = await account.answerTo("Why?", { platformCode: "captured" });
    const path = (kind: string, id = taskId) => `/v1/tasks/${id}/evidence/${kind}`;
    const stranger = await service.account();
    refused(await stranger.get(path("picture")), "not_found");
    refused(await service.call("GET", path("picture")), "unauthorized");
    refused(await account.get(path("archive")), "not_found");
    refused(await account.get(path("picture", plain.taskId)), "not_found");
    refused(await account.get(path("page.html")), "validation_failed");
    assert.deepEqual(plain.evidence, []);
    await service.database.query("update tasks set expires_at = now() where id = $1", [taskId]);
    refused(await account.get(path("picture")), "gone");
  });

  for (const [what, statement] of [
    [
      "a capture is changed",
      "update artifacts a set content_id = o.id, sha256 = o.sha256, bytes = o.bytes from other o where task_id = $1 and kind = 'capture'",
    ],
    [
      "a capture is added",
      "insert into artifacts select a.day, a.task_id, a.expires_at, a.kind, 'captures/new.html', a.media_type, o.id, o.sha256, o.bytes, a.account_id from artifacts a, other o where task_id = $1 and kind = 'capture'",
    ],
    ["a capture is removed", "delete from artifacts where task_id = $1 and kind = 'capture'"],
    ["the platform's bytes are changed", `update task_results set raw_body = '{"x": 1}' where task_id = $1`],
    ["the seal is removed", "delete from artifacts where task_id = $1 and kind = 'seal'"],
  ] as const) {
    test(`of which ${what} in the database after the task has ended is signed, and taken by no checker`, async () => {
      const { taskId } = await account.answerTo("Why?", { platformCode: "captured" });
      const store = new FileStore(join(folder, "artifacts"));
      const other = await keepContent(
        service.database,
        store,
        Buffer.from(`<p>${what}</p>`),
        AbortSignal.timeout(180_000),
      );
      const { rowCount } = await service.database.query(
        `with other as (select $2::bigint as id, $3::bytea as sha256, $4::integer as bytes) ${statement}`,
        [taskId, other.contentId, other.sha256, other.bytes],
      );
      assert.ok((rowCount ?? 0) > 0);
      const verdict = verifyEvidence(await evidenceOf(taskId), null);
      assert.ok(verdict.verdict === "refused" && verdict.reason === "broken_seal", verdict.sentence);
    });
  }

  /** The file of a capture in the store. */
  const storedFile = async (taskId: string, name: string) => {
    const { rows } = await service.database.query<{ key: string }>(
      "select encode(sha256, 'hex') || '-' || content_id as key from artifacts where task_id = $1 and name = $2",
      [taskId, name],
    );
    const { key } = rows[0] ?? { key: "" };
    return join(folder, "artifacts", key.slice(0, 2), key);
  };

  test("of which a later file is damaged in the store is cut off, told in the log, and taken by no checker", async () => {
    const { taskId } = await account.answerTo("pictured", { platformCode: "captured" });
    const file = await storedFile(taskId, "captures/page.png");
    writeFileSync(file, Buffer.alloc(statSync(file).size));
    const headers = { authorization: `Bearer ${account.token}` };
    const response = await fetch(`${service.address}/v1/tasks/${taskId}/evidence`, { headers });
    assert.equal(response.status, 200);
    await assert.rejects(response.arrayBuffer());
    assert.ok(service.events.some(({ event }) => event === "artifact.failed"));
  });

  test("of which the first file can't be read now is refused as unavailable, and can be requested again", async () => {
    const { taskId } = await account.answerTo("pictured once", { platformCode: "captured" });
    const file = await storedFile(taskId, "captures/answer.html");
    renameSync(file, `${file}.away`);
    symlinkSync(file, file);
    const reply = await account.get(`/v1/tasks/${taskId}/evidence`);
    refused(reply, "unavailable");
    assert.equal(reply.headers["retry-after"], "5");
    renameSync(`${file}.away`, file);
    assert.equal(verifyEvidence(await evidenceOf(taskId), null).verdict, "intact");
  });

  test("of a task that has not completed is none yet, or never", async () => {
    const pending = await account.ask("delay=60s");
    refused(await account.get(`/v1/tasks/${pending}/evidence`), "state_conflict");
    await account.call("POST", `/v1/tasks/${pending}/cancellation`);
    refused(await account.get(`/v1/tasks/${pending}/evidence`), "state_conflict");
    const { taskId } = await account.answerTo("fail=platform_refused");
    refused(await account.get(`/v1/tasks/${taskId}/evidence`), "state_conflict");
  });

  test("of another account's task, or of none, is not found", async () => {
    const { taskId } = await account.answerTo("a");
    const stranger = await service.account();
    refused(await stranger.get(`/v1/tasks/${taskId}/evidence`), "not_found");
    refused(await account.get("/v1/tasks/01a1fe2b-2faa-7230-b56a-000000000000/evidence"), "not_found");
    refused(await account.get("/v1/tasks/nonsense/evidence"), "not_found");
    const writer = await account.withToken({ scopes: ["tasks:write"] });
    refused(await writer.get(`/v1/tasks/${taskId}/evidence`), "scope_missing");
    refused(await service.call("GET", `/v1/tasks/${taskId}/evidence`), "unauthorized");
  });

  test("is gone with the result", async () => {
    const { taskId } = await account.answerTo("a");
    await service.database.query("update tasks set expires_at = now() where id = $1", [taskId]);
    refused(await account.get(`/v1/tasks/${taskId}/evidence`), "gone");
  });
});

suite("the key", () => {
  test("is made once, however many processes start at once, and opens with the master key alone", async () => {
    const { database } = await testDatabase();
    const encrypter = xorEncrypter("a");
    const keys = await Promise.all(Array.from({ length: 8 }, () => signingKey(database, encrypter)));
    assert.equal(new Set(keys.map(({ publicKey }) => publicKey.kid)).size, 1);
    const { rows } = await database.query<{ sealed: Buffer }>("select sealed from evidence_keys");
    assert.equal(rows.length, 1);
    assert.doesNotMatch(String(rows[0]?.sealed), /PRIVATE/);
    await assert.rejects(signingKey(database, xorEncrypter("b")));
  });

  test("that was replaced stays published, its private half is destroyed, and what it signed stays authentic", async () => {
    const { taskId } = await account.answerTo("a");
    const before = await evidenceOf(taskId);
    const old = (await published()).keys[0]?.kid;
    const masterKey = new MasterKey(Buffer.from(service.commandEnvironment["QUERENT_MASTER_KEY"] ?? "", "base64"));
    await rotateSigningKey(service.database, masterKey);
    const keys = await published();
    assert.deepEqual([keys.keys.length, keys.keys[1]?.kid], [2, old]);
    assert.equal(verifyEvidence(before, readPublicKeys(JSON.stringify(keys))).verdict, "authentic");
    const { rows } = await service.database.query("select 1 from evidence_keys where sealed is not null");
    assert.equal(rows.length, 1);
  });
});

test("`querentd verify-evidence` checks a file offline, with and without a key, and its exit code tells", async (t) => {
  // A service of its own: the other one's key was replaced by one that it can't open.
  const own = await startTestService();
  const caller = await own.account();
  const { taskId } = await caller.answerTo("sources=1");
  const headers = { authorization: `Bearer ${caller.token}` };
  const fetched = await fetch(`${own.address}/v1/tasks/${taskId}/evidence`, { headers });
  const bytes = Buffer.from(await fetched.arrayBuffer());
  const zip = join(folder, "evidence.zip");
  const keys = join(folder, "keys.json");
  writeFileSync(zip, bytes);
  writeFileSync(keys, (await own.call("GET", "/.well-known/querent-evidence-keys")).text);
  const intact = await verified(t, zip);
  assert.deepEqual([intact.code, intact.said.slice(0, 8)], [0, "Intact: "]);
  const proven = await verified(t, zip, "--key", keys);
  assert.deepEqual([proven.code, proven.said.slice(0, 11)], [0, "Authentic: "]);
  await assert.rejects(verified(t, join(folder, "nothing.zip")), /can't be read \(ENOENT\)/);
  writeFileSync(zip, bytes.subarray(0, -5));
  // In a process of its own, as an operator runs it.
  const refusal = await runCommand({}, ["verify-evidence", zip, "--key", keys]);
  assert.equal(refusal.code, 1);
  assert.match(refusal.stdout + refusal.stderr, /no zip file/);
});

/** What the command prints, and its exit code, without a process: starting one takes longer than the command. */
async function verified(t: TestContext, ...words: string[]): Promise<{ code: unknown; said: string }> {
  const log = t.mock.method(console, "log", () => undefined);
  const { exitCode } = process;
  process.exitCode = 0;
  try {
    const program = await commandLine("verify-evidence");
    await program.parseAsync(["verify-evidence", ...words], { from: "user" });
    return { code: process.exitCode, said: log.mock.calls.map((call) => String(call.arguments[0])).join("\n") };
  } finally {
    process.exitCode = exitCode;
    log.mock.restore();
  }
}

/** Stands in for the master key, for tests of what is stored. */
function xorEncrypter(secret: string) {
  const mark = createHash("sha256").update(secret).digest();
  const turn = (bytes: Buffer) => Buffer.from(bytes.map((byte, at) => byte ^ (mark[at % 32] ?? 0)));
  return { seal: (plain: string) => turn(Buffer.from(plain)), open: (stored: Buffer) => turn(stored).toString() };
}
