import { rowsAs, type Queryable, type Transaction } from "../db/index.ts";
import type { KeptContent } from "./keep-content.ts";

/**
 * `page`: our answer page. `screenshot`: a screenshot of it. `capture`: a snapshot of what the answer was read from. `seal`:
 * the signed digests of the snapshots.
 */
export type ArtifactKind = "page" | "screenshot" | "capture" | "seal";

/** A file that belongs to a result; its bytes are in the store. */
export interface Artifact extends KeptContent {
  readonly kind: ArtifactKind;
  /** Unique within the result. */
  readonly name: string;
  readonly mediaType: string;
}

export interface ResultArtifacts {
  readonly day: string;
  readonly accountId: string;
  readonly taskId: string;
  readonly expiresAt: Date;
  readonly artifacts: readonly Artifact[];
}

const newRows = rowsAs<Omit<ResultArtifacts, "artifacts"> & Artifact>("e", {
  day: ["date", (artifact) => artifact.day],
  task_id: ["uuid", (artifact) => artifact.taskId],
  expires_at: ["timestamptz", (artifact) => artifact.expiresAt],
  kind: ["text", (artifact) => artifact.kind],
  name: ["text", (artifact) => artifact.name],
  media_type: ["text", (artifact) => artifact.mediaType],
  content_id: ["bigint", (artifact) => artifact.contentId],
  sha256: ["bytea", (artifact) => artifact.sha256],
  bytes: ["int", (artifact) => artifact.bytes],
  account_id: ["uuid", (artifact) => artifact.accountId],
});

/** Links artifacts to results, in the transaction that stores the results. Locks only what it inserts. */
export async function insertArtifacts(tx: Transaction, results: readonly ResultArtifacts[]): Promise<void> {
  const rows = results.flatMap(({ artifacts, ...result }) => artifacts.map((artifact) => ({ ...result, ...artifact })));
  if (rows.length === 0) return;
  await tx.query(`insert into artifacts (${newRows.columns}) select * from ${newRows.after(0)}`, newRows.values(rows));
}

interface ArtifactRow {
  kind: ArtifactKind;
  name: string;
  media_type: string;
  content_id: number;
  sha256: Buffer;
  bytes: number;
}

/** The artifacts of a result that has not expired, in the order of their names. */
export async function listArtifacts(db: Queryable, taskId: string): Promise<readonly Artifact[]> {
  // Index: the primary key, once for each retained day.
  const { rows } = await db.query<ArtifactRow>(
    `select kind, name, media_type, content_id, sha256, bytes from artifacts
     where task_id = $1 and expires_at > now() order by name collate "C"`,
    [taskId],
  );
  return rows.map(({ media_type: mediaType, content_id: contentId, ...row }) => ({ ...row, mediaType, contentId }));
}

/** An artifact, and the task that it belongs to. */
export interface ListedArtifact extends Artifact {
  readonly taskId: string;
}

/** The newest artifacts of results that have not expired. */
export async function newestArtifacts(db: Queryable, countMax: number): Promise<readonly ListedArtifact[]> {
  // No index: for an operator's check alone.
  const { rows } = await db.query<ArtifactRow & { task_id: string }>(
    `select task_id, kind, name, media_type, content_id, sha256, bytes from artifacts
      where expires_at > now() order by day desc, task_id desc, name limit $1`,
    [countMax],
  );
  return rows.map(({ task_id: taskId, media_type: mediaType, content_id: contentId, ...row }) => ({
    ...row,
    taskId,
    mediaType,
    contentId,
  }));
}
