import { createHash } from "node:crypto";
import type { Queryable } from "../db/index.ts";
import { artifactBytesMax, ContentFault, type ContentStore } from "./content-store.ts";

/** Content that is in the store. It stays for a day, and then for as long as a result refers to it. */
export interface KeptContent {
  readonly contentId: number;
  readonly sha256: Buffer;
  readonly bytes: number;
}

/** A run and the end of its task fit into this many times over. */
const unreferencedDays = 1;

/** Puts bytes into the store; the same bytes are there once. Outside any transaction. */
export async function keepContent(
  db: Queryable,
  store: ContentStore,
  content: Uint8Array,
  signal: AbortSignal,
): Promise<KeptContent> {
  if (content.byteLength > artifactBytesMax)
    throw new ContentFault("refused", `An artifact of ${content.byteLength} bytes is over ${artifactBytesMax}.`);
  const sha256 = createHash("sha256").update(content).digest();
  // The row first, so that whatever is in the store has one and can be swept. Index: artifact_contents_live. Locks the
  // row: a sweep that is about to condemn it either sees that it is wanted again, or has condemned it, and there is a new one.
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

/** The id is part of it, so that what is being removed and what is stored anew are never the same object. */
export function contentKey({ sha256, contentId }: Pick<KeptContent, "sha256" | "contentId">): string {
  const hex = sha256.toString("hex");
  return `${hex.slice(0, 2)}/${hex}-${contentId}`;
}
