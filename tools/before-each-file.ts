/**
 * Loaded before every test file.
 *
 * Property tests go the same ways in each run, so that a run says something of the change it tests. FUZZ_SEED sets another seed; `random` a
 * new one each time.
 *
 * Node bounds tests, not files: one that left a timer or a server behind, or that never comes back from a loop, would keep the run waiting
 * for ever. A thread of its own ends such a file, and says so, after TEST_FILE_TIMEOUT_MS.
 */
import { isMainThread, Worker } from "node:worker_threads";
import fc from "fast-check";

const given = process.env["FUZZ_SEED"] ?? "1";
if (given !== "random") fc.configureGlobal({ seed: Number(given) });

const timeoutMs = Number(process.env["TEST_FILE_TIMEOUT_MS"] ?? 0);
if (isMainThread && timeoutMs > 0) {
  const words = `\n${process.argv[1]} has not ended within ${timeoutMs / 60_000} minutes, and is killed.\n`;
  const source = `setTimeout(() => {
    require("node:fs").writeSync(2, ${JSON.stringify(words)});
    process.kill(process.pid, "SIGKILL");
  }, ${timeoutMs});`;
  new Worker(source, { eval: true, execArgv: [], stdout: true, stderr: true }).unref();
}
