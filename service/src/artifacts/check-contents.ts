import type { Queryable } from "../db/index.ts";
import { ContentFault, type ContentStore } from "./content-store.ts";
import { readArtifact } from "./read-artifact.ts";
import { newestArtifacts, type ListedArtifact } from "./artifact-rows.ts";

/** How many are read at once. */
const atOnce = 4;
const readTimeoutMs = 60_000;

/**
 * Reads the newest artifacts whose results have not expired from the store, and compares them with their digests. Returns how
 * many were read, and what is wrong with which.
 */
export async function checkContents(
  db: Queryable,
  store: ContentStore,
  countMax: number,
): Promise<{ read: number; violations: string[] }> {
  const artifacts = await newestArtifacts(db, countMax);
  const violations: string[] = [];
  const check = async (artifact: ListedArtifact) => {
    try {
      await readArtifact(store, artifact, AbortSignal.timeout(readTimeoutMs));
    } catch (error) {
      if (!(error instanceof ContentFault)) throw error;
      violations.push(`task ${artifact.taskId}, ${artifact.name}: ${error.message}`);
    }
  };
  for (let start = 0; start < artifacts.length; start += atOnce)
    await Promise.all(artifacts.slice(start, start + atOnce).map(check));
  return { read: artifacts.length, violations };
}
