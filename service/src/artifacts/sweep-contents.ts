import type { Queryable } from "../db/index.ts";
import { ContentFault, type ContentStore } from "./file-store.ts";
import { contentKey, readArtifact, newestArtifacts, type ListedArtifact } from "./artifact-rows.ts";

const contentsAtOnce = 200;

/**
 * Removes contents that no live result refers to. A content is first marked for removal, after which no result can refer to it;
 * then its bytes are deleted, and then its row. If the process dies in between, the next sweep continues, an hour later. Safe
 * to run in several processes concurrently. Returns the number of removed contents.
 */
export async function sweepContents(db: Queryable, store: ContentStore, signal: AbortSignal): Promise<number> {
  let removed = 0;
  for (;;) {
    const due = await condemn(db);
    for (const { id, sha256 } of due.condemned) {
      if (signal.aborted) return removed;
      try {
        await store.remove(contentKey({ sha256, contentId: id }), signal);
      } catch (error) {
        if (signal.aborted) return removed;
        throw error;
      }
      await db.query("delete from artifact_contents where id = $1", [id]);
      removed += 1;
    }
    if (due.looked < contentsAtOnce) return removed;
  }
}

async function condemn(db: Queryable): Promise<{ looked: number; condemned: { id: number; sha256: Buffer }[] }> {
  // Locks: the rows that are due, skipping those locked by others. A content with references is checked again when the last of
  // its results expires. Indexes: artifact_contents_due, artifacts_content.
  const { rows } = await db.query<{ id: number; sha256: Buffer; condemned: boolean }>(
    `with due as (
       select id from artifact_contents where check_at < now() order by check_at limit $1 for update skip locked),
     wanted as (
       select due.id, (select max(a.expires_at) from artifacts a where a.content_id = due.id and a.expires_at > now()) as until
       from due)
     update artifact_contents c set
       check_at = coalesce(w.until, now() + interval '1 hour'),
       condemned_at = case when w.until is null then coalesce(c.condemned_at, now()) end
     from wanted w where c.id = w.id
     returning c.id, c.sha256, c.condemned_at is not null as condemned`,
    [contentsAtOnce],
  );
  return { looked: rows.length, condemned: rows.filter(({ condemned }) => condemned) };
}

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
