/**
 * Makes the files of a result: snapshots of what it was read from, our page of it, and a screenshot of that page. They are made
 * during the run, before the task ends and outside any transaction, so that a task that requested one ends with it, or fails
 * and costs nothing. A transient failure is retried here with the answer in memory: the platform is not asked twice.
 */
import { setTimeout as pause } from "node:timers/promises";
import type { Output, PageEvidence, StoredResult } from "@querent/contract";
import { withArtifacts, type PageInput, type StoredRaw } from "../../answers/index.ts";
import {
  ContentFault,
  keepContent,
  type AddressPurpose,
  type Artifact,
  type ContentStore,
} from "../../artifacts/index.ts";
import type { Queryable } from "../../db/index.ts";
import { backoffMs } from "../../runtime/backoff.ts";
import type { AskContext, CapturedEvidence, Platform, PlatformQuestion, Snapshot } from "../../platforms/index.ts";

/** Takes a screenshot of a page, as PNG. */
export type Screenshot = (
  html: string,
  signal: AbortSignal,
  requester?: AskContext["requester"],
) => Promise<Uint8Array>;

export interface ArtifactMaking {
  readonly database: Queryable;
  readonly store: ContentStore;
  readonly drawPage: (input: PageInput) => Promise<string>;
  readonly screenshot: Screenshot;
  readonly browser: BrowserAccess;
  /** Creates a task's public URL for this purpose; null while the service's public address is not known. */
  readonly publicAddresses: () => ((purpose: AddressPurpose, ofId: string) => string) | null;
  /** Signs the snapshots of what an answer was read from, as files of their own. */
  readonly seal: (input: SealInput) => Promise<readonly Snapshot[]>;
  readonly onFault: (error: unknown) => void;
}

/** What a run needs to know about the browsers of this node and of the others. */
export interface BrowserAccess {
  /** Makes sure that a browser runs on this node, before anything is requested that needs one. False: none can be used. */
  ready(signal: AbortSignal): Promise<boolean>;
  /** Whether this node can use one, as far as is known now. */
  isUsable(): boolean;
  /** Whether waiting makes sense: another node that asks this platform can use a browser, or this node could within the last minute. */
  isExpected(platform: string): Promise<boolean>;
}

export interface SealInput {
  readonly taskId: string;
  readonly platformCode: string;
  readonly observedAt: string | null;
  readonly raw: StoredRaw | null;
  readonly artifacts: readonly Artifact[];
}

export type Made =
  | { readonly kind: "made"; readonly stored: StoredResult; readonly artifacts: readonly Artifact[] }
  /** `noBrowser`: this node no longer has a browser; another one may. */
  | { readonly kind: "unavailable"; readonly message: string; readonly noBrowser: boolean };

/** The outputs that a platform supports: its own, and those that we make of any answer without a page of its own. */
export function outputsOf(
  platform: Pick<Platform, "kind" | "outputs">,
  making: Pick<ArtifactMaking, "publicAddresses">,
): readonly Output[] {
  if (platform.kind === "web") return platform.outputs;
  return making.publicAddresses() === null ? ["answer"] : ["answer", "screenshot", "share_link"];
}

const captureNamePattern = /^[A-Za-z0-9_-][A-Za-z0-9._-]{0,99}$/;
const capturesMax = 50;
/** Delays before a step is retried. */
const attemptsMax = 3;
const retryBackoff = { firstMs: 500, maxMs: 2000 };

export async function makeArtifacts(
  making: ArtifactMaking,
  input: {
    readonly platform: Pick<Platform, "code" | "kind" | "name">;
    readonly question: PlatformQuestion;
    readonly stored: StoredResult;
    readonly raw: StoredRaw | null;
    readonly captures: readonly Snapshot[];
    readonly evidence: readonly CapturedEvidence[];
  },
  { signal, requester }: AskContext,
): Promise<Made> {
  const { platform, question } = input;
  const { output } = question.options;
  const artifacts: Artifact[] = [];
  const kept = async (kind: Artifact["kind"], { name, mediaType, bytes }: Snapshot): Promise<Artifact> => {
    const content = await repeated(signal, () => keepContent(making.database, making.store, bytes, signal));
    return { ...content, kind, name, mediaType };
  };
  const keep = async (kind: Artifact["kind"], name: string, mediaType: string, bytes: Uint8Array) =>
    void artifacts.push(await kept(kind, { name, mediaType, bytes }));
  try {
    const captures = checkedCaptures(input.captures);
    artifacts.push(
      ...(await Promise.all(captures.map((one) => kept("capture", { ...one, name: `captures/${one.name}` })))),
    );
    if (artifacts.length > 0) {
      const toSeal: SealInput = {
        taskId: question.taskId,
        platformCode: platform.code,
        observedAt: input.stored.observedAt,
        raw: input.raw,
        artifacts: [...artifacts],
      };
      for (const { name, mediaType, bytes } of await repeated(signal, () => making.seal(toSeal)))
        await keep("seal", name, mediaType, bytes);
    }
    const evidence = input.evidence.map((one) => pageEvidence(question.taskId, one, artifacts));
    const stored = evidence.length === 0 ? input.stored : { ...input.stored, evidence };
    if (output === "answer" || platform.kind === "web") return { kind: "made", stored, artifacts };

    const page = await making.drawPage({
      taskId: question.taskId,
      question: question.text,
      platformName: platform.name,
      options: question.options,
      result: stored,
    });
    await keep("page", "page.html", "text/html", Buffer.from(page));
    const addressOf = making.publicAddresses();
    if (addressOf === null) return unavailable("This service can't make it any more.", false);
    const address = addressOf(output === "screenshot" ? "screenshot" : "share", question.taskId);
    if (output !== "screenshot")
      return { kind: "made", stored: withArtifacts(stored, { shareUrl: address }), artifacts };
    const picture = await repeated(
      signal,
      () => making.screenshot(page, signal, requester),
      () => making.browser.isUsable(),
    );
    await keep("screenshot", "screenshot.png", "image/png", picture);
    return { kind: "made", stored: withArtifacts(stored, { screenshotUrl: address }), artifacts };
  } catch (error) {
    signal.throwIfAborted();
    making.onFault(error);
    return unavailable(reasonOf(error), output === "screenshot" && !making.browser.isUsable());
  }
}

/** What the record states about a picture or an archive of the page. */
function pageEvidence(taskId: string, one: CapturedEvidence, artifacts: readonly Artifact[]): PageEvidence {
  const { kind } = one;
  const file = "capture" in one ? artifacts.find(({ name }) => name === `captures/${one.capture}`) : undefined;
  if (file === undefined) {
    const missing = "missing" in one ? one.missing : "The platform did not return it.";
    return { kind, url: null, file: null, mediaType: null, bytes: null, sha256: null, missing };
  }
  const { name, mediaType, bytes } = file;
  const lacks = "capture" in one && one.incomplete !== undefined ? { incomplete: one.incomplete } : {};
  const url = `/v1/tasks/${taskId}/evidence/${kind}`;
  return { kind, url, file: name, mediaType, bytes, sha256: file.sha256.toString("hex"), missing: null, ...lacks };
}

/** Runs a step, and retries it after a transient failure. */
async function repeated<Result>(
  signal: AbortSignal,
  step: () => Promise<Result>,
  mayPass = () => true,
): Promise<Result> {
  for (let attempt = 1; attempt < attemptsMax; attempt++) {
    try {
      return await step();
    } catch (error) {
      // The store has already retried.
      if (signal.aborted || error instanceof ContentFault || !mayPass()) throw error;
      await pause(backoffMs(attempt, retryBackoff), undefined, { signal });
    }
  }
  return step();
}

/** Adapters are our own code, but a name that could leave its folder is still an error. */
function checkedCaptures(captures: readonly Snapshot[]): readonly Snapshot[] {
  if (captures.length > capturesMax) throw new Error(`An answer came with ${captures.length} captures.`);
  const names = new Set<string>();
  for (const { name } of captures) {
    if (!captureNamePattern.test(name) || names.has(name)) throw new Error(`A capture can't be named ${name}.`);
    names.add(name);
  }
  return captures;
}

function unavailable(reason: string, noBrowser: boolean): Made {
  return {
    kind: "unavailable",
    noBrowser,
    message: `The answer is there, and what belongs to it could not be made or kept. ${reason} Nothing is charged.`,
  };
}

function reasonOf(error: unknown): string {
  if (!(error instanceof ContentFault)) return "The browser or the store failed each time.";
  return error.reason === "full" ? "There is no room left for artifacts." : "The artifact store did not take it.";
}
