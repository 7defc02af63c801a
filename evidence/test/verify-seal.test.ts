/** What was signed when a task ended is held against what is signed when its evidence is asked for. */
import assert from "node:assert/strict";
import { test } from "node:test";
import {
  generateKeyPair,
  sealName,
  sealSignatureName,
  verifyEvidence,
  writeEvidence,
  writeSeal,
  type EvidenceFile,
  type Seal,
  type Verdict,
} from "../src/index.ts";
import { factsOf, fileOf } from "./fixture.ts";

const { publicKey, privateKey } = generateKeyPair();
const older = generateKeyPair();
const facts = {
  ...factsOf(publicKey),
  platformCode: "example-web",
  revision: 2,
  observedAt: "2026-11-01T09:30:01.000Z",
};
const file = (name: string, content: string | Buffer) => fileOf(name, content, "text/html");
const page = file("captures/page.html", "<p>the page</p>");
const raw = file("raw-answer.json", "{}");
const record = file("record.json", "{}");

/** The files of a seal over `page` and `raw`, unless it says otherwise. */
function sealed(changes: Partial<Omit<Seal, "format">> = {}, signer = privateKey): EvidenceFile[] {
  const { taskId, platformCode, observedAt, key } = facts;
  const sealedAt = "2026-11-01T09:30:01.400Z";
  const { seal, signature } = writeSeal(
    { taskId, platformCode, observedAt, sealedAt, key, files: [raw, page], ...changes },
    signer,
  );
  return [file(sealName, seal), file(sealSignatureName, signature)];
}

/** What a checker says of these files, all of them signed rightly by whoever gives them out. */
async function verdictOn(files: readonly EvidenceFile[], keys = [publicKey, older.publicKey]): Promise<Verdict> {
  const pieces: Buffer[] = [];
  for await (const piece of writeEvidence(facts, files, privateKey)) pieces.push(piece);
  return verifyEvidence(Buffer.concat(pieces), keys);
}

async function refusal(files: readonly EvidenceFile[]): Promise<string> {
  const verdict = await verdictOn(files);
  assert.ok(verdict.verdict === "refused" && verdict.reason === "broken_seal", verdict.sentence);
  assert.match(verdict.sentence, /^[\x20-\x7e]+\.$/);
  return verdict.sentence;
}

test("evidence that is as it was sealed is authentic, and says since when", async () => {
  const verdict = await verdictOn([record, raw, page, ...sealed()]);
  assert.ok(verdict.verdict === "authentic", verdict.sentence);
  assert.equal(verdict.seal?.files.length, 2);
  assert.match(verdict.sentence, /2 of them sealed since 2026-11-01T09:30:01\.400Z/);
});

test("a seal of a key that was replaced since counts, when that key is trusted", async () => {
  const files = [record, raw, page, ...sealed({ key: older.publicKey }, older.privateKey)];
  assert.equal((await verdictOn(files)).verdict, "authentic");
  assert.equal((await verdictOn(files, [publicKey])).verdict, "refused");
});

test("evidence in which nothing had to be sealed needs no seal", async () => {
  const verdict = await verdictOn([record, raw]);
  assert.ok(verdict.verdict === "authentic" && verdict.seal === null);
});

for (const [what, files, sentence] of [
  [
    "a capture was changed",
    [record, raw, file(page.name, "<p>another</p>"), ...sealed()],
    /page\.html was changed after/,
  ],
  [
    "the platform's bytes were changed",
    [record, file(raw.name, "[]"), page, ...sealed()],
    /raw-answer\.json was changed/,
  ],
  ["a capture is gone", [record, raw, ...sealed()], /page\.html was sealed when the task ended, and is gone/],
  ["a capture came to it", [record, raw, page, file("captures/new.html", "x"), ...sealed()], /new\.html came to it/],
  ["there is no seal", [record, raw, page], /has no seal/],
  ["the seal is not signed", [record, raw, page, ...sealed().slice(0, 1)], /can't be read/],
  ["the signature signs nothing", [record, raw, page, ...sealed().slice(1)], /can't be read/],
  ["the seal is another task's", [record, raw, page, ...sealed({ taskId: "another" })], /another task's/],
  ["the seal is another platform's", [record, raw, page, ...sealed({ platformCode: "other" })], /another task's/],
  ["another key signed in the trusted one's name", [record, raw, page, ...sealed({}, older.privateKey)], /is invalid/],
  ["the seal is nonsense", [record, raw, page, file(sealName, "{"), file(sealSignatureName, "x")], /can't be read/],
  [
    "the seal is half a seal",
    [record, raw, page, file(sealName, '{"format":"querent-seal/1","files":3}'), file(sealSignatureName, "x")],
    /can't be read/,
  ],
] as const) {
  test(`evidence is refused though it is signed rightly: ${what}`, async () => {
    assert.match(await refusal(files), sentence);
  });
}

test("a seal of a key that nobody trusts is refused", async () => {
  const { publicKey: key, privateKey: signer } = generateKeyPair();
  assert.match(await refusal([record, raw, page, ...sealed({ key }, signer)]), /none of those that you gave/);
});
