import { createHash } from "node:crypto";
import { ProblemError } from "../api/problem-error.ts";
import type { Artifact } from "./artifact-rows.ts";
import { ContentFault, type ContentStore } from "./content-store.ts";
import { contentKey } from "./keep-content.ts";

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
