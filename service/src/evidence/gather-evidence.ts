import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { formatName, writeEvidence, type EvidenceFile } from "@querent/evidence";
import type { StoredResult, TaskRecord } from "@querent/contract";
import type { PageInput } from "../answers/index.ts";
import { listArtifacts, readForReply, type Artifact, type ContentStore } from "../artifacts/index.ts";
import type { Queryable } from "../db/index.ts";
import { readStoredRaw } from "../tasks/index.ts";
import type { SigningKey } from "./evidence-keys.ts";
import { rawAnswerName } from "./raw-answer-name.ts";

export interface GatheringDeps {
  readonly database: Queryable;
  readonly store: ContentStore;
  readonly drawPage: (input: PageInput) => Promise<string>;
  readonly platformName: (code: string) => string;
  readonly version: string;
}

/**
 * The evidence of a completed task: the record, the platform's original bytes, our page of the answer, and the artifacts, each
 * with its digest in a signed manifest. Created on request from what is stored; the same state gives the same bytes. Only one
 * file at a time is in memory.
 */
export async function gatherEvidence(
  deps: GatheringDeps,
  input: {
    readonly record: TaskRecord & { readonly completedAt: string };
    readonly accountId: string;
    readonly key: SigningKey;
  },
  signal: AbortSignal,
): Promise<AsyncGenerator<Buffer>> {
  const { record, accountId, key } = input;
  const [artifacts, raw] = await Promise.all([
    listArtifacts(deps.database, record.taskId),
    readStoredRaw(deps.database, accountId, record.taskId),
  ]);
  const files: EvidenceFile[] = [ofText("record.json", "application/json", `${JSON.stringify(record, null, 2)}\n`)];
  if (typeof raw?.mediaType === "string" && raw.body !== null)
    files.push(ofText(rawAnswerName(raw.mediaType), raw.mediaType, raw.body));
  for (const artifact of artifacts) files.push(ofArtifact(deps.store, artifact, signal));
  // A task that did not request a page gets one here.
  if (!artifacts.some(({ kind }) => kind === "page")) {
    const page = await deps.drawPage({
      taskId: record.taskId,
      question: record.question,
      platformName: deps.platformName(record.platformCode),
      options: record.options,
      result: resultOf(record),
    });
    files.push(ofText("page.html", "text/html", page));
  }
  await nextTurn();
  return writeEvidence(
    {
      format: formatName,
      taskId: record.taskId,
      platformCode: record.platformCode,
      revision: record.revision,
      createdAt: record.createdAt,
      startedAt: record.startedAt,
      completedAt: record.completedAt,
      observedAt: record.observedAt,
      service: { name: "Querent", version: deps.version },
      key: key.publicKey,
    },
    files,
    key.privateKey,
  );
}

function ofText(name: string, mediaType: string, text: string): EvidenceFile {
  const bytes = Buffer.from(text);
  const sha256 = createHash("sha256").update(bytes).digest("hex");
  return { name, mediaType, bytes: bytes.length, sha256, read: async () => bytes };
}

function ofArtifact(store: ContentStore, artifact: Artifact, signal: AbortSignal): EvidenceFile {
  const { name, mediaType, bytes, sha256 } = artifact;
  return { name, mediaType, bytes, sha256: sha256.toString("hex"), read: () => readForReply(store, artifact, signal) };
}

/** The record of a completed task contains its whole result. */
function resultOf(record: TaskRecord): StoredResult {
  const { availability, provenance } = record;
  if (availability === null || provenance === null) throw new Error("A completed task has no result.");
  return { ...record, availability, provenance, effective: record.effective ?? {} };
}
