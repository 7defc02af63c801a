import type { Drive } from "../page/drive-context.ts";
import type { Taken } from "../page/snapshots.ts";
import type { TrafficRecorder } from "./record-traffic.ts";
import type { Recording } from "./write-wacz.ts";

const waitMs = 5_000;

/** What an archive of the page is written from. */
export async function recordingOf(
  { page, deadline }: Drive,
  recorder: TrafficRecorder,
  whole: { readonly html: string } | null,
  at: Date,
): Promise<Taken<Recording>> {
  if (whole === null) return { missing: "The page itself could not be read." };
  const read = async (): Promise<Taken<Recording>> => {
    const [traffic, cookies, stored, title] = await Promise.all([
      recorder.stop(),
      page.context().cookies(),
      page.evaluate(storageEntries).catch(() => []),
      page.title(),
    ]);
    const session = { cookies, storage: pairsOf(stored) };
    return { taken: { traffic, session, page: { url: page.url(), title, html: whole.html, at } } };
  };
  const missing = "What the page received could not be read.";
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<Taken<Recording>>((resolve) => {
    const leftMs = Math.max(1, Math.min(waitMs, deadline - performance.now()));
    timer = setTimeout(() => resolve({ missing: "What the page received could not be read in time." }), leftMs);
  });
  try {
    return await Promise.race([read().catch((cause: unknown) => ({ missing, cause })), late]);
  } finally {
    clearTimeout(timer);
  }
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
