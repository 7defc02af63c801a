import { createHash } from "node:crypto";
import { sealName, sealSignatureName, writeSeal } from "@querent/evidence";
import type { Artifact } from "../artifacts/index.ts";
import type { Database } from "../db/index.ts";
import type { SealInput } from "../tasks/index.ts";
import { signingKey, type Encrypter } from "./evidence-keys.ts";

/**
 * Signs the digests of what an answer was read from, during the run and before the task ends. From then on nobody with write
 * access to the database or the store, but without the master key, can change a snapshot unnoticed.
 */
export async function sealTask(
  { database, encrypter }: { readonly database: Database; readonly encrypter: Encrypter },
  { taskId, platformCode, observedAt, raw, artifacts }: SealInput,
) {
  const { publicKey: key, privateKey } = await signingKey(database, encrypter);
  const files = artifacts.map(({ name, mediaType, bytes, sha256 }: Artifact) => ({
    name,
    mediaType,
    bytes,
    sha256: sha256.toString("hex"),
  }));
  if (raw !== null && raw.body !== null) {
    const bytes = Buffer.from(raw.body);
    const sha256 = createHash("sha256").update(bytes).digest("hex");
    files.push({ name: rawAnswerName(raw.mediaType), mediaType: raw.mediaType, bytes: bytes.length, sha256 });
  }
  const { seal, signature } = writeSeal(
    { taskId, platformCode, observedAt, sealedAt: new Date().toISOString(), key, files },
    privateKey,
  );
  return [
    { name: sealName, mediaType: "application/json", bytes: seal },
    { name: sealSignatureName, mediaType: "application/octet-stream", bytes: signature },
  ];
}

/** The name of the file with the platform's original bytes in the evidence. */
export function rawAnswerName(mediaType: string): string {
  const type = (mediaType.split(";", 1)[0] ?? "").trim().toLowerCase();
  return `raw-answer.${endings[type] ?? (type.endsWith("+json") ? "json" : "bin")}`;
}

const endings: Readonly<Record<string, string>> = {
  "application/json": "json",
  "text/html": "html",
  "text/plain": "txt",
  "text/markdown": "md",
};
