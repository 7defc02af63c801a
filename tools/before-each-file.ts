/**
 * Loaded before every test file.
 *
 * Property tests use the same seed in every run, so that their result depends only on the change. FUZZ_SEED sets another seed, and
 * `random` a new one for each run.
 *
 * Node limits the time of tests, but not of files: a file that leaves a timer or a server behind, or never leaves a loop, would block the
 * run forever. A separate thread ends such a process with a message after TEST_FILE_TIMEOUT_MS.
 */
import { isMainThread, Worker } from "node:worker_threads";
import fc from "fast-check";

const given = process.env["FUZZ_SEED"] ?? "1";
if (given !== "random") fc.configureGlobal({ seed: Number(given) });

const timeoutMs = Number(process.env["TEST_FILE_TIMEOUT_MS"] ?? 0);
const watchdog = isMainThread && timeoutMs > 0 ? startWatchdog() : null;
limitTimeOf(process.argv[1] ?? "");

/** Starts the time of the next file in this process. */
export function limitTimeOf(file: string): void {
  const words = `\n${file} has not ended within ${timeoutMs / 60_000} minutes, and its process is killed.\n`;
  watchdog?.postMessage(words, []);
}

function startWatchdog(): Worker {
  const source = `let timer;
  require("node:worker_threads").parentPort.on("message", (words) => {
    clearTimeout(timer);
    timer = setTimeout(() => {
      require("node:fs").writeSync(2, words);
      process.kill(process.pid, "SIGKILL");
    }, ${timeoutMs});
  });`;
  const worker = new Worker(source, { eval: true, execArgv: [], stdout: true, stderr: true });
  worker.unref();
  return worker;
}
