import assert from "node:assert/strict";
import { writeFileSync } from "node:fs";
import { test } from "node:test";
import { startTestService } from "../../service/test/harness/service.ts";
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
  assert.match(refused.stderr, /The lines before 7 are imported/);
  assert.match(refused.stderr, /a\.jsonl:9: observedAt: /);
  writeFileSync(at.path("a.jsonl"), [...lines, "", line(7)].join("\n"));
  const { code, stdout, stderr } = await at.run(["--text", "import", "a.jsonl", "--name", "mine", "--chunk", "3"]);
  assert.equal(code, 0, stderr);
  assert.match(stdout, /^8 answers imported, 0 were there already\./);
  assert.equal((await at.run(["import", "missing.jsonl"])).code, 2);
});
