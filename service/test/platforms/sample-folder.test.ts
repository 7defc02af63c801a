/** The folder of documents from which `sample` answers: its formats, its limits and its mistakes. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { mkdir, mkdtemp, rm, symlink, truncate, writeFile } from "node:fs/promises";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { afterEach, beforeEach, describe, test } from "node:test";
import fc from "fast-check";
import { samplePlatform, type CorpusProblem, type Platform } from "../../src/platforms/index.ts";
import { splitPassages } from "../../src/platforms/sample/read-documents.ts";
import { passageCharsMax } from "../../src/platforms/sample/corpus.ts";

let outer: string;
let folder: string;

beforeEach(async () => {
  outer = await mkdtemp(join(tmpdir(), "querent-sample-"));
  folder = join(outer, "documents");
  await mkdir(folder);
});
afterEach(() => rm(outer, { recursive: true }));

async function put(file: string, content: string | Uint8Array): Promise<void> {
  await mkdir(dirname(join(folder, file)), { recursive: true });
  await writeFile(join(folder, file), content);
}

const good = "---\ntitle: Walrus\nurl: https://a.example/walrus\n---\n\nThe walrus has two tusks.\n";

async function open(): Promise<{ platform: Platform; problems: CorpusProblem[] }> {
  const problems: CorpusProblem[] = [];
  const platform = await samplePlatform({ folder, rescanMsMin: 0, onProblem: (problem) => problems.push(problem) });
  return { platform, problems };
}

async function ask(platform: Platform, text: string) {
  const outcome = await platform.ask(
    {
      taskId: "task-1",
      text,
      attempt: 1,
      options: { deepAnalysis: false, output: "answer", resultFormat: "json" },
    },
    { signal: new AbortController().signal },
  );
  return outcome.kind === "answered" ? outcome.answer : null;
}

async function eventually(assertion: () => Promise<void>): Promise<void> {
  const deadline = performance.now() + 180_000;
  for (;;) {
    try {
      return await assertion();
    } catch (error) {
      if (performance.now() > deadline) throw error;
      await new Promise((resolve) => setImmediate(resolve));
    }
  }
}

describe("a folder without documents", () => {
  test("that does not exist makes the platform say what is missing", async () => {
    await rm(folder, { recursive: true });
    const { platform } = await open();
    assert.match(platform.missing ?? "", /documents does not exist .*docs\/sample-platform\.md/u);
    const outcome = await platform.ask(
      { taskId: "t", text: "x", attempt: 1, options: { deepAnalysis: false, output: "answer", resultFormat: "json" } },
      { signal: new AbortController().signal },
    );
    assert.ok(outcome.kind === "permanent" && outcome.code === "platform_not_configured");
  });

  test("that is empty, or holds nothing to read, says why", async () => {
    assert.match((await open()).platform.missing ?? "", /holds no document that can be read\. /u);
    await put("bad.json", "{");
    assert.match((await open()).platform.missing ?? "", /\(bad\.json:.* is not JSON/u);
  });
});

describe("documents", () => {
  test("in Markdown, JSON and folders within are answered from, with their fields", async () => {
    await put("walrus.md", good);
    await put("deep/er/heron.markdown", "# Heron\n\nA heron stands on one leg.\n");
    await put(
      "birds.json",
      JSON.stringify([
        {
          title: "Owl",
          url: "https://b.example/owl",
          site: "Birds",
          publishedAt: "2025-01-02",
          text: "An owl turns its neck.",
        },
      ]),
    );
    const { platform, problems } = await open();
    assert.deepEqual(problems, []);
    assert.deepEqual((await ask(platform, "walrus tusks"))?.sources, [
      {
        title: "Walrus",
        url: "https://a.example/walrus",
        site: "a.example",
        publishedAt: null,
        summary: "The walrus has two tusks.",
      },
    ]);
    assert.deepEqual((await ask(platform, "owl neck"))?.sources[0], {
      title: "Owl",
      url: "https://b.example/owl",
      site: "Birds",
      publishedAt: "2025-01-02T00:00:00.000Z",
      summary: "An owl turns its neck.",
    });
    const heron = await ask(platform, "heron leg");
    const text = heron?.parts.map((part) => (part.type === "markdown" ? part.markdown : "")).join("\n");
    assert.ok(text?.includes("— Heron `deep/er/heron.markdown`"));
  });

  test("that can't be used are told of by file and place, and take nothing else with them", async () => {
    await put("walrus.md", good);
    const bad: [string, string | Uint8Array, string][] = [
      ["a-utf8.md", Buffer.from([0x61, 0x0a, 0xff]), "line 2: is not UTF-8 text"],
      ["b-open.md", "---\ntitle: x\n", "line 1: front matter begins with --- and has no line --- to end it"],
      ["c-yaml.md", '---\ntitle: x\nurl: "open\n---\n\nText', "line 4: is not YAML"],
      ["d-title.md", "Text", "front matter/title: is missing"],
      ["e-url.md", "---\ntitle: x\nurl: javascript:alert(1)\n---\n\nText", "front matter/url: must be an address"],
      ["f-date.md", "---\ntitle: x\npublishedAt: yesterday\n---\n\nText", "front matter/publishedAt: must be a date"],
      ["g-empty.md", "# Only a heading\n", "null: has no text"],
      ["h-json.json", '[{"title":"x",\n"text":}]', "line 2: is not JSON"],
      ["i-item.json", '[{"title":"x","text":"Fine."},{"title":7}]', "/1/text: is missing"],
      ["j-object.json", "[3]", "/0: must be an object"],
      [
        "catalogue.yaml",
        "cards:\n  - type: product\n    title: x\n    url: https://a.example/\n    price: [1]\n",
        "/cards/0/price: must be text",
      ],
    ];
    for (const [file, content] of bad) await put(file, content);
    const { platform, problems } = await open();
    const told = new Map(problems.map(({ file, place, message }) => [file, `${place}: ${message}`]));
    for (const [file, , message] of bad) assert.ok(told.get(file)?.startsWith(message), `${file}: ${told.get(file)}`);
    assert.equal(problems.length, bad.length);
    assert.equal((await ask(platform, "walrus tusks"))?.sources.length, 1);
  });

  test("behind links out of the folder, pipes and files that are too large are not read", async () => {
    await put("walrus.md", good);
    await writeFile(join(outer, "secret.md"), "# Secret\n\nThe passphrase is walrus tusks.");
    await symlink(join(outer, "secret.md"), join(folder, "link.md"));
    await symlink(outer, join(folder, "outside"));
    await symlink("walrus.md", join(folder, "inner.md"));
    execFileSync("mkfifo", [join(folder, "pipe.md")]);
    await put("large.md", "");
    await truncate(join(folder, "large.md"), 3 * 1024 * 1024);
    const { platform, problems } = await open();
    assert.deepEqual(
      problems.map(({ file, message }) => [file, message]),
      [
        ["large.md", "is larger than 2097152 bytes"],
        ["link.md", "is a link that leads out of the folder"],
        ["pipe.md", "is not a file"],
      ],
    );
    assert.equal((await ask(platform, "secret passphrase"))?.sources.length, 0);
  });

  test("hidden files, the README and other kinds of files are left alone", async () => {
    await put("walrus.md", good);
    for (const file of [".hidden.md", "_draft.md", "README.md", "picture.png", ".git/x.md"]) await put(file, "{");
    assert.deepEqual((await open()).problems, []);
  });

  test("without a place in YAML for bombs: aliases are bounded", async () => {
    const bomb = `a: &a [x,x,x,x,x,x,x,x,x]\n${"bcdefgh".replaceAll(/./gu, (name) => {
      const before = String.fromCharCode(name.charCodeAt(0) - 1);
      return `${name}: &${name} [${Array(9).fill(`*${before}`).join(",")}]\n`;
    })}`;
    await put("walrus.md", good);
    await put("catalogue.yaml", bomb);
    const { problems } = await open();
    assert.deepEqual(
      problems.map(({ file }) => file),
      ["catalogue.yaml"],
    );
  });
});

describe("changes in the folder", () => {
  test("are taken up while the platform goes on answering", async () => {
    await put("walrus.md", good);
    const { platform } = await open();
    const before = (await ask(platform, "walrus tusks"))?.modelVersion;
    await put("heron.md", "# Heron\n\nA heron stands on one leg.\n");
    await eventually(async () => assert.equal((await ask(platform, "heron leg"))?.sources.length, 1));
    assert.notEqual((await ask(platform, "walrus tusks"))?.modelVersion, before);
    await rm(join(folder, "heron.md"));
    await eventually(async () => assert.equal((await ask(platform, "walrus tusks"))?.modelVersion, before));
  });

  test("take the platform from missing to there and back, without a question being asked", async () => {
    const { platform } = await open();
    assert.notEqual(platform.missing, null);
    await put("walrus.md", good);
    await eventually(async () => assert.equal(platform.missing, null));
    await rm(join(folder, "walrus.md"));
    await eventually(async () => assert.notEqual(platform.missing, null));
  });
});

describe("cards of a catalogue", () => {
  test("with an app deep link and no web address are preferred by the deep link", async () => {
    await put("walrus.md", good);
    await put(
      "catalogue.json",
      JSON.stringify({
        name: "Sea",
        cards: [
          {
            type: "product",
            title: "Walrus plush toy",
            keywords: ["walrus"],
            about: ["walrus"],
            deepLink: "seaapp://item/1",
            fallbackUrl: "https://sea.example/1",
            price: 12,
          },
        ],
      }),
    );
    const { platform, problems } = await open();
    assert.deepEqual(problems, []);
    const answer = await ask(platform, "walrus");
    const card = answer?.parts.find((part) => part.type === "product")?.card;
    assert.deepEqual(
      [card?.url, card?.urlType, card?.fallbackUrl, card?.price],
      ["seaapp://item/1", "app_deep_link", "https://sea.example/1", "12"],
    );
    assert.match(answer?.modelVersion ?? "", /^sample-1 \(Sea@/u);
  });
});

test("passages are never longer than the bound, and no word is lost between them", () => {
  const text = fc
    .array(
      fc.oneof(fc.lorem({ maxCount: 40 }), fc.constantFrom("\n\n", "\n", "```\n", "- ", "咖啡。", "😀".repeat(900))),
      {
        maxLength: 40,
      },
    )
    .map((pieces) => pieces.join(" "));
  const letters = (value: string) => value.replace(/[^\p{L}]/gu, "");
  fc.assert(
    fc.property(text, (markdown) => {
      const passages = splitPassages(markdown);
      for (const passage of passages) assert.ok(passage.markdown.isWellFormed());
      for (const { markdown: block } of passages) assert.ok(block.length <= passageCharsMax + 100);
      assert.equal(letters(passages.map((passage) => passage.markdown).join("")), letters(markdown));
    }),
    { numRuns: 200 },
  );
});
