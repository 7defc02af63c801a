import { Readable } from "node:stream";
import { api, type PageEvidenceKind, type TaskRecord, type StoredResult } from "@querent/contract";
import { listArtifacts, readForReply, type Artifact, type ContentStore } from "../artifacts/index.ts";
import type { Database, Queryable } from "../db/index.ts";
import { ProblemError } from "../api/problem-error.ts";
import { route, type Route } from "../api/route.ts";
import { publishedKeys, signingKey, type Encrypter, type SigningKey } from "./evidence-keys.ts";
import { createHash } from "node:crypto";
import { setImmediate as nextTurn } from "node:timers/promises";
import { formatName, writeEvidence, type EvidenceFile } from "@querent/evidence";
import type { PageInput } from "../answers/index.ts";
import { readStoredRaw } from "../tasks/index.ts";
import { rawAnswerName } from "./seal-task.ts";

export interface EvidenceRoutesDeps extends GatheringDeps {
  readonly database: Database;
  readonly encrypter: Encrypter;
  /** A task of an account; null if it has no such task. */
  readonly getTask: (accountId: string, taskId: string) => Promise<TaskRecord | null>;
  /**
   * Called if a file can't be read. If it is the first one, the request fails; else the client gets an incomplete zip, which
   * verification rejects.
   */
  readonly onFault: (error: unknown) => void;
}

export function evidenceRoutes(deps: EvidenceRoutesDeps): Route[] {
  return [
    route(api.getEvidence, async ({ caller, params, signal }) => {
      const record = await withEvidence(deps, caller.accountId, params.task_id);
      const key = await signingKey(deps.database, deps.encrypter);
      const pieces = await gatherEvidence(
        deps,
        { record: { ...record, webhookUrl: null }, accountId: caller.accountId, key },
        signal,
      );
      const body = Readable.from(pieces);
      body.on("error", (error) => {
        if (!signal.aborted) deps.onFault(error);
      });
      return {
        status: 200,
        headers: {
          "content-type": "application/zip",
          "content-disposition": `attachment; filename="evidence-${record.taskId}.zip"`,
          "cache-control": "private, no-store",
        },
        body,
      };
    }),

    route(api.getPageEvidence, async ({ caller, params: { task_id: taskId, evidence_kind: kind }, signal }) => {
      const { evidence } = await withEvidence(deps, caller.accountId, taskId);
      const wanted = evidence.find((one) => one.kind === kind);
      if (wanted === undefined) throw new ProblemError("not_found", `No ${kind} is kept of this platform's pages.`);
      if (wanted.missing !== null) throw new ProblemError("not_found", `The ${kind} is missing: ${wanted.missing}`);
      const artifact = (await listArtifacts(deps.database, taskId)).find(({ name }) => name === wanted.file);
      if (artifact === undefined) throw new ProblemError("gone", "The file has expired.");
      const body = await readForReply(deps.store, artifact, signal);
      return { status: 200, headers: pageEvidenceHeaders(kind, taskId), body };
    }),

    route(api.getEvidenceKeys, async () => ({
      status: 200,
      headers: { "cache-control": "public, max-age=300", "access-control-allow-origin": "*" },
      body: {
        keys: (await publishedKeys(deps.database)).map((key) => ({
          ...key,
          use: "sig" as const,
          alg: "EdDSA" as const,
        })),
      },
    })),
  ];
}

/** The record of a completed task whose result has not expired. */
async function withEvidence(
  { getTask }: EvidenceRoutesDeps,
  accountId: string,
  taskId: string,
): Promise<TaskRecord & { readonly completedAt: string }> {
  const record = await getTask(accountId, taskId);
  if (record === null) throw new ProblemError("not_found", "There is no such task.");
  const { completedAt } = record;
  if (record.state !== "completed" || completedAt === null)
    throw new ProblemError("state_conflict", `Only completed tasks have evidence. This task is ${record.state}.`);
  if (record.expired) throw new ProblemError("gone", "The result has expired, and so has its evidence.");
  return { ...record, completedAt };
}

/** Whatever the bytes are, a browser saves them and executes nothing. The server adds `nosniff` to every response. */
function pageEvidenceHeaders(kind: PageEvidenceKind, taskId: string): Readonly<Record<string, string>> {
  const [mediaType, ending] = kind === "picture" ? ["image/png", "png"] : ["application/wacz", "wacz"];
  return {
    "content-type": mediaType,
    "content-disposition": `attachment; filename="page-${taskId}.${ending}"`,
    "content-security-policy": "default-src 'none'; sandbox",
    "cache-control": "private, no-store",
  };
}

interface GatheringDeps {
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
async function gatherEvidence(
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
