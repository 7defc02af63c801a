/**
 * Starts a Chromium and controls it over a pipe, so that no port is opened that others on the machine could use. Playwright
 * could start it too, but not with our profile folder, nor through `unshare`.
 */
import { spawn, type ChildProcess } from "node:child_process";
import { existsSync, readdirSync, rmSync } from "node:fs";
import { join } from "node:path";
import type { Readable, Writable } from "node:stream";
import type { Browser } from "playwright-core";
import { groupEnded, killGroup, yieldProcessors } from "./process-group.ts";
import type { Launcher } from "./sandbox.ts";
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";

export interface Launched {
  readonly browser: Browser;
  /** The id of the browser's process, which leads a process group of its own. */
  readonly pid: number;
  /** Ends all its processes and removes its files. Safe to call more than once. */
  kill(): Promise<void>;
}

interface LaunchOptions {
  readonly launcher: Launcher;
  readonly path: string;
  /** The folder of libraries and fonts, for a browser from the npm package. */
  readonly folder: string | null;
  readonly headed: boolean;
}

/**
 * A browser yields the processors to everything else, and reads 200 MB of program: on a busy machine with a cold disk cache, its
 * start may take more than a minute.
 */
const launchTimeoutMs = 180_000;

export async function launchBrowser({ launcher, path, folder, headed }: LaunchOptions): Promise<Launched> {
  const run = await makeRunFolder();
  const { file, args } = launcher.command(path, [
    ...switches,
    ...(headed ? [] : ["--headless", "--hide-scrollbars", "--mute-audio", "--disable-gpu"]),
    `--user-data-dir=${join(run.path, "profile")}`,
    "--remote-debugging-pipe",
    "--no-startup-window",
  ]);
  const child = spawn(file, args, {
    cwd: run.path,
    // A process group of its own lets all its processes be ended together.
    detached: true,
    stdio: ["ignore", "ignore", "pipe", "pipe", "pipe"],
    env: environment(run.path, folder),
  });
  if (child.pid !== undefined) yieldProcessors(child.pid);
  const exited = new Promise<void>((resolve) => {
    child.once("exit", () => resolve());
    child.once("error", () => resolve());
  });
  let killed: Promise<void> | undefined;
  const killNow = () => (child.pid === undefined ? undefined : killGroup(child.pid));
  const onExit = () => {
    killNow();
    run.removeNow();
  };
  process.once("exit", onExit);
  const kill = () =>
    (killed ??= (async () => {
      killNow();
      await exited;
      if (child.pid !== undefined) await groupEnded(child.pid);
      await run.remove();
      process.removeListener("exit", onExit);
    })());

  const said = lastWords(child);
  const failed = exited.then((): never => {
    throw new Error(`It exited immediately. ${said()}`);
  });
  failed.catch(() => undefined);
  try {
    const started = await Promise.race([new Promise((done) => child.once("spawn", done)), failed]);
    void started;
    const transport = new PipeTransport(child.stdio[3] as Writable, child.stdio[4] as Readable);
    const { chromium } = await import("playwright-core");
    const browser = await Promise.race([
      chromium.connectOverCDP(transport, { timeout: launchTimeoutMs, artifactsDir: run.path }),
      failed,
    ]);
    return { browser, pid: child.pid ?? 0, kill };
  } catch (error) {
    await kill();
    throw error;
  }
}

/** The last lines of the browser's standard error, which say why it did not start. */
function lastWords(child: ChildProcess): () => string {
  let text = "";
  child.stderr?.setEncoding("utf8").on("data", (part: string) => (text = (text + part).slice(-2000)));
  return () =>
    text
      .split("\n")
      .filter((line) => /fatal|error|sandbox|cannot|not found/i.test(line))
      .slice(-3)
      .join(" ")
      .slice(0, 500);
}

/** Contains nothing of the service's own environment, which holds keys. */
export function environment(runFolder: string, folder: string | null): NodeJS.ProcessEnv {
  const kept = ["PATH", "DISPLAY", "WAYLAND_DISPLAY", "XAUTHORITY", "XDG_RUNTIME_DIR", "LD_LIBRARY_PATH"] as const;
  return {
    ...Object.fromEntries(kept.flatMap((name) => (process.env[name] === undefined ? [] : [[name, process.env[name]]]))),
    HOME: runFolder,
    TMPDIR: runFolder,
    XDG_CONFIG_HOME: runFolder,
    XDG_CACHE_HOME: runFolder,
    LANG: "C.UTF-8",
    TZ: process.env["TZ"] ?? "UTC",
    ...(folder === null ? {} : { LD_LIBRARY_PATH: join(folder, "lib") }),
    ...(folder === null || existsSync("/etc/fonts/fonts.conf")
      ? {}
      : { FONTCONFIG_FILE: join(folder, "fonts.conf"), FONTCONFIG_PATH: folder }),
  };
}

/** Disabled features: those that send requests on their own, and those that Playwright disables for its own purposes. */
const disabledFeatures = [
  "AutofillServerCommunication",
  "AvoidUnnecessaryBeforeUnloadCheckSync",
  "DestroyProfileOnBrowserClose",
  "DnsOverHttpsUpgrade",
  "HttpsFirstBalancedModeAutoEnable",
  "HttpsUpgrades",
  "LensOverlay",
  "MediaRouter",
  "NetworkTimeServiceQuerying",
  "OptimizationHints",
  "PaintHolding",
  "PreconnectToSearch",
  "ThirdPartyStoragePartitioning",
  "Translate",
];

const switches: readonly string[] = [
  // Network access is only possible through the proxy of each context; this default proxy leads nowhere.
  "--proxy-server=http://127.0.0.1:9",
  "--proxy-bypass-list=<-loopback>",
  "--host-resolver-rules=MAP * ~NOTFOUND , EXCLUDE 127.0.0.1",
  "--force-webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--webrtc-ip-handling-policy=disable_non_proxied_udp",
  "--disable-quic",
  "--dns-prefetch-disable",
  "--no-pings",
  // The remaining switches are those of Playwright that are relevant here.
  "--disable-field-trial-config",
  "--disable-background-networking",
  "--disable-background-timer-throttling",
  "--disable-backgrounding-occluded-windows",
  "--disable-back-forward-cache",
  "--disable-breakpad",
  "--disable-client-side-phishing-detection",
  "--disable-component-extensions-with-background-pages",
  "--disable-component-update",
  "--disable-default-apps",
  "--disable-dev-shm-usage",
  "--disable-domain-reliability",
  "--disable-extensions",
  `--disable-features=${disabledFeatures.join(",")}`,
  "--disable-hang-monitor",
  "--disable-infobars",
  "--disable-ipc-flooding-protection",
  "--disable-popup-blocking",
  "--disable-prompt-on-repost",
  "--disable-renderer-backgrounding",
  "--disable-search-engine-choice-screen",
  "--disable-sync",
  "--enable-features=CDPScreenshotNewSurface",
  "--enable-unsafe-swiftshader",
  "--force-color-profile=srgb",
  "--font-render-hinting=none",
  "--metrics-recording-only",
  "--no-default-browser-check",
  "--no-first-run",
  "--no-service-autorun",
  "--password-store=basic",
  "--use-mock-keychain",
];

/** The DevTools protocol over two pipes: JSON messages, each terminated by a zero byte. */
class PipeTransport {
  onmessage?: (message: object) => void;
  onclose?: (reason?: string) => void;
  readonly #writes: Writable;
  #parts: Buffer[] = [];
  #closed = false;

  constructor(writes: Writable, reads: Readable) {
    this.#writes = writes;
    reads.on("data", (data: Buffer) => this.#read(data));
    const onEnd = () => this.close();
    reads.on("close", onEnd).on("error", onEnd);
    writes.on("close", onEnd).on("error", onEnd);
  }

  send(message: object): void {
    if (this.#closed) throw new Error("The browser is gone.");
    this.#writes.write(`${JSON.stringify(message)}\0`);
  }

  close(): void {
    if (this.#closed) return;
    this.#closed = true;
    this.#writes.destroy();
    this.onclose?.();
  }

  #read(data: Buffer): void {
    let from = 0;
    for (let end = data.indexOf(0); end !== -1; end = data.indexOf(0, from)) {
      this.#parts.push(data.subarray(from, end));
      const text = Buffer.concat(this.#parts).toString("utf8");
      this.#parts = [];
      from = end + 1;
      // Each in its own turn of the event loop, as from a socket: a handler may send and wait.
      setImmediate(() => {
        if (!this.#closed) this.onmessage?.(JSON.parse(text) as object);
      });
    }
    if (from < data.length) this.#parts.push(data.subarray(from));
  }
}

/** A folder for one run of a browser: its profile and its temporary files, removed with it. */
interface RunFolder {
  readonly path: string;
  /** Never rejects: what cannot be removed now is removed when this process exits, or when the next one starts a browser. */
  remove(): Promise<void>;
  /** Never throws. */
  removeNow(): void;
}

const prefix = "querent-browser-";

export async function makeRunFolder(): Promise<RunFolder> {
  const path = await mkdtemp(join(tmpdir(), `${prefix}${process.pid}-`));
  const removeNow = () => {
    try {
      rmSync(path, { recursive: true, force: true, maxRetries: 3, retryDelay: 20 });
    } catch {
      // `sweepRunFolders` removes it.
    }
  };
  return {
    path,
    async remove() {
      try {
        // The browser's last processes may still write while they end.
        await rm(path, { recursive: true, force: true, maxRetries: 10, retryDelay: 50 });
      } catch {
        process.once("exit", removeNow);
      }
    },
    removeNow,
  };
}

/** Removes the folders of processes that were killed. */
export function sweepRunFolders(): void {
  for (const name of readdirSync(tmpdir())) {
    const pid = name.startsWith(prefix) ? Number(name.slice(prefix.length).split("-")[0]) : Number.NaN;
    if (!Number.isInteger(pid) || pid <= 0 || isAlive(pid)) continue;
    try {
      rmSync(join(tmpdir(), name), { recursive: true, force: true });
    } catch {
      // Owned by another user.
    }
  }
}

function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0);
    return true;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EPERM";
  }
}
