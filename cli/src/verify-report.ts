/** Computes every figure of a report again, from the observations and failed tasks that it contains. Uses only the file and the keys to trust. */
import { createHash } from "node:crypto";
import {
  readReportZip,
  verifyPanelSeal,
  type PublicKey,
  type ReadReport,
  type Refused,
  type ReportManifest,
} from "@querent/evidence";
import {
  answerOf,
  failedTaskOf,
  firstDifference,
  makeReport,
  reportFormat,
  type Answer,
  type FailedTask,
  type Report,
  type ReportFacts,
} from "@querent/figures";
import { describeDifference, printable } from "./describe-difference.ts";

export interface ReportRefused {
  readonly verdict: "refused";
  readonly reason:
    | Refused["reason"]
    | "unreadable_file"
    | "other_definitions"
    | "wrong_observation"
    | "wrong_seal"
    | "wrong_figure";
  readonly sentence: string;
}

/**
 * `authentic`: complete, unchanged, every figure computed again with the same result, and signed with a key that you trust.
 * `intact`: the same, signed with the key in the file, whose owner is unknown. `refused`: anything else.
 */
export type ReportVerdict =
  | {
      readonly verdict: "authentic" | "intact";
      readonly sentence: string;
      readonly manifest: ReportManifest;
      readonly grade: Report["grade"]["grade"];
      readonly figures: number;
      readonly answers: number;
      readonly failures: number;
    }
  | ReportRefused;

class Wrong extends Error {
  readonly reason: ReportRefused["reason"];
  constructor(reason: ReportRefused["reason"], message: string) {
    super(message);
    this.reason = reason;
  }
}

export function verifyReport(zip: Uint8Array, trusted: readonly PublicKey[] | null): ReportVerdict {
  const read = readReportZip(zip, trusted);
  if (read.verdict === "refused") return read;
  try {
    return verifyContent(read, trusted);
  } catch (error) {
    if (error instanceof Wrong) return { verdict: "refused", reason: error.reason, sentence: error.message };
    // The files are whatever somebody has signed: what they lack is noticed where it is used.
    const sentence = "No report can be made of facts.json, revisions.json and the observations.";
    return { verdict: "refused", reason: "unreadable_file", sentence };
  }
}

function verifyContent(
  { manifest, files }: Extract<ReadReport, { verdict: "signed" }>,
  trusted: readonly PublicKey[] | null,
): ReportVerdict {
  const facts = parse(files, "facts.json") as ReportFacts;
  const written = parse(files, "report.json");
  // Before anything is made of it: the facts of another format are others, too.
  if ((written as Partial<Report> | null)?.format !== reportFormat) throw otherDefinitions(written);
  const answers = readAnswers(files, manifest);
  const failures = readFailures(files, manifest);
  verifyRevisions(parse(files, "revisions.json"), facts, trusted);
  // The report is compared as it is written, because JSON has no -0.
  const made = JSON.parse(JSON.stringify(makeReport(facts, answers, failures))) as Report;
  if (made.panel.panelId !== manifest.panelId || firstDifference(made.window, manifest.window) !== null)
    throw new Wrong("wrong_figure", "The report is of another panel or window than the manifest says.");
  const place = firstDifference(made, written);
  if (place?.startsWith("/definitions") === true) throw otherDefinitions(written);
  if (place !== null) throw new Wrong("wrong_figure", describeDifference(place, made, written));
  const figures =
    made.summary.length + made.prompts.length + made.series.reduce((sum, one) => sum + one.points.length, 0);
  const failed = failures.length === 0 ? "" : ` and ${failures.length.toLocaleString("en")} failed tasks`;
  const what = `${figures.toLocaleString("en")} figures, computed again from ${answers.length.toLocaleString("en")} answers${failed} with the same results.${changesIn(made)} The report of panel ${printable(made.panel.name)}, ${made.window.from} to ${made.window.to}, is ${made.grade.grade}`;
  const isTrusted = trusted !== null;
  const signature = isTrusted
    ? `It is signed with the key ${manifest.key.kid}, which you gave.`
    : `It is signed with the key ${manifest.key.kid}; whether that is the service's key can only be told by comparing it with the one that the service publishes.`;
  return {
    verdict: isTrusted ? "authentic" : "intact",
    sentence: `${isTrusted ? "Authentic" : "Intact"}: ${what}. ${signature}`,
    manifest,
    grade: made.grade.grade,
    figures,
    answers: answers.length,
    failures: failures.length,
  };
}

/** Says how many of the changes could be computed again. */
function changesIn({ changes = [], instrumentChanges = [] }: Report): string {
  const all = [...changes, ...instrumentChanges].map(({ recomputed }) => Object.values(recomputed));
  if (all.length === 0) return "";
  const same = all.filter((parts) => parts.every((part) => part === "same")).length;
  const other = all.filter((parts) => parts.includes("other")).length;
  const rest = other === 0 ? "" : `; the answers give something else for ${other}`;
  return ` Of the ${all.length} changes that it states, ${same} were computed again from its answers with the same evidence${rest}.`;
}

/** A document is parsed as a whole, into many times its size. */
const documentBytesMax = 128 * 1024 ** 2;

function parse(files: ReadonlyMap<string, Buffer>, name: string): unknown {
  const bytes = files.get(name);
  if (bytes === undefined) throw new Wrong("missing_file", `It is no report: the file ${name} is missing.`);
  if (bytes.length > documentBytesMax)
    throw new Wrong("too_large", `The file ${name} is larger than that of a report can be.`);
  try {
    return JSON.parse(new TextDecoder("utf-8", { fatal: true }).decode(bytes)) as unknown;
  } catch {
    throw new Wrong("unreadable_file", `The file ${name} can't be read.`);
  }
}

const readAnswers = (files: ReadonlyMap<string, Buffer>, manifest: ReportManifest): Answer[] =>
  readRecords(files, manifest, {
    folder: "observations",
    what: "observation",
    read: (record) => {
      const answer = answerOf(record as Parameters<typeof answerOf>[0]);
      return { content: answer, id: answer.observationId, at: answer.observedAt };
    },
  });

const readFailures = (files: ReadonlyMap<string, Buffer>, manifest: ReportManifest): FailedTask[] =>
  readRecords(files, manifest, {
    folder: "failures",
    what: "failed task",
    read: (record) => {
      const task = failedTaskOf(record as Parameters<typeof failedTaskOf>[0]);
      return { content: task, id: task.failureId, at: task.failedAt };
    },
  });

interface Records<Content> {
  readonly folder: string;
  readonly what: string;
  readonly read: (record: unknown) => { readonly content: Content; readonly id: string; readonly at: string };
}

/** The lines of a file, one at a time: a file of line breaks would make an array that is many times as large. */
function* linesOf(bytes: Buffer, name: string): Generator<string, void, void> {
  let from = 0;
  for (let end; (end = bytes.indexOf("\n", from)) !== -1; from = end + 1) yield bytes.toString("utf8", from, end);
  if (from < bytes.length) throw new Wrong("unreadable_file", `The file ${name} ends within a line.`);
}

/** The records of a folder in the order of its files, each of this panel and window, and each once. */
function readRecords<Content>(
  files: ReadonlyMap<string, Buffer>,
  { panelId, window }: ReportManifest,
  { folder, what, read }: Records<Content>,
): Content[] {
  const names = [...files.keys()].filter((name) => name.startsWith(`${folder}/`)).toSorted();
  const contents: Content[] = [];
  let last = "";
  for (const name of names) {
    let number = 0;
    for (const line of linesOf(files.get(name) ?? Buffer.alloc(0), name)) {
      const place = `line ${++number} of ${name}`;
      const { content, id, at, ofPanel } = readLine(line, read, `The ${what} in ${place}`);
      const isRight = ofPanel === panelId && at >= window.from && at < window.to;
      if (!isRight) throw new Wrong("wrong_observation", `The ${what} in ${place} is of another panel or window.`);
      if (id <= last)
        throw new Wrong("wrong_observation", `The ${what} in ${place} is not where it belongs, or there twice.`);
      last = id;
      contents.push(content);
    }
  }
  return contents;
}

function readLine<Content>(line: string, read: Records<Content>["read"], name: string) {
  try {
    const record = JSON.parse(line) as { cell: { panelId: string | null } };
    const { content, id, at } = read(record);
    if (typeof id !== "string" || typeof at !== "string") throw new TypeError(name);
    return { content, id, at, ofPanel: record.cell.panelId };
  } catch {
    throw new Wrong("unreadable_file", `${name} can't be read.`);
  }
}

/** Each revision's text has the digest that the report states, and its seal is the one that the report states. */
function verifyRevisions(revisions: unknown, facts: ReportFacts, trusted: readonly PublicKey[] | null): void {
  if (!Array.isArray(revisions) || revisions.length !== facts.revisions.length)
    throw new Wrong("wrong_seal", "The revisions in revisions.json are not those of the report.");
  for (const [index, stated] of facts.revisions.entries()) {
    const { content, seal } = revisions[index] as {
      content?: unknown;
      seal?: { seal: string; signature: string } | null;
    };
    const digest = `sha256:${createHash("sha256").update(String(content)).digest("hex")}`;
    const name = `revision ${stated.revision} of the panel`;
    if (digest !== stated.digest)
      throw new Wrong("wrong_seal", `What ${name} asks does not have the digest that the report states.`);
    if (stated.seal === null) continue;
    const sealed = seal === null || seal === undefined ? null : verifyPanelSeal(seal, trusted);
    const isRight =
      sealed !== null &&
      sealed.panelId === facts.panel.panelId &&
      sealed.revision === stated.revision &&
      sealed.digest === digest &&
      sealed.sealedAt === stated.seal.sealedAt &&
      sealed.runsBefore === stated.seal.runsBefore &&
      sealed.key.kid === stated.seal.kid;
    if (!isRight)
      throw new Wrong(
        "wrong_seal",
        `The seal of ${name} is not what the report states, or not signed with a trusted key.`,
      );
  }
}

/** It may be right all the same: only the version that made it can tell. */
function otherDefinitions(written: unknown): Wrong {
  const version = printable(String((written as Partial<Report> | null)?.service?.version));
  const sentence = `The report was made with other definitions of its figures than this version has. Verify it with Querent ${version}.`;
  return new Wrong("other_definitions", sentence);
}
