/** Checks whether a program can run, by requesting its version: this reveals missing libraries without starting a browser. */
import { execFile } from "node:child_process";
import { tmpdir } from "node:os";
import { environment } from "./launch-browser.ts";

/** Loading a program that is not in the disk cache takes time. */
const timeoutMs = 60_000;

/** Why the program does not run; null if it prints a version. `folder` has the libraries of a browser from the npm package. */
export function whyNotRunnable(
  { path, folder }: { readonly path: string; readonly folder: string | null },
  signal: AbortSignal,
): Promise<string | null> {
  return new Promise((resolve, reject) => {
    execFile(
      path,
      ["--version"],
      { env: environment(tmpdir(), folder), timeout: timeoutMs, killSignal: "SIGKILL", maxBuffer: 1_000_000, signal },
      (error, stdout, stderr) => {
        if (signal.aborted) reject(signal.reason as Error);
        else if (error === null)
          resolve(/\d+\.\d+/.test(stdout) ? null : "`--version` prints no version: it is not a browser");
        else resolve(reasonOf(error, stderr));
      },
    );
  });
}

function reasonOf(error: Error & { code?: unknown; killed?: boolean }, stderr: string): string {
  if (error.killed === true) return `\`--version\` did not answer within ${timeoutMs / 1000} seconds`;
  const said =
    stderr
      .trim()
      .split("\n")
      .at(-1)
      ?.replaceAll(/\p{Cc}/gu, "")
      .slice(0, 300) ?? "";
  if (said !== "") return said;
  return typeof error.code === "number"
    ? `\`--version\` ended with exit code ${error.code}`
    : `it can't be run (${typeof error.code === "string" ? error.code : "killed by a signal"})`;
}
