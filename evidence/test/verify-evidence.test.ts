import assert from "node:assert/strict";
import { execFileSync, spawnSync } from "node:child_process";
import { mkdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { createPublicKey, randomBytes, sign } from "node:crypto";
import { suite, test } from "node:test";
import { crc32, deflateRawSync } from "node:zlib";
import {
  generateKeyPair,
  manifestName,
  readPublicKeys,
  sealName,
  sealSignatureName,
  signatureName,
  verifyEvidence,
  writeEvidence,
  writeSeal,
  type RefusalReason,
} from "../src/index.ts";
import { factsOf, fileOf as file } from "./fixture.ts";
import { temporaryFolder } from "../../service/test/harness/process.ts";
import { readZip } from "../src/read-zip.ts";
import { writeZip } from "../src/write-zip.ts";

const missing = (program: string) => spawnSync(program, ["--help"]).status !== 0 && `${program} is not installed`;

const { publicKey, privateKey } = generateKeyPair();
const other = generateKeyPair();

const facts = factsOf(publicKey);

const capture = file("captures/page.html", "<p>".repeat(10_000));
const { seal, signature } = writeSeal({ ...facts, sealedAt: "2026-11-01T09:30:01.400Z", files: [capture] }, privateKey);
const files = [
  file("record.json", '{"taskId": "x"}'),
  capture,
  file("empty", ""),
  file(sealName, seal),
  file(sealSignatureName, signature),
];

async function collected(pieces: AsyncIterable<Buffer>): Promise<Buffer> {
  const all: Buffer[] = [];
  for await (const piece of pieces) all.push(piece);
  return Buffer.concat(all);
}
const good = await collected(writeEvidence(facts, files, privateKey));

/** A zip of these files, manifest and signature as they are given. */
const zipOf = (
  entries: readonly (readonly [string, string | Buffer])[],
  { time = new Date(facts.completedAt), level = 9, stored = [] as readonly string[] } = {},
) =>
  collected(
    writeZip(
      entries.map(([name, content]) => ({
        name,
        stored: stored.includes(name),
        read: async () => Buffer.from(content),
      })),
      time,
      level,
    ),
  );

function refusedFor(...expected: Parameters<typeof refusal>): void {
  refusal(...expected);
}

/** Expects a refusal; its sentence. */
function refusal(
  zip: Uint8Array,
  reason: RefusalReason,
  keys: Parameters<typeof verifyEvidence>[1] = [publicKey],
): string {
  const verdict = verifyEvidence(zip, keys);
  assert.equal(verdict.verdict, "refused", verdict.sentence);
  if (verdict.verdict === "refused") assert.equal(verdict.reason, reason, verdict.sentence);
  assert.match(verdict.sentence, /^[\x20-\x7e]+\.$/);
  return verdict.sentence;
}

suite("evidence of which any bit was changed", () => {
  test("is refused, whichever bit it is", async () => {
    const small = await collected(
      writeEvidence(facts, [file("record.json", '{"taskId": "x"}'), file("page.html", "<p>".repeat(50))], privateKey),
    );
    assert.equal(verifyEvidence(small, [publicKey]).verdict, "authentic");
    const accepted: string[] = [];
    for (let at = 0; at < small.length; at++) {
      for (let bit = 0; bit < 8; bit++) {
        const changed = Buffer.from(small);
        changed[at] = (changed[at] ?? 0) ^ (1 << bit);
        if (verifyEvidence(changed, [publicKey]).verdict !== "refused") accepted.push(`${at}:${bit}`);
      }
    }
    assert.deepEqual(accepted, []);
  });
});

suite("evidence as it was written", () => {
  test("is authentic to whoever has the service's key, and intact to whoever has none", () => {
    const verdict = verifyEvidence(good, [other.publicKey, publicKey]);
    assert.equal(verdict.verdict, "authentic", verdict.sentence);
    assert.match(
      verdict.sentence,
      /^Authentic: the evidence of task 01a1fe2b-.*, 5 files, none of them changed, 1 of them sealed since 2026-11-01T09:30:01\.400Z/,
    );
    const alone = verifyEvidence(good, null);
    assert.equal(alone.verdict, "intact");
    assert.match(alone.sentence, /can only be told by comparing/);
  });

  test("is the same bytes every time", async () => {
    assert.ok((await collected(writeEvidence(facts, files.toReversed(), privateKey))).equals(good));
  });

  test("is not authentic to whoever has another key", () => {
    assert.match(refusal(good, "unknown_key", [other.publicKey]), new RegExp(publicKey.kid));
  });
});

suite("evidence that was changed", () => {
  test("is refused, whichever byte it was", () => {
    // Every byte of the small parts, and some of the large one.
    for (let at = 0; at < good.length; at++) {
      const changed = Buffer.from(good);
      changed[at] = (changed[at] ?? 0) ^ 0x01;
      const { verdict } = verifyEvidence(changed, [publicKey]);
      assert.equal(verdict, "refused", `byte ${at} of ${good.length}`);
    }
  });

  test("is refused when it was cut off or added to, anywhere", () => {
    for (let length = 0; length < good.length; length += 7) refusedFor(good.subarray(0, length), "not_a_zip");
    refusedFor(Buffer.concat([good, Buffer.from("x")]), "not_a_zip");
    refusedFor(Buffer.concat([Buffer.from("x"), good]), "damaged");
  });

  /** The good evidence's files, changed and zipped anew as Querent 0.1 did it, so that the zip itself is right. */
  const rewritten = (change: (entries: Map<string, string | Buffer>) => void, time?: Date) => {
    const verdict = verifyEvidence(good, null);
    assert.ok(verdict.verdict === "intact");
    const unpacked = verdict.manifest.files.map(({ name, mediaType, bytes, sha256 }) => ({
      name,
      mediaType,
      bytes,
      sha256,
    }));
    const manifest = Buffer.from(`${JSON.stringify({ ...verdict.manifest, files: unpacked }, null, 2)}\n`);
    const entries = new Map<string, string | Buffer>([
      [manifestName, manifest],
      [signatureName, sign(null, manifest, privateKey)],
      ["captures/page.html", "<p>".repeat(10_000)],
      ["empty", ""],
      ["record.json", '{"taskId": "x"}'],
      [sealName, seal],
      [sealSignatureName, signature],
    ]);
    change(entries);
    return zipOf([...entries], time === undefined ? {} : { time });
  };

  test("is refused with another time in all of its headers", async () => {
    const late = await rewritten(() => undefined, new Date(Date.parse(facts.completedAt) + 60_000));
    assert.match(refusal(late, "damaged"), /another time/);
  });

  test("and was written by Querent 0.1 is authentic: of that, the content is verified", async () => {
    const written = await rewritten(() => undefined);
    assert.equal(verifyEvidence(written, [publicKey]).verdict, "authentic");
    assert.notDeepEqual([...readZip(written).files.keys()], [...readZip(good).files.keys()]);
  });

  test("and zipped anew: a file", async () => {
    const zip = await rewritten((entries) => entries.set("record.json", '{"taskId": "y"}'));
    assert.match(refusal(zip, "changed_file"), /The file record\.json was changed/);
  });
  test("and zipped anew: a file is missing", async () =>
    refusedFor(await rewritten((entries) => entries.delete("record.json")), "missing_file"));
  test("and zipped anew: a file came to it", async () =>
    refusedFor(await rewritten((entries) => entries.set("more.html", "x")), "extra_file"));
  test("and zipped anew: the manifest", async () => {
    const zip = await rewritten((entries) =>
      entries.set(
        manifestName,
        String(entries.get(manifestName)).replace("2026-11-01T09:30:01", "2026-11-02T09:30:01"),
      ),
    );
    refusedFor(zip, "bad_signature");
    refusedFor(zip, "bad_signature", null);
  });
  test("and zipped anew: without its signature", async () =>
    refusedFor(await rewritten((entries) => entries.delete(signatureName)), "no_manifest"));
  test("and signed with another key that calls itself by the trusted one's id", async () => {
    const key = { ...other.publicKey, kid: publicKey.kid };
    const forged = await collected(writeEvidence({ ...facts, key }, files, other.privateKey));
    refusedFor(forged, "bad_signature");
    refusedFor(forged, "bad_signature", null);
  });
  test("and signed with another key openly is intact, and never authentic", async () => {
    const forged = await collected(writeEvidence({ ...facts, key: other.publicKey }, files, other.privateKey));
    assert.equal(verifyEvidence(forged, null).verdict, "intact");
    refusedFor(forged, "unknown_key");
  });
  test("and a manifest that says control characters does not reach the terminal", async () => {
    const service = { name: "Evil\u001b[2J", version: "1" };
    const forged = await collected(writeEvidence({ ...facts, service, key: other.publicKey }, files, other.privateKey));
    assert.match(verifyEvidence(forged, null).sentence, /^[\x20-\x7e]+$/);
  });
  for (const [name, content] of Object.entries({
    "no JSON": "{",
    "a list": "[]",
    null: "null",
    "half a manifest": '{"format":"querent-evidence/1"}',
  }))
    test(`and its manifest is ${name}`, async () =>
      refusedFor(
        await zipOf([
          [manifestName, content],
          [signatureName, Buffer.alloc(64)],
        ]),
        "no_manifest",
      ));
  test("and its format is of another version", async () =>
    refusedFor(
      await zipOf([
        [manifestName, '{"format":"querent-evidence/9"}'],
        [signatureName, ""],
      ]),
      "unknown_format",
    ));
});

suite("evidence whose files are the same and whose zip is another", () => {
  const { files: contents } = readZip(good);
  const names = [...contents.keys()];
  const signed = [manifestName, signatureName];
  const zipped = (order: readonly string[], how: Parameters<typeof zipOf>[1]) =>
    zipOf(
      order.map((name) => [name, contents.get(name) ?? ""]),
      how,
    );

  test("is refused: a file is compressed in another way, or not at all", async () => {
    assert.ok((await zipped(names, { stored: signed })).equals(good));
    assert.match(
      refusal(await zipped(names, { stored: signed, level: 1 }), "damaged"),
      /changed after it was signed: captures\/page\.html is not packed as it was/,
    );
    assert.match(
      refusal(await zipped(names, { stored: [...signed, "seal.json"] }), "damaged"),
      /seal\.json is not packed/,
    );
  });
  test("is refused: its manifest is compressed", async () => {
    assert.match(refusal(await zipped(names, { stored: [] }), "damaged"), /manifest\.json is compressed/);
  });
  test("is refused: its files are in another order", async () => {
    for (const order of [names.toReversed(), [...signed, ...names.slice(0, -2)]])
      assert.match(refusal(await zipped(order, { stored: signed }), "damaged"), /not in the order of its manifest/);
  });
});

suite("evidence that another program packed anew", () => {
  test("is refused, and told from one that is damaged", { skip: missing("zip") || missing("python3") }, () => {
    using folder = temporaryFolder();
    for (const [name, content] of readZip(good).files) {
      mkdirSync(dirname(join(folder.path, name)), { recursive: true });
      writeFileSync(join(folder.path, name), content);
    }
    const names = [...readZip(good).files.keys()];
    const packers: readonly (readonly [string, ...string[]])[] = [
      ["zip", "-q", "packed.zip", ...names],
      ["zip", "-q", "-r", "-X", "packed.zip", "."],
      ["python3", "-m", "zipfile", "-c", "packed.zip", ...names],
    ];
    for (const [program, ...args] of packers) {
      rmSync(join(folder.path, "packed.zip"), { force: true });
      execFileSync(program, args, { cwd: folder.path });
      const sentence = refusal(readFileSync(join(folder.path, "packed.zip")), "repacked");
      assert.match(sentence, /another program, which packed its files anew.*Use the original/);
    }
  });
});

suite("a zip that was made to harm", () => {
  test("with bytes behind the packed content of a file", () => {
    const zip = rawZip([
      { name: manifestName, content: Buffer.from("x"), behind: Buffer.from("hidden") },
      { name: signatureName, content: Buffer.alloc(64) },
    ]);
    assert.match(refusal(zip, "damaged"), /bytes behind its packed content/);
  });
  test("with a symbolic link for a file", () => {
    const zip = rawZip([{ name: "a", content: Buffer.from("x") }]);
    zip.writeUInt32LE((0o120777 << 16) >>> 0, zip.readUInt32LE(zip.length - 6) + 38);
    refusedFor(zip, "damaged");
  });
  test("that unpacks to more than it says is not unpacked further", () => {
    const bomb = rawZip([
      { name: manifestName, content: Buffer.alloc(50_000_000), says: 10 },
      { name: signatureName, content: Buffer.alloc(64) },
    ]);
    const before = process.memoryUsage().arrayBuffers;
    refusedFor(bomb, "damaged");
    assert.ok(process.memoryUsage().arrayBuffers - before < 10_000_000);
  });
  test("that says how large it is, is not unpacked at all", () => {
    const entries = Array.from({ length: 6 }, (_, n) => ({
      name: `a${n}`,
      content: Buffer.alloc(10),
      says: 100_000_000,
    }));
    refusedFor(rawZip(entries), "too_large");
  });
  test("whose manifest is larger than one can be, or of which a file unpacks to a multiple of what text does", () => {
    const list = Buffer.from(`{"files":[${"{},".repeat(200_000)}{}]}`);
    const content = randomBytes(3_000).toString("hex");
    for (const bytes of [list, Buffer.concat([list, Buffer.alloc(30_000_000, " ")]), Buffer.from(content.repeat(100))])
      refusedFor(rawZip([{ name: manifestName, content: bytes }]), "too_large");
    refusedFor(rawZip([{ name: "page.html", content: Buffer.alloc(20_000_000) }]), "too_large");
    refusedFor(rawZip([{ name: sealName, content: Buffer.from(content.repeat(100)) }]), "too_large");
  });
  test("and whose signature is not one to trust, is not unpacked beyond its manifest", async () => {
    const large = file("page.html", randomBytes(5_000_000).toString("hex"));
    const forged = await collected(writeEvidence({ ...facts, key: other.publicKey }, [large], other.privateKey));
    const before = process.memoryUsage().arrayBuffers;
    refusedFor(forged, "unknown_key");
    assert.ok(process.memoryUsage().arrayBuffers - before < 1_000_000);
  });
  test("but whatever Querent writes is read, also what compresses to nothing", async () => {
    const blank = await collected(writeEvidence(facts, [file("page.html", " ".repeat(5_000_000))], privateKey));
    assert.equal(verifyEvidence(blank, [publicKey]).verdict, "authentic");
  });
  test("that holds very many files", () => {
    refusedFor(
      rawZip(Array.from({ length: 101 }, (_, n) => ({ name: `a${n}`, content: Buffer.alloc(0) }))),
      "too_large",
    );
  });
  for (const name of [
    "../../etc/passwd",
    "/etc/passwd",
    "..",
    "a/../b",
    "a//b",
    "C:\\x",
    "a\\b",
    ".ssh",
    "a/.b",
    "a\0b",
    "é",
    "\u001b[2J",
    "",
    "a/",
  ])
    test(`with a file named ${JSON.stringify(name)}`, () =>
      refusedFor(rawZip([{ name, content: Buffer.from("x") }]), "unsafe_name"));
  test("with two files of one name", () => {
    const entry = { name: "record.json", content: Buffer.from("x") };
    refusedFor(rawZip([entry, entry]), "duplicate_name");
  });
  test("whose two headers name a file differently", () => {
    refusedFor(rawZip([{ name: "record.json", localName: "rec0rd.json", content: Buffer.from("x") }]), "damaged");
  });
  test("whose entries share their bytes", () => {
    const zip = rawZip([
      { name: "a", content: Buffer.from("x") },
      { name: "b", content: Buffer.from("x") },
    ]);
    // The second entry of the directory points to the first one's header.
    zip.writeUInt32LE(0, zip.readUInt32LE(zip.length - 6) + 46 + 1 + 42);
    refusedFor(zip, "damaged");
  });
  test("that is no zip", () => {
    for (const bytes of [Buffer.alloc(0), Buffer.from("hello"), Buffer.alloc(100), Buffer.from("PK\u0005\u0006")])
      refusedFor(bytes, "not_a_zip");
  });
});

suite("keys to trust", () => {
  const jwk = { kty: publicKey.kty, crv: publicKey.crv, x: publicKey.x };
  const pem = createPublicKey({ key: jwk, format: "jwk" }).export({ type: "spki", format: "pem" });
  test("are read from PEM, a JWK and a set, always with the id that follows from the key", () => {
    const forms = [
      String(pem),
      JSON.stringify(jwk),
      JSON.stringify({ keys: [{ ...jwk, kid: "another", use: "sig" }] }),
    ];
    for (const text of forms) assert.deepEqual(readPublicKeys(text), [publicKey]);
  });
  test("that are none are told in a sentence", () => {
    const secret = String(privateKey.export({ type: "pkcs8", format: "pem" }));
    assert.throws(() => readPublicKeys(secret), /This is a private key/);
    for (const text of ["", "hello", "{}", '{"keys":[]}', "null", '{"kty":"OKP","crv":"X25519","x":"AA"}'])
      assert.throws(() => readPublicKeys(text));
  });
});

interface RawEntry {
  readonly name: string;
  readonly localName?: string;
  readonly content: Buffer;
  /** The size that the headers give. */
  readonly says?: number;
  /** Bytes after the end of the packed content. */
  readonly behind?: Buffer;
}

/** A zip as somebody might write it who does not care for our rules. */
function rawZip(entries: readonly RawEntry[]): Buffer {
  const locals: Buffer[] = [];
  const directory: Buffer[] = [];
  let offset = 0;
  for (const { name, localName = name, content, says = content.length, behind = Buffer.alloc(0) } of entries) {
    const data = Buffer.concat([deflateRawSync(content), behind]);
    const facts = Buffer.alloc(22);
    facts.writeUInt16LE(0x0800, 0);
    facts.writeUInt16LE(8, 2);
    facts.writeUInt32LE(crc32(content), 8);
    facts.writeUInt32LE(data.length, 12);
    facts.writeUInt32LE(says, 16);
    facts.writeUInt16LE(Buffer.byteLength(name), 20);
    const local = Buffer.alloc(30);
    local.writeUInt32LE(0x04034b50, 0);
    local.writeUInt16LE(20, 4);
    facts.copy(local, 6);
    const central = Buffer.alloc(46);
    central.writeUInt32LE(0x02014b50, 0);
    central.writeUInt16LE((3 << 8) | 20, 4);
    central.writeUInt16LE(20, 6);
    central.writeUInt32LE((0o100644 << 16) >>> 0, 38);
    facts.copy(central, 8);
    central.writeUInt32LE(offset, 42);
    directory.push(central, Buffer.from(name));
    locals.push(local, Buffer.from(localName), data);
    offset += 30 + Buffer.byteLength(localName) + data.length;
  }
  const central = Buffer.concat(directory);
  const end = Buffer.alloc(22);
  end.writeUInt32LE(0x06054b50, 0);
  end.writeUInt16LE(entries.length, 8);
  end.writeUInt16LE(entries.length, 10);
  end.writeUInt32LE(central.length, 12);
  end.writeUInt32LE(offset, 16);
  return Buffer.concat([...locals, central, end]);
}
