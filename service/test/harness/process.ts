/** The service as an operator runs it, in a process: started, killed and stopped by signals. */
import { spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";

const main = join(import.meta.dirname, "../../src/main.ts");

export interface ServiceProcess {
  readonly child: ChildProcess;
  readonly address: string;
  readonly output: () => string;
  /** Sends a signal and waits until the process has ended; returns the exit code, null if the signal killed it. */
  end(signal: NodeJS.Signals): Promise<number | null>;
}

/** A data folder that is removed when it is disposed of. */
export function temporaryFolder(): { path: string; [Symbol.dispose](): void } {
  const path = mkdtempSync(join(tmpdir(), "querent-test-"));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true, maxRetries: 5 }) };
}

/** The environment without the variables of the tests or of a developer's own service. */
export function cleanEnvironment(change: Readonly<Record<string, string>>): NodeJS.ProcessEnv {
  const kept = Object.entries(process.env).filter(
    ([name]) => !/^(QUERENT_|DATABASE_URL$|TEST_|NODE_TEST_CONTEXT$)/.test(name),
  );
  return { ...Object.fromEntries(kept), NO_COLOR: "1", ...change };
}

/**
 * Runs `querentd` with these arguments; resolves once it prints its URL. Fails with its output if it ends before. `program`: the
 * main file of another version.
 */
export async function startServiceProcess(
  environment: Readonly<Record<string, string>>,
  words: readonly string[] = ["serve"],
  { program = main, cwd }: { program?: string; cwd?: string } = {},
): Promise<ServiceProcess> {
  const child = spawn(process.execPath, [program, ...words], {
    ...(cwd !== undefined && { cwd }),
    env: cleanEnvironment({ QUERENT_PORT: "0", QUERENT_LOG_LEVEL: "warn", ...environment }),
    stdio: ["ignore", "pipe", "pipe"],
  });
  let output = "";
  const address = await new Promise<string>((resolve, reject) => {
    const read = (chunk: Buffer) => {
      output += chunk.toString();
      const found = /API +(http:\/\/\S+)/.exec(output)?.[1];
      // The banner is written at once; its last line follows immediately.
      if (found !== undefined && output.includes("Stop with Ctrl-C")) resolve(found);
      else if (/ is running \((?!.*api)/.test(output) && output.includes("Stop with Ctrl-C")) resolve("");
    };
    child.stdout.on("data", read);
    child.stderr.on("data", read);
    child.once("exit", (code, signal) =>
      reject(new Error(`the service ended before it was up (${code ?? signal}):\n${output}`)),
    );
  });
  return {
    child,
    address,
    output: () => output,
    async end(signal) {
      if (child.exitCode === null && child.signalCode === null) {
        const gone = once(child, "exit");
        child.kill(signal);
        await gone;
      }
      return child.exitCode;
    },
  };
}

/** Runs an operator's command to its end. */
export async function runCommand(
  environment: Readonly<Record<string, string>>,
  words: readonly string[],
  input = "",
): Promise<{ code: number | null; stdout: string; stderr: string }> {
  const child = spawn(process.execPath, [main, ...words], {
    env: cleanEnvironment(environment),
    stdio: ["pipe", "pipe", "pipe"],
  });
  // A command that reads nothing may have ended before.
  child.stdin.on("error", () => undefined);
  child.stdin.end(input);
  let stdout = "";
  let stderr = "";
  child.stdout.on("data", (chunk: Buffer) => (stdout += chunk.toString()));
  child.stderr.on("data", (chunk: Buffer) => (stderr += chunk.toString()));
  const [code] = (await once(child, "close")) as [number | null];
  return { code, stdout, stderr };
}
