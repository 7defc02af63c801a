/** The memory that many concurrent calls of a model API take. */
import assert from "node:assert/strict";
import { spawn } from "node:child_process";
import { once } from "node:events";
import { readFileSync } from "node:fs";
import { join } from "node:path";
import { test } from "node:test";
import { startReplayServer } from "../../harness/replay-server.ts";

const script = join(import.meta.dirname, "../../harness/api-calls-process.ts");
const calls = 1000;
/** A heap in which 1,000 answers of 64 KiB fit once, and not several times over. The process dies where it is not enough. */
const heapMegabytesMax = 96;
/** Measured: 148 MB. */
const growthBytesMax = 256 * 1024 * 1024;

test("1,000 calls at once to a slow platform take memory for what is on its way, and no more", async (t) => {
  const answer = readFileSync(join(import.meta.dirname, "responses/openai.json"), "utf8");
  // 64 KiB, as a long answer with many sources has.
  const body = answer.replace("Looking at storage", `Looking at storage${" and at storage".repeat(4000)}`);
  let open = 0;
  let openMax = 0;
  await using server = await startReplayServer((_request, index, response) => {
    if (index === 0) return { body };
    open += 1;
    openMax = Math.max(openMax, open);
    response.writeHead(200, { "content-type": "application/json" });
    response.write(body.slice(0, body.length / 2));
    // All wait until all are there; then each gets its second half.
    const finish = () => {
      open -= 1;
      response.end(body.slice(body.length / 2));
    };
    waiting.push(finish);
    if (waiting.length === calls) for (const each of waiting) each();
    return undefined;
  });
  const waiting: (() => void)[] = [];
  const child = spawn(
    process.execPath,
    [`--max-old-space-size=${heapMegabytesMax}`, script, server.url, String(calls)],
    { stdio: ["ignore", "pipe", "inherit"] },
  );
  let output = "";
  child.stdout.on("data", (chunk: Buffer) => (output += chunk.toString()));
  await once(child, "close");
  const told = JSON.parse(output) as { answered: number; rssBefore: number; rssMax: number; seconds: number };
  t.diagnostic(JSON.stringify(told));
  assert.equal(told.answered, calls);
  assert.equal(openMax, calls, "all were on their way at once");
  assert.ok(told.rssMax - told.rssBefore < growthBytesMax, `${told.rssMax - told.rssBefore} bytes more`);
});
