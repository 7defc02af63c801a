/**
 * Which browser is used: the operator's remote browsers, a program that the operator configured, an installed one, Playwright's
 * own, and finally the one from an npm package. The search starts and unpacks nothing.
 */
import { accessSync, constants, existsSync, realpathSync, statSync } from "node:fs";
import { homedir } from "node:os";
import { delimiter, join } from "node:path";
import { findPackage } from "./bundled-chromium.ts";
import type { BrowserSettings } from "./browser-settings.ts";

export type BrowserOrigin = "QUERENT_BROWSER_PATH" | "installed" | "Playwright" | "npm package";

/** A program that may be a browser. `packed`: it must first be unpacked from this folder. */
export type BrowserProgram =
  | { readonly from: BrowserOrigin; readonly path: string }
  | { readonly from: BrowserOrigin; readonly path: string; readonly packed: string; readonly version: string };

export interface FoundBrowsers {
  /** Remote browsers; if there are any, no program is used. */
  readonly endpoints: readonly string[];
  /** The programs in the order in which they are tried. */
  readonly programs: readonly BrowserProgram[];
  /** Each place where none was found, with the reason. */
  readonly passedOver: readonly { readonly what: string; readonly why: string }[];
}

export async function findBrowsers(settings: BrowserSettings): Promise<FoundBrowsers> {
  if (settings.endpoints.length > 0) return { endpoints: settings.endpoints, programs: [], passedOver: [] };
  if (settings.path !== null) {
    const program = { from: "QUERENT_BROWSER_PATH", path: settings.path } as const;
    const why = whyNotProgram(settings.path);
    return why === null
      ? { endpoints: [], programs: [program], passedOver: [] }
      : { endpoints: [], programs: [], passedOver: [{ what: `QUERENT_BROWSER_PATH (${settings.path})`, why }] };
  }
  const programs: BrowserProgram[] = [];
  const passedOver: { what: string; why: string }[] = [];

  const installed = installedBrowsers();
  programs.push(...installed.map((path) => ({ from: "installed" as const, path })));
  if (installed.length === 0) {
    passedOver.push({ what: "an installed Chrome or Chromium", why: "none is on PATH or where they are usually put" });
  }

  const playwrights = await playwrightsOwn();
  if (playwrights === null) passedOver.push({ what: "Playwright's own Chromium", why: "none was downloaded" });
  else programs.push({ from: "Playwright", path: playwrights });

  const packaged = findPackage();
  if ("why" in packaged) passedOver.push({ what: "the npm package @sparticuz/chromium", why: packaged.why });
  else programs.push({ from: "npm package", ...packaged });
  return { endpoints: [], programs, passedOver };
}

const names = [
  "google-chrome-stable",
  "google-chrome",
  "chrome",
  "chromium",
  "chromium-browser",
  "chrome-headless-shell",
  "microsoft-edge-stable",
  "microsoft-edge",
];
const applications = [
  "Google Chrome.app/Contents/MacOS/Google Chrome",
  "Chromium.app/Contents/MacOS/Chromium",
  "Microsoft Edge.app/Contents/MacOS/Microsoft Edge",
];

function installedBrowsers(): string[] {
  const folders = (process.env["PATH"] ?? "").split(delimiter).filter((folder) => folder.startsWith("/"));
  const onPath = names.flatMap((name) => folders.map((folder) => join(folder, name)));
  const onMac =
    process.platform === "darwin"
      ? applications.flatMap((name) => [join("/Applications", name), join(homedir(), "Applications", name)])
      : [];
  const elsewhere = ["/opt/google/chrome/chrome", "/usr/lib/chromium/chromium", ...onMac];
  // A snap cannot access our folders, so its stub is not a usable browser.
  const found = [...onPath, ...elsewhere].filter((path) => whyNotProgram(path) === null && !path.startsWith("/snap/"));
  // The same program under several names counts once.
  return [...new Map(found.toReversed().map((path) => [realpathSync(path), path])).values()].toReversed();
}

/** Loading Playwright takes 0.26 s of processor time, so it is asked only where it has ever downloaded something. */
async function playwrightsOwn(): Promise<string | null> {
  const folders = [".cache/ms-playwright", "Library/Caches/ms-playwright"].map((folder) => join(homedir(), folder));
  if (process.env["PLAYWRIGHT_BROWSERS_PATH"] === undefined && !folders.some((folder) => existsSync(folder)))
    return null;
  const { chromium } = await import("playwright-core");
  try {
    const path = chromium.executablePath();
    return existsSync(path) ? path : null;
  } catch {
    return null;
  }
}

function whyNotProgram(path: string): string | null {
  try {
    if (!statSync(path).isFile()) return "it is not a file";
    accessSync(path, constants.X_OK);
    return null;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === "EACCES"
      ? "it is not executable by this user"
      : "there is no such file";
  }
}
