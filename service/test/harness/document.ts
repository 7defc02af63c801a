/**
 * Runs the commands of a document as a reader would: `npm start` in one terminal, everything else in a second one, in the order
 * of the page. A block of output directly after a block of commands is their expected output: ids, times and secrets may
 * differ, and a line `…` matches any lines.
 */
import { execFileSync, spawn, type ChildProcess } from "node:child_process";
import { once } from "node:events";
import { cpSync, existsSync, readFileSync, symlinkSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { freePort } from "./free-port.ts";
import { cleanEnvironment, temporaryFolder } from "./process.ts";

const root = join(import.meta.dirname, "../../..");
const { workspaces } = JSON.parse(readFileSync(join(root, "package.json"), "utf8")) as { workspaces: string[] };
const outputWaitMs = 300_000;

interface Step {
  readonly commands: string;
  /** The expected output; null if the page does not show it. */
  readonly expected: string | null;
  readonly line: number;
}

/**
 * Runs a document and returns the differences from it, one text per step. With `update`, writes the actual output into the page
 * instead.
 */
export async function runDocument(path: string, options: { update?: boolean } = {}): Promise<string[]> {
  using folder = temporaryFolder();
  const checkout = join(folder.path, "querent");
  copyCheckout(checkout);
  const ports = { "127.0.0.1:8080": await freePort(), "127.0.0.1:8443": await freePort() };
  const environment = cleanEnvironment({
    QUERENT_PORT: String(ports["127.0.0.1:8080"]),
    QUERENT_DATA_DIR: join(folder.path, "data"),
    QUERENT_LOG_LEVEL: "error",
    PORT: String(ports["127.0.0.1:8443"]),
  });
  // The copy has its own.
  delete environment["NODE_COMPILE_CACHE"];
  let page = readFileSync(join(root, path), "utf8");
  const first = new Terminal(checkout, environment);
  const second = new Terminal(checkout, environment);
  const faults: string[] = [];
  try {
    for (const step of stepsOf(page)) {
      const commands = replaceAll(step.commands, ports, "there");
      const service = /(^|\s)npm start$/m.test(commands);
      const terminal = service ? first : second;
      if (service) await first.interrupt();
      const mark = terminal.output.length;
      const done = service
        ? () => terminal.output.slice(mark).includes("Stop with Ctrl-C")
        : await terminal.run(commands);
      if (service) terminal.type(commands);
      const printed = () =>
        replaceAll(terminal.output.slice(mark), ports, "back").replaceAll(/^<<ended \d+ \d+>>\n/gm, "");
      const matches = () => done() && (step.expected === null || agrees(step.expected, printed()));
      // A block with `…` was shortened by hand: it is never overwritten.
      const written = options.update === true && step.expected !== null && !step.expected.includes("…");
      if (written) await settled(printed);
      else await until(() => matches() || (!service && terminal.failed), outputWaitMs);
      if (written && step.expected !== null) {
        page = page.replace(step.expected, () => `${printed().trimEnd()}\n`);
      } else if (!matches() || terminal.failed) {
        faults.push(
          `${path}:${step.line}\n${step.commands}\nprinted\n${printed()}\ninstead of\n${step.expected ?? "ending well"}`,
        );
      }
    }
  } finally {
    await second.close();
    await first.interrupt();
    await first.close();
  }
  if (options.update === true) writeFileSync(join(root, path), page);
  return faults;
}

function stepsOf(page: string): Step[] {
  const blocks = [...page.matchAll(/^```sh\n([\s\S]*?)^```\n(?:\n```(?:text|json|md)\n([\s\S]*?)^```$)?/gm)];
  return blocks.map((block) => ({
    commands: block[1] ?? "",
    expected: block[2] ?? null,
    line: page.slice(0, block.index).split("\n").length,
  }));
}

/** An interactive shell. */
class Terminal {
  output = "";
  failed = false;
  readonly #folder: string;
  readonly #environment: NodeJS.ProcessEnv;
  #shell: ChildProcess | undefined;
  #count = 0;

  constructor(folder: string, environment: NodeJS.ProcessEnv) {
    this.#folder = folder;
    this.#environment = environment;
  }

  type(commands: string): void {
    this.#start().stdin?.write(commands);
  }

  /** Enters commands; returns a function that tells whether they have ended. */
  async run(commands: string): Promise<() => boolean> {
    const number = ++this.#count;
    this.type(`${commands}\nprintf '<<ended %s %s>>\\n' ${number} $?\n`);
    const ended = () => new RegExp(`<<ended ${number} (\\d+)>>\n`).exec(this.output);
    await until(() => ended() !== null, outputWaitMs);
    this.failed = ended()?.[1] !== "0";
    return () => ended() !== null;
  }

  /** Presses Ctrl-C, and waits until everything in it has ended. */
  async interrupt(): Promise<void> {
    await this.#end("SIGINT");
  }

  async close(): Promise<void> {
    await this.#end("SIGTERM");
  }

  async #end(signal: NodeJS.Signals): Promise<void> {
    const shell = this.#shell;
    if (shell?.pid === undefined) return;
    this.#shell = undefined;
    const gone = shell.exitCode !== null || shell.signalCode !== null ? Promise.resolve() : once(shell, "close");
    shell.stdin?.end();
    try {
      process.kill(-shell.pid, signal);
    } catch {
      // It has already ended.
    }
    await gone;
  }

  #start(): ChildProcess {
    if (this.#shell !== undefined) return this.#shell;
    this.#shell = spawn("bash", ["--norc"], {
      cwd: this.#folder,
      env: this.#environment,
      stdio: ["pipe", "pipe", "pipe"],
      detached: true,
    });
    this.#shell.stdin?.on("error", () => undefined);
    this.#shell.stdout?.setEncoding("utf8").on("data", (text: string) => (this.output += text));
    this.#shell.stderr?.setEncoding("utf8").on("data", (text: string) => (this.output += text));
    return this.#shell;
  }
}

/** True if the output is the expected one, except for values that differ each time. */
function agrees(expected: string, printed: string): boolean {
  const pattern = normalized(expected)
    .trim()
    .split("\n")
    .map((line) => (line.trim() === "…" ? "[^]*?" : RegExp.escape(line.trimEnd())))
    .join("\\n*")
    .replaceAll("[^]*?\\n*", "[^]*?");
  const text = normalized(printed)
    .replaceAll("\r", "")
    .trim()
    .replaceAll(/[ \t]+$/gm, "");
  // Background processes may be faster than the command in the terminal, and print their lines before it.
  const sorted = (lines: string) => lines.trim().split("\n").sort().join("\n");
  return new RegExp(`^${pattern}$`).test(text) || sorted(normalized(expected)) === sorted(text);
}

function normalized(text: string): string {
  return text
    .replaceAll(/[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}/g, "<uuid>")
    .replaceAll(/\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d(\.\d+)?Z/g, "<time>")
    .replaceAll(/\d{4}-\d\d-\d\d/g, "<day>")
    .replaceAll(/\b(whsec|qrt)_[\w-]+/g, "<secret>")
    .replaceAll(/sha256=[0-9a-f]{64}/g, "<signature>")
    .replaceAll(/\b\d+\.\d s\b/g, "<seconds>")
    .replaceAll(/(QUERENT_(PORT|DATA_DIR|LOG_LEVEL|EGRESS_CA)) +\S+/g, "$1 <own>");
}

function replaceAll(text: string, ports: Readonly<Record<string, number>>, way: "there" | "back"): string {
  return Object.entries(ports).reduce((sofar, [written, port]) => {
    const real = `127.0.0.1:${port}`;
    return way === "there" ? sofar.replaceAll(written, real) : sofar.replaceAll(real, written);
  }, text);
}

/** Tracked and new files, without ignored ones; the installed packages are those of this checkout. */
function copyCheckout(folder: string): void {
  const files = execFileSync("git", ["ls-files", "-z", "--cached", "--others", "--exclude-standard"], {
    cwd: root,
    encoding: "utf8",
    maxBuffer: 64 * 1024 ** 2,
  });
  for (const file of files.split("\0")) {
    if (file !== "") cpSync(join(root, file), join(folder, file), { force: true });
  }
  for (const place of [".", "tools/node", ...workspaces]) {
    const installed = join(root, place, "node_modules");
    if (existsSync(installed)) symlinkSync(installed, join(folder, place, "node_modules"));
  }
}

/** Waits until nothing more is printed. */
async function settled(read: () => string): Promise<void> {
  for (let before = ""; before !== read() || before === "";) {
    before = read();
    await new Promise((resolve) => setTimeout(resolve, 3000));
  }
}

async function until(condition: () => boolean, atMostMs: number): Promise<void> {
  const deadline = performance.now() + atMostMs;
  while (!condition() && performance.now() < deadline) await new Promise((resolve) => setTimeout(resolve, 20));
}
