/** Folders, processes and connections for tests that start, kill and restart; after each test nothing of it is left. */
import assert from "node:assert/strict";
import { spawn, type ChildProcess, type SpawnOptions } from "node:child_process";
import { once } from "node:events";
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import type { TestContext } from "node:test";
import { setTimeout as sleep } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import { Client } from "pg";
import type { EmbeddedConnection } from "../../src/db/embedded/embedded.ts";

export const isRoot = process.getuid?.() === 0;
export const here = dirname(fileURLToPath(import.meta.url));
export const checkout = dirname(dirname(dirname(here)));

const cleanups = new WeakMap<TestContext, (() => unknown)[]>();

/** Like `t.after`, but the last one first: a process ends before its folder goes. */
export function afterwards(t: TestContext, cleanup: () => unknown): void {
  const known = cleanups.get(t);
  if (known !== undefined) return void known.unshift(cleanup);
  const list = [cleanup];
  cleanups.set(t, list);
  t.after(async () => {
    for (const each of list) await each();
  });
}

/** A new folder; when the test ends, no process may have it in its arguments any more, and it goes. */
export function temporaryFolder(t: TestContext): string {
  const folder = mkdtempSync(join(tmpdir(), "querent-test-"));
  afterwards(t, async () => {
    await eventually(() => assert.deepEqual(processesOf(folder), [], "a process was left behind"));
    rmSync(folder, { recursive: true, force: true });
  });
  return folder;
}

/** The pids of PostgreSQL servers with that path in their arguments. */
export function processesOf(folder: string): number[] {
  return readdirSync("/proc")
    .filter((name) => /^\d+$/.test(name))
    .filter((pid) => {
      try {
        const words = readFileSync(`/proc/${pid}/cmdline`, "utf8").split("\0");
        return /(^|\/)(postgres|initdb)$/.test(words[0] ?? "") && words.some((word) => word.startsWith(folder));
      } catch {
        return false;
      }
    })
    .map(Number);
}

/** The servers that were not forked by another one: a child has its parent's arguments until it says what it is. */
export function postmastersOf(folder: string): number[] {
  const all = processesOf(folder);
  return all.filter((pid) => {
    try {
      const [, parent] = readFileSync(`/proc/${pid}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ");
      return !all.includes(Number(parent));
    } catch {
      return false;
    }
  });
}

interface Line {
  readonly event: string;
  readonly message?: string;
  readonly pid?: number;
  readonly owned?: boolean;
  readonly connection?: EmbeddedConnection;
}

export interface Owner {
  readonly child: ChildProcess;
  readonly pid: number;
  readonly lines: readonly Line[];
  /** The first line of that event, or a failed assertion when the process ended without one. */
  until(event: string): Promise<Line>;
  /** Sends a signal and waits for the end. */
  end(signal?: NodeJS.Signals): Promise<void>;
}

export interface OwnerOptions extends SpawnOptions {
  readonly mode?: "serve" | "lock" | "attach";
  /** What runs it: words before `node owner.ts`. */
  readonly through?: readonly string[];
  readonly script?: string;
  readonly node?: string;
}

/** Another process that owns the data folder. */
export function startOwner(t: TestContext, dataDir: string, options: OwnerOptions = {}): Owner {
  const { mode = "serve", through = [], script = join(here, "owner.ts"), node = process.execPath, ...rest } = options;
  const [file, ...words] = [...through, node, script, dataDir, mode];
  const child = spawn(file, words, { ...rest, stdio: ["ignore", "pipe", "inherit"] });
  const lines: Line[] = [];
  const { stdout } = child;
  assert.ok(stdout);
  const reader = createInterface({ input: stdout });
  reader.on("line", (line) => lines.push(JSON.parse(line) as Line));
  const closed = once(child, "close");
  const until = async (event: string): Promise<Line> => {
    for (;;) {
      const found = lines.find((line) => line.event === event);
      if (found !== undefined) return found;
      const ended = await Promise.race([once(reader, "line").then(() => false), closed.then(() => true)]);
      if (ended)
        assert.ok(
          lines.some((line) => line.event === event),
          `no "${event}": ${JSON.stringify(lines)}`,
        );
    }
  };
  const end = async (signal: NodeJS.Signals = "SIGTERM"): Promise<void> => {
    if (child.exitCode === null && child.signalCode === null) child.kill(signal);
    await closed;
  };
  afterwards(t, () => end());
  return { child, pid: child.pid ?? 0, lines, until, end };
}

export async function query(
  connection: EmbeddedConnection | undefined,
  text: string,
): Promise<Record<string, unknown>[]> {
  assert.ok(connection);
  const client = new Client({ ...connection });
  client.on("error", () => undefined);
  await client.connect();
  try {
    return (await client.query<Record<string, unknown>>(text)).rows;
  } finally {
    await client.end();
  }
}

/** Waits until it no longer throws. */
export async function eventually<T>(look: () => T | Promise<T>, withinMs = 180_000): Promise<T> {
  for (const deadline = Date.now() + withinMs; ;) {
    try {
      return await look();
    } catch (error) {
      if (Date.now() > deadline) throw error;
      await sleep(10);
    }
  }
}
