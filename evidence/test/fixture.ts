import { createHash } from "node:crypto";
import type { EvidenceFile, PublicKey } from "../src/index.ts";

/** What a manifest says, save its files. */
export const factsOf = (key: PublicKey) =>
  ({
    format: "querent-evidence/1",
    taskId: "01a1fe2b-2faa-7230-b56a-51692740303c",
    platformCode: "example",
    revision: 1,
    createdAt: "2026-11-01T09:29:58.000Z",
    startedAt: "2026-11-01T09:29:59.000Z",
    completedAt: "2026-11-01T09:30:01.500Z",
    observedAt: null,
    service: { name: "Querent", version: "1.0.0" },
    key,
  }) as const;

export function fileOf(name: string, content: string | Buffer, mediaType = "text/plain"): EvidenceFile {
  const bytes = Buffer.from(content);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { name, mediaType, bytes: bytes.length, sha256, read: async () => bytes };
}
