import { createHash } from "node:crypto";
import type { Queryable } from "../db/index.ts";
import { artifactBytesMax, ContentFault, type ContentStore } from "./content-store.ts";

/** Content in the store. It is kept for a day, and then as long as a result refers to it. */
export interface KeptContent {
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
