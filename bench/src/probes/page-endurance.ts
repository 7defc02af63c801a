/**
 * Many web pages in a row through one process of the service, with a picture and an archive of each: what is left behind by each
 * page would add up. Compares the first rounds with the last. The service replaces its browser after every hundred tasks.
 */
import { mkdtempSync, readdirSync, readFileSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startAssistantPage } from "../../../service/src/platforms/web/assistant-page/server.mjs";
import type { Bench } from "../bench.ts";
import { withBrowserMemory } from "../processes/browser-memory.ts";
import { withPageService } from "./page-service.ts";
import type { Line } from "./probe.ts";

const rounds = 10;
const atOnce = 4;
const mebibyte = 2 ** 20;

interface Round {
  /** The memory of the browser's processes, in the mean of the round. */
  readonly browserBytes: number;
  /** The most processes of the browser at once in the round. */
  readonly processes: number;
  /** The memory of the service's process, once the round has ended. */
  readonly serviceBytes: number;
  readonly descriptors: number;
  /** In the folder for temporary files. */
  readonly files: number;
}

export async function pageEndurance(bench: Bench): Promise<Line[]> {
  const count = Math.max(1, Math.floor(bench.scale.enduredPages / rounds));
  const page = await startAssistantPage({ port: 0 });
  const folder = mkdtempSync(join(tmpdir(), "querent-pages-"));
  const input = { name: "endurance", address: page.address, folder, atOnce, evidence: ["picture", "archive"] };
  try {
    const seen = await withPageService(bench, input, async ({ service, ask }) => {
      const measured: Round[] = [];
      for (let round = 0; round < rounds; round++) {
        const { bytes, processes } = await withBrowserMemory(() => ask(count));
        measured.push({ browserBytes: bytes ?? Number.NaN, processes, ...left(service.pid, folder) });
        bench.progress(`  ${(round + 1) * count} pages: ${told(measured.at(-1))}`);
      }
      return measured;
    });
    const line = (what: string, of: (round: Round) => number, target: string): Line => {
      const [first, last] = [median(seen.slice(0, 3).map(of)), median(seen.slice(-3).map(of))];
      return {
        what: `${count * rounds} web pages in a row: ${what}`,
        figure: `${first.toFixed(0)} in the first rounds, ${last.toFixed(0)} in the last`,
        ratio: (last / first).toFixed(2),
        target,
      };
    };
    return [
      line("browser's memory in MiB", ({ browserBytes }) => browserBytes / mebibyte, "at most 1.10"),
      line("browser's processes", ({ processes }) => processes, "at most 1.10"),
      line("service's memory in MiB", ({ serviceBytes }) => serviceBytes / mebibyte, "at most 1.20"),
      line("service's descriptors", ({ descriptors }) => descriptors, "at most 1.10"),
      line("temporary files", ({ files }) => files, "at most 1.10"),
    ];
  } finally {
    rmSync(folder, { recursive: true, force: true });
    await page.close();
  }
}

function left(pid: number, folder: string): Pick<Round, "serviceBytes" | "descriptors" | "files"> {
  const kibibytes = /^VmRSS:\s+(\d+) kB/mu.exec(readFileSync(`/proc/${pid}/status`, "utf8"))?.[1];
  return {
    serviceBytes: Number(kibibytes ?? Number.NaN) * 1024,
    descriptors: readdirSync(`/proc/${pid}/fd`).length,
    files: readdirSync(folder, { recursive: true }).length,
  };
}

function told(round: Round | undefined): string {
  if (round === undefined) return "";
  const { browserBytes, processes, serviceBytes, descriptors, files } = round;
  return `browser ${(browserBytes / mebibyte).toFixed(0)} MiB in ${processes} processes; service ${(serviceBytes / mebibyte).toFixed(0)} MiB, ${descriptors} descriptors, ${files} temporary files`;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? 0;
}
