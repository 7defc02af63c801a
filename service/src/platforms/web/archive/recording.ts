import type { Drive } from "../drive-context.ts";
import type { TrafficRecorder } from "./record-traffic.ts";
import type { Recording } from "./write-wacz.ts";

const waitMs = 5_000;

/** What an archive of the page is written from; null if it cannot be read, which must not cost an answer that is complete. */
export async function recordingOf(
  { page, tell, deadline }: Drive,
  recorder: TrafficRecorder,
  whole: { readonly html: string } | null,
  at: Date,
): Promise<Recording | null> {
  const read = async (): Promise<Recording | null> => {
    const [traffic, cookies, stored, title] = await Promise.all([
      recorder.stop(),
      page.context().cookies(),
      page.evaluate(storageEntries).catch(() => []),
      page.title(),
    ]);
    if (whole === null) return null;
    return {
      traffic,
      session: { cookies, storage: pairsOf(stored) },
      page: { url: page.url(), title, html: whole.html, at },
    };
  };
  const late = new Promise<null>((resolve) => {
    setTimeout(() => resolve(null), Math.max(1, Math.min(waitMs, deadline - performance.now()))).unref();
  });
  const recording = await Promise.race([read().catch(() => null), late]);
  if (recording === null)
    tell({ step: "evidence.archive", detail: "left out: what the page received could not be read" });
  return recording;
}

/** Runs in the page, which may have none. */
const storageEntries = `(() => {
  try {
    return [localStorage, sessionStorage].flatMap((storage) => Object.entries(storage)).slice(0, 500);
  } catch {
    return [];
  }
})()`;

function pairsOf(read: unknown): [string, string][] {
  if (!Array.isArray(read)) return [];
  return read.flatMap((pair: unknown): [string, string][] => {
    const [name, value]: unknown[] = Array.isArray(pair) ? pair : [];
    return typeof name === "string" && typeof value === "string" ? [[name, value]] : [];
  });
}
