import { rowsAs, type Queryable, type Transaction } from "../db/index.ts";
import { createHash } from "node:crypto";
import { artifactBytesMax, ContentFault, type ContentStore } from "./file-store.ts";
import { ProblemError } from "../api/problem-error.ts";

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

interface ResultArtifacts {
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

/** Content in the store. It is kept for a day, and then as long as a result refers to it. */
interface KeptContent {
  readonly contentId: number;
  readonly sha256: Buffer;
  readonly bytes: number;
}

/** Many times as long as a run and the end of its task take. */
const unreferencedDays = 1;

/** Stores bytes; identical bytes are stored once. Call it outside any transaction. */
export async function keepContent(
  db: Queryable,
  store: ContentStore,
  content: Uint8Array,
  signal: AbortSignal,
): Promise<KeptContent> {
  if (content.byteLength > artifactBytesMax)
    throw new ContentFault("refused", `An artifact of ${content.byteLength} bytes is over ${artifactBytesMax}.`);
  const sha256 = createHash("sha256").update(content).digest();
  // Inserts the row first, so that everything in the store has a row and can be swept. Index: artifact_contents_live. Locks the
  // row: a concurrent sweep either sees that it is needed again, or has already marked it for removal, and then a new row is
  // inserted.
  const { rows } = await db.query<{ id: number }>(
    `insert into artifact_contents (sha256, bytes, check_at) values ($1, $2, now() + $3 * interval '1 day')
     on conflict (sha256) where condemned_at is null
     do update set check_at = greatest(artifact_contents.check_at, excluded.check_at)
     returning id`,
    [sha256, content.byteLength, unreferencedDays],
  );
  const contentId = rows[0]?.id;
  if (contentId === undefined) throw new Error("An insert returned no row.");
  await store.write(contentKey({ sha256, contentId }), content, signal);
  return { contentId, sha256, bytes: content.byteLength };
}

/** The id is part of the key, so that an object being removed and one being stored again are never the same. */
export function contentKey({ sha256, contentId }: Pick<KeptContent, "sha256" | "contentId">): string {
  const hex = sha256.toString("hex");
  return `${hex.slice(0, 2)}/${hex}-${contentId}`;
}

/** The bytes of an artifact, verified by their digest. */
export async function readArtifact(store: ContentStore, artifact: Artifact, signal: AbortSignal): Promise<Buffer> {
  const content = await store.read(contentKey(artifact), artifact.bytes, signal);
  if (!createHash("sha256").update(content).digest().equals(artifact.sha256))
    throw new ContentFault("damaged", `${store.place}: ${contentKey(artifact)} is not what was stored.`);
  return content;
}

/** The same for a reply: throws the problem that the client can do something about. */
export async function readForReply(store: ContentStore, artifact: Artifact, signal: AbortSignal): Promise<Buffer> {
  try {
    return await readArtifact(store, artifact, signal);
  } catch (error) {
    if (!(error instanceof ContentFault && error.reason === "unavailable")) throw error;
    const headers = { "retry-after": "5" };
    throw new ProblemError("unavailable", "The artifact store does not answer.", { headers, cause: error });
  }
}

interface ContentFigures {
  readonly contents: number;
  readonly bytes: number;
}

/** The number and size of the stored contents. Reads a row for each: the caller must not repeat it without a pause. */
export async function measureContents(db: Queryable): Promise<ContentFigures> {
  const { rows } = await db.query<ContentFigures & Record<string, unknown>>(
    `select count(*)::float8 as contents, coalesce(sum(bytes), 0)::float8 as bytes from artifact_contents where condemned_at is null`,
  );
  return rows[0] ?? { contents: 0, bytes: 0 };
}
