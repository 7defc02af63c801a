import assert from "node:assert/strict";
import { readFileSync, writeFileSync } from "node:fs";
import { test } from "node:test";
import { gzipSync } from "node:zlib";
import type { ObservationPage } from "@querent/client";
import { startTestService, type TestAccount } from "../../service/test/harness/service.ts";
import { place } from "./place.ts";

const service = await startTestService();

const line = (n: number, more: object = {}) =>
  JSON.stringify({
    question: `Which? ${n}`,
    platformCode: "elsewhere",
    observedAt: "2026-01-02T03:04:05Z",
    content: "This.",
    ...more,
  });

test("import sends a file in parts, names the lines that are refused, and continues after them once they are corrected", async () => {
  using at = await place(service);
  const lines = Array.from({ length: 7 }, (_, n) => line(n));
  writeFileSync(at.path("a.jsonl"), [...lines, "", line(7, { observedAt: "soon" })].join("\n"));
  const refused = await at.run(["import", "a.jsonl", "--name", "mine", "--chunk", "3"]);
  assert.equal(refused.code, 4);
  assert.match(refused.stderr, /The first 6 lines are imported/);
  assert.match(refused.stderr, /a\.jsonl:9: observedAt: /);
  writeFileSync(at.path("a.jsonl"), [...lines, "", line(7)].join("\n"));
  const { code, stdout, stderr } = await at.run(["--text", "import", "a.jsonl", "--name", "mine", "--chunk", "3"]);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^Resuming the import after 6 lines\./);
  assert.match(stdout, /^8 answers imported, 0 there already\. Import /);
  assert.equal((await at.run(["import", "missing.jsonl"])).code, 2);
});

/** The lengths of the answers that an account has. */
async function contentLengths(account: TestAccount): Promise<readonly number[]> {
  const { body } = await account.get<ObservationPage>("/v1/observations?limit=200");
  return body.observations.map(({ contentLength }) => contentLength ?? 0).toSorted((a, b) => a - b);
}

const utf16 = (text: string) => Buffer.from(`\uFEFF${text}`, "utf16le");
const odd = line(1, { content: 'A \u2028 line, a "quoted ]" and \u0085 é 例.' });

const files: Readonly<Record<string, string | Buffer>> = {
  "line ends of Windows": `${odd}\r\n${line(2)}\r\n`,
  "line ends of old Macs": `${odd}\r${line(2)}\r`,
  "a byte order mark": `\uFEFF${odd}\n${line(2)}`,
  "UTF-16": utf16(`${odd}\r\n${line(2)}\r\n`),
  "a compressed file": gzipSync(`${odd}\n${line(2)}\n`),
  "a list on one line": `[${odd},${line(2)}]`,
  "a list on many lines": JSON.stringify([JSON.parse(odd), JSON.parse(line(2))], null, 2),
  "a list in UTF-16": utf16(JSON.stringify([JSON.parse(odd), JSON.parse(line(2))], null, "\t")),
  "objects on many lines": [odd, line(2)].map((each) => JSON.stringify(JSON.parse(each), null, 2)).join("\n"),
};

for (const [name, contents] of Object.entries(files))
  test(`import reads ${name}`, async () => {
    using at = await place(service);
    writeFileSync(at.path("a"), contents);
    const { stdout, stderr } = await at.run(["--text", "import", "a"]);
    assert.equal(stderr, "", "nothing is resumed");
    assert.match(stdout, /^2 answers imported, 0 there already\. Import /);
    assert.deepEqual(await contentLengths(at.account), ["This.".length, JSON.parse(odd).content.length]);
  });

test("import names the line at which an answer of a list begins, and says that a list is not complete", async () => {
  using at = await place(service);
  const list = [JSON.parse(line(0)), { ...JSON.parse(line(1)), observedAt: "soon", extra: 1 }, 5];
  writeFileSync(at.path("a.json"), JSON.stringify(list, null, 2));
  const refused = await at.run(["import", "a.json"]);
  assert.equal(refused.code, 4);
  assert.match(refused.stderr, /Nothing was imported\. These lines are not valid:/);
  assert.match(refused.stderr, /a\.json:8: observedAt: /);
  assert.match(refused.stderr, /a\.json:8: extra: /);
  assert.match(refused.stderr, /a\.json:15: Expected object, got number\./);
  writeFileSync(at.path("b.json"), `[${line(0)},\n${line(1)}`);
  const cut = await at.run(["import", "b.json"]);
  assert.deepEqual([cut.code, /b\.json:2: The file ends within its list/.test(cut.stderr)], [4, true], cut.stderr);
  writeFileSync(at.path("c.json"), `[\n${line(0).replace("This.", "This\n.")}]`);
  assert.match((await at.run(["import", "c.json"])).stderr, /c\.json:2: The line is not JSON\./);
  assert.deepEqual(await contentLengths(at.account), []);
});

test("import refuses text in another encoding, answers that are too large, and files that are cut off", async () => {
  using at = await place(service);
  writeFileSync(at.path("a.jsonl"), Buffer.from(`${line(0)}\n${line(1, { content: "Totême" })}\n`, "latin1"));
  assert.match(
    (await at.run(["import", "a.jsonl"])).stderr,
    /Nothing was imported\. a\.jsonl:2: The line is not UTF-8\./,
  );
  writeFileSync(at.path("b.jsonl"), [line(0), line(1), line(2, { content: "x".repeat(17 * 1024 ** 2) })].join("\n"));
  const large = await at.run(["import", "b.jsonl", "--chunk", "1"]);
  assert.match(large.stderr, /The first line is imported\. b\.jsonl:3: The answer is larger than 16 MiB\./);
  writeFileSync(at.path("c.gz"), gzipSync(`${line(0)}\n`).subarray(0, -9));
  assert.match((await at.run(["import", "c.gz"])).stderr, /c\.gz: The file cannot be decompressed: /);
  writeFileSync(at.path("d.jsonl"), "\n\n");
  assert.match((await at.run(["import", "d.jsonl"])).stderr, /d\.jsonl contains no answers\./);
  const left = await at.run(["--text", "import", "b.jsonl", "--skip-invalid"]);
  assert.match(left.stdout, /^2 answers imported, 0 there already\. 1 line left out\./);
});

test("with --skip-invalid, import leaves out every line that is not valid, names each, and imports the others", async () => {
  using at = await place(service);
  const lines = Array.from({ length: 400 }, (_, n) =>
    n % 2 === 0 ? line(n) : n % 3 === 0 ? "{" : line(n, { extra: 1 }),
  );
  writeFileSync(at.path("a.jsonl"), lines.join("\n"));
  const { code, stdout, stderr } = await at.run(["--text", "import", "a.jsonl", "--skip-invalid", "--chunk", "300"]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^200 answers imported, 0 there already\. 200 lines left out\./);
  const named = stderr.match(/(?<=a\.jsonl:)\d+/g) ?? [];
  assert.deepEqual(
    named.map(Number),
    lines.flatMap((_, n) => (n % 2 === 0 ? [] : [n + 1])),
  );
  const again = await at.run(["--text", "import", "a.jsonl", "--skip-invalid", "--name", "again"]);
  assert.match(again.stdout, /^0 answers imported, 200 there already\. 200 lines left out\./);
});

test("import --panel makes a panel of the questions, whose figures are there; warnings name lines of the file", async () => {
  using at = await place(service);
  const search = (id: string, overview: object) =>
    JSON.stringify({
      search_metadata: { id, status: "Success", created_at: "2026-01-02 03:04:05 UTC" },
      search_parameters: { engine: "google", q: `which ${id}?` },
      ai_overview: overview,
    });
  const text = { text_blocks: [{ snippet: "Acme." }] };
  writeFileSync(
    at.path("a.jsonl"),
    [search("1", text), search("2", { page_token: "t" }), search("3", text)].join("\n"),
  );
  const words = ["--text", "import", "a.jsonl", "--format", "serpapi"];
  const { code, stdout, stderr } = await at.run([...words, "--panel", "Overviews"]);
  assert.equal(code, 0, stderr);
  assert.match(stderr, /^a\.jsonl:2: The platform had an answer whose text is not in this line\./);
  assert.match(stdout, /^3 answers imported, 0 there already\. .*\nThey belong to the panel /);
  const panelId = /panel ([0-9a-f-]{36})/.exec(stdout)?.[1] ?? "";
  const figures = await at.run([
    "--text",
    "panel",
    "figures",
    panelId,
    "--measure",
    "empty_rate",
    "--from",
    "2026-01-01",
  ]);
  assert.match(figures.stdout, /google-ai-overview .*imported.*0/, figures.stderr);
  const window = ["--from", "2026-01-01", "--to", "2026-01-28"];
  assert.match((await at.run(["--text", "panel", "show", panelId])).stdout, /never asked: its answers are imported/);
  const run = await at.run(["panel", "run", panelId]);
  assert.match(run.stderr, /The panel has no platforms/);
  const reported = await at.run(["panel", "report", panelId, ...window, "--out", at.path("report.zip")]);
  assert.equal(reported.code, 0, reported.stderr);
  const verified = await at.run(["verify", at.path("report.zip")]);
  assert.equal(verified.code, 0, verified.stderr + verified.stdout);
  const page = await at.run(["panel", "report", panelId, ...window, "--out", at.path("report.html")]);
  assert.equal(page.code, 0, page.stderr);
  // Topics are added as to any panel.
  assert.equal((await at.run(["panel", "export", panelId, "--out", at.path("p.yaml")])).code, 0);
  writeFileSync(
    at.path("p.yaml"),
    readFileSync(at.path("p.yaml"), "utf8").replaceAll("- text:", "- topic: overviews\n    text:"),
  );
  const topics = await at.run(["--text", "panel", "import", at.path("p.yaml"), "--panel", panelId]);
  assert.match(topics.stdout, /revision 2/, topics.stderr + readFileSync(at.path("p.yaml"), "utf8"));
  // The same file without the panel, and in it by its id, are imports of their own.
  assert.match((await at.run(words)).stdout, /^3 answers imported, 0 there already/);
  assert.match((await at.run([...words, "--panel", panelId])).stdout, /^0 answers imported, 3 there already/);
  const wrong = await at.run([...words, "--panel", "01900000-0000-7000-8000-000000000000"]);
  assert.deepEqual([wrong.code, /no such panel/.test(wrong.stderr)], [4, true], wrong.stderr);
});
