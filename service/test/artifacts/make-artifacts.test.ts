import assert from "node:assert/strict";
import { mkdtempSync, readdirSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { after, test } from "node:test";
import type { Output } from "@querent/contract";
import { FileStore } from "../../src/artifacts/index.ts";
import { newId } from "../../src/kernel/ids.ts";
import { optionSupport, type Snapshot, type Platform } from "../../src/platforms/index.ts";
import type { ArtifactMaking, SealInput } from "../../src/tasks/index.ts";
import { answer, everything, markdown } from "../answers/answers.ts";
import { testDatabase } from "../harness/database.ts";
import { runTask } from "../../src/tasks/run/run-task.ts";

const { database } = await testDatabase();
const folder = mkdtempSync(join(tmpdir(), "querent-artifacts-"));
after(() => rmSync(folder, { recursive: true, force: true }));

const faults: unknown[] = [];
const making = (changes: Partial<ArtifactMaking> = {}): ArtifactMaking => ({
  database,
  store: new FileStore(folder),
  drawPage: async () => "<!doctype html>page",
  screenshot: async () => Buffer.from("picture"),
  browser: { ready: async () => true, isUsable: () => true, isExpected: async () => true },
  publicAddresses: () => (purpose) => `https://q.example/${purpose}`,
  seal: async () => [{ name: "seal.json", mediaType: "application/json", bytes: Buffer.from("{}") }],
  onFault: (error) => void faults.push(error),
  ...changes,
});

/** A platform that answers, and counts how often it was asked. */
function platformOf(kind: Platform["kind"], captures: readonly Snapshot[] = []): Platform & { asked: number } {
  const platform = {
    asked: 0,
    code: "example",
    name: "Example",
    kind,
    returns: everything,
    outputs: ["answer"] as const,
    resultFormats: ["json"] as const,
    options: optionSupport(),
    missing: null,
    ask: async () => {
      platform.asked += 1;
      return {
        kind: "answered",
        answer: answer({ parts: [markdown("Fine.")] }),
        raw: null,
        consumption: null,
        captures,
      } as const;
    },
  };
  return platform;
}

const run = (platform: Platform, output: Output, how: ArtifactMaking, signal = AbortSignal.timeout(180_000)) =>
  runTask(
    platform,
    { taskId: newId(), text: "Why?", options: { deepAnalysis: false, output, resultFormat: "json" }, attempt: 1 },
    { signal, runBudgetMs: 600_000 },
    how,
  );

test("a browser that dies twice is asked a third time, and the platform is not asked again", async () => {
  let tries = 0;
  const screenshot = async () => {
    tries += 1;
    if (tries < 3) throw new Error("The browser has gone.");
    return Buffer.from("picture");
  };
  const platform = platformOf("api");
  const end = await run(platform, "screenshot", making({ screenshot }));
  assert.equal(end.kind, "completed");
  assert.equal(platform.asked, 1);
  assert.equal(tries, 3);
  if (end.kind !== "completed") return;
  assert.equal(end.result.stored.screenshotUrl, "https://q.example/screenshot");
  assert.deepEqual(
    end.result.artifacts?.map(({ kind, name }) => [kind, name]),
    [
      ["page", "page.html"],
      ["screenshot", "screenshot.png"],
    ],
  );
});

test("a browser that keeps dying ends the task uncharged, and the platform was asked once", async () => {
  const platform = platformOf("api");
  const screenshot = () => Promise.reject(new Error("The browser has gone, with /secret/path."));
  const end = await run(platform, "screenshot", making({ screenshot }));
  assert.equal(platform.asked, 1);
  assert.ok(end.kind === "failed" && !end.retryable);
  assert.equal(end.fault.code, "output_unavailable");
  assert.doesNotMatch(end.fault.message, /secret/);
  assert.ok(faults.length > 0);
});

for (const [what, isExpected] of [
  ["goes back to the queue, at no cost, while another node has one", true],
  ["fails when nobody has one", false],
] as const) {
  const browser = (changes: Partial<ArtifactMaking["browser"]>): ArtifactMaking["browser"] => ({
    ...making().browser,
    isExpected: async () => isExpected,
    ...changes,
  });
  test(`a task that needs a browser, on a node without one, ${what}; nothing is asked`, async () => {
    const how = making({ browser: browser({ ready: async () => false, isUsable: () => false }) });
    for (const [kind, output, code] of [
      ["api", "screenshot", "output_unavailable"],
      // It is left to nodes that have one; only a node that loses its own after the claim comes here.
      ["web", "answer", null],
    ] as const) {
      const platform = platformOf(kind);
      const end = await run(platform, output, how);
      assert.equal(platform.asked, 0);
      if (isExpected || code === null) assert.deepEqual(end, { kind: "lost" });
      else assert.ok(end.kind === "failed" && end.fault.code === code && !end.retryable);
    }
    const plain = await run(platformOf("api"), "share_link", how);
    assert.equal(plain.kind, "completed");
  });

  test(`a task whose node loses its browser for good before the picture is taken ${what}`, async () => {
    let usable = true;
    let tries = 0;
    const screenshot = () => {
      tries += 1;
      usable = false;
      return Promise.reject(new Error("There is no browser any more."));
    };
    const how = making({ screenshot, browser: browser({ isUsable: () => usable }) });
    const end = await run(platformOf("api"), "screenshot", how);
    assert.equal(tries, 1, "there is no use in trying it again here");
    if (isExpected) assert.deepEqual(end, { kind: "lost", consumption: null });
    else assert.ok(end.kind === "failed" && end.fault.code === "output_unavailable");
  });
}

test("a picture that is under way when the task is called off is no failure of its own", async () => {
  const controller = new AbortController();
  const screenshot = (_html: string, signal: AbortSignal) =>
    new Promise<never>((_resolve, reject) => {
      signal.addEventListener("abort", () => reject(new Error("aborted")));
      controller.abort(new Error("canceled"));
    });
  await assert.rejects(run(platformOf("api"), "screenshot", making({ screenshot }), controller.signal), /canceled/);
});

test("what a web platform's answer was read from is kept with it, and our page is not made of it", async () => {
  const captures = [{ name: "answer.html", mediaType: "text/html", bytes: Buffer.from("<p>Fine.") }];
  const never = () => Promise.reject(new Error("not asked for"));
  const sealed: SealInput[] = [];
  const seal: ArtifactMaking["seal"] = (input) => {
    sealed.push(input);
    // The database may be away for a moment.
    return sealed.length === 1 ? Promise.reject(new Error("away")) : making().seal(input);
  };
  const end = await run(platformOf("web", captures), "answer", making({ drawPage: never, screenshot: never, seal }));
  assert.ok(end.kind === "completed");
  assert.deepEqual(
    end.result.artifacts?.map(({ kind, name, bytes }) => [kind, name, bytes]),
    [
      ["capture", "captures/answer.html", 8],
      ["seal", "seal.json", 2],
    ],
  );
  assert.deepEqual(
    sealed.at(-1)?.artifacts.map(({ name }) => name),
    ["captures/answer.html"],
  );
  assert.ok(readdirSync(folder).length > 0);
});

for (const name of ["../answer.html", ".hidden", "a/b", "", "x".repeat(101)]) {
  test(`a capture named ${JSON.stringify(name.slice(0, 20))} is a fault, and the task is not charged`, async () => {
    const captures = [{ name, mediaType: "text/html", bytes: Buffer.from("x") }];
    const end = await run(platformOf("web", captures), "answer", making());
    assert.ok(end.kind === "failed" && end.fault.code === "output_unavailable");
  });
}

test("two captures of one name are a fault", async () => {
  const capture = { name: "a.html", mediaType: "text/html", bytes: Buffer.from("x") };
  const end = await run(platformOf("web", [capture, capture]), "answer", making());
  assert.equal(end.kind, "failed");
});

test("without a public address neither a screenshot nor a share link can be had, and nothing is asked", async () => {
  for (const output of ["screenshot", "share_link"] as const) {
    const platform = platformOf("api");
    const end = await run(platform, output, making({ publicAddresses: () => null }));
    assert.ok(end.kind === "failed" && end.fault.code === "output_unavailable");
    assert.equal(platform.asked, 0);
  }
});
