/** A child process comes after the service: for the processor, and where memory runs out. */
import assert from "node:assert/strict";
import { execFileSync } from "node:child_process";
import { test } from "node:test";

const childProcess = new URL("../../src/runtime/child-process.ts", import.meta.url).href;

function yielding(niceness: number): { niceness: number; oomScore: string | null } {
  const script = `
    import { existsSync, readFileSync } from "node:fs";
    import { getPriority, setPriority } from "node:os";
    import { yieldToService } from ${JSON.stringify(childProcess)};
    setPriority(${niceness});
    yieldToService();
    const file = "/proc/self/oom_score_adj";
    const oomScore = existsSync(file) ? readFileSync(file, "utf8").trim() : null;
    process.stdout.write(JSON.stringify({ niceness: getPriority(), oomScore }));`;
  return JSON.parse(
    execFileSync(process.execPath, ["--input-type=module", "--eval", script], { encoding: "utf8" }),
  ) as {
    niceness: number;
    oomScore: string | null;
  };
}

test("a child lowers its priority, and keeps a lower one, which it may not raise again", () => {
  assert.equal(yielding(1).niceness, 10);
  assert.equal(yielding(15).niceness, 15);
});

test("a child is ended before the service where memory runs out", (t) => {
  const { oomScore } = yielding(1);
  if (oomScore === null) return t.skip("there is no /proc");
  assert.equal(oomScore, "1000");
});
