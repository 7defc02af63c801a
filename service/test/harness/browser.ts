/** Real browsers for tests, the same for all of them: whatever `findBrowsers` finds on this machine. */
import assert from "node:assert/strict";
import { readdirSync, readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { unpack } from "../../src/browser/bundled-chromium.ts";
import {
  BrowserPool,
  findBrowsers,
  type BrowserEvent,
  type BrowserPoolOptions,
  type BrowserSettings,
} from "../../src/browser/index.ts";
import { until } from "./wait.ts";

export const browserSettings: BrowserSettings = {
  endpoints: [],
  path: process.env["QUERENT_BROWSER_PATH"] ?? null,
  cacheDir: join(tmpdir(), "querent-test-cache"),
  contextsMax: 4,
  egressAllow: ["127.0.0.0/8"],
  proxyHost: "127.0.0.1",
  countryProxies: new Map(),
};

export interface TestPool {
  readonly pool: BrowserPool;
  readonly events: BrowserEvent[];
}

/** A pool that is closed with the test, and leaves nothing behind. */
export function testPool(
  t: { after: (work: () => Promise<void>) => void },
  options: Partial<BrowserPoolOptions> = {},
): TestPool {
  const events: BrowserEvent[] = [];
  const pool = new BrowserPool({ settings: browserSettings, onEvent: (event) => void events.push(event), ...options });
  t.after(async () => {
    await pool.close();
    await nothingLeft();
  });
  return { pool, events };
}

/** Asserts that no browser process and no file of one is left of this process. */
export async function nothingLeft(): Promise<void> {
  await until("the end of every browser process", () => browserProcesses().length === 0);
  await until("the end of every browser's folder", () => runFolders().length === 0);
}

/** Folders of browsers that this process started. */
export function runFolders(): string[] {
  return readdirSync(tmpdir()).filter((name) => name.startsWith(`querent-browser-${process.pid}-`));
}

const leadersOf = new Map<number, Set<number>>();

/**
 * Processes of browsers that a process started, by default this one: each browser has its folder's name in its arguments, and leads a
 * group of all of them.
 */
export function browserProcesses(of = process.pid): { pid: number; type: string }[] {
  const all = readdirSync("/proc").flatMap((name) => {
    if (!/^\d+$/.test(name)) return [];
    try {
      const words = readFileSync(`/proc/${name}/cmdline`, "utf8");
      const [state, , group] = readFileSync(`/proc/${name}/stat`, "utf8")
        .replace(/^.*\) /s, "")
        .split(" ");
      return state === "Z" ? [] : [{ pid: Number(name), group: Number(group), words }];
    } catch {
      return [];
    }
  });
  const isOurs = (words: string) => words.includes(`querent-browser-${of}-`);
  const leaders = leadersOf.get(of) ?? new Set();
  leadersOf.set(of, leaders);
  // Remembered, so that processes that outlive their leader are found too.
  for (const { group, words } of all) if (isOurs(words)) leaders.add(group);
  return all
    .filter(({ group, words }) => leaders.has(group) || isOurs(words))
    .map(({ pid, words }) => ({
      pid,
      type: /--type=([a-z-]+)/.exec(words)?.[1] ?? (words.includes("--remote-debugging-pipe") ? "browser" : "other"),
    }));
}

/** A script that runs the browser of this machine: a program that a test can put somewhere, and remove. */
export async function wrapperOfChromium(): Promise<string> {
  const { programs } = await findBrowsers(browserSettings);
  const program = programs[0];
  assert.ok(program !== undefined);
  if (!("packed" in program)) return `#!/bin/sh\nexec '${program.path}' "$@"\n`;
  const { path, folder } = await unpack(program, browserSettings.cacheDir, () => undefined);
  return `#!/bin/sh\nLD_LIBRARY_PATH='${folder}/lib' exec '${path}' "$@"\n`;
}
