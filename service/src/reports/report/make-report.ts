/** How a report is computed, and how it is printed: for whoever asks for one, and for those that are sent. */
import { figureAnswersMax } from "@querent/contract";
import { ProblemError } from "../../api/problem-error.ts";
import type { Print, PrintedPage } from "../../artifacts/index.ts";
import { memoryForAnswers, type Computation } from "../../computing/computer.ts";
import { answerPages } from "../../observations/answers/answer-pages.ts";
import { failurePages } from "../figures/read-failures.ts";
import type { ReportPage } from "./page/render-report.ts";
import { narrowReport, job, type ReportJobInput } from "./report-job.ts";
import { textsOf, type ReportInput, type ReportSources } from "./read-facts.ts";

/** Prints pages; why it can't, in a sentence for people, if this process has no browser. */
export type Printer = { readonly print: Print } | { readonly why: string };

const htmlBytesMax = 8 * 1024 * 1024;
const pdfBytesMax = 64 * 1024 * 1024;
/** From the time at which the browser has a place for it. */
const printMs = 90_000;

export function readyToPrint(printing: Printer): { readonly print: Print } {
  if ("print" in printing) return printing;
  throw notPrintable(printing.why);
}

const notPrintable = (why: string, cause?: unknown) =>
  new ProblemError("unavailable", `${why} \`format=html\` is the same report as a page, which any browser prints.`, {
    headers: { "retry-after": "60" },
    cause,
  });

export function sheetOf(
  { window }: ReportInput,
  { facts, looks }: ReportSources,
  {
    html,
    paper = "a4",
    clientName = looks.name ?? "",
  }: { html: readonly Buffer[]; paper?: PrintedPage["paper"]; clientName?: string },
): PrintedPage {
  const bytes = html.reduce((sum, { length }) => sum + length, 0);
  if (bytes > htmlBytesMax) throw tooLongToPrint();
  const { name } = facts.panel;
  const days = `${window.from.slice(0, 10)} – ${window.to.slice(0, 10)}`;
  return { html: Buffer.concat(html).toString(), paper, head: [name, clientName], foot: days };
}

const tooLongToPrint = (cause?: unknown) =>
  new ProblemError("validation_failed", `The report is too long to be printed. ${narrowReport.detail}`, {
    errors: [{ ...narrowReport, code: "out_of_range" }],
    cause,
  });

interface Printing {
  readonly print: Print;
  readonly sheet: PrintedPage;
  readonly accountId: string;
  readonly signal: AbortSignal;
}

export async function printed({ print, sheet, accountId, signal }: Printing): Promise<Buffer> {
  const late = new AbortController();
  let timer: NodeJS.Timeout | undefined;
  // Waiting for a place behind tasks and others is not the report's fault.
  const start = () => (timer ??= setTimeout(() => late.abort(tooLongToPrint()), printMs));
  const requester = {
    accountId,
    whileQueued: async <Turn>(turn: Promise<Turn>) => {
      clearTimeout(timer);
      timer = undefined;
      const got = await turn;
      start();
      return got;
    },
  };
  start();
  try {
    const pdf = await print(sheet, AbortSignal.any([signal, late.signal]), requester);
    if (pdf.length > pdfBytesMax) throw tooLongToPrint();
    return pdf;
  } catch (error) {
    if (error instanceof ProblemError || signal.aborted) throw error;
    if (error instanceof Error && error.name === "BrowserMissingError")
      throw notPrintable("The process that answers has no browser that works.", error);
    if (error instanceof Error && error.name === "BrowserLostError")
      throw notPrintable("The browser ended while it printed the report. Try again.", error);
    throw error;
  } finally {
    clearTimeout(timer);
  }
}

interface MadeReport {
  readonly input: ReportInput;
  readonly sources: ReportSources;
  /** How the report is written as a page; null for JSON. */
  readonly page: {
    readonly language?: ReportPage["language"] | undefined;
    readonly base: ReportPage["base"];
    readonly withSummary?: boolean;
  } | null;
  readonly signal: AbortSignal;
}

export function reportOf({
  input: { accountId, panelId, window },
  sources,
  page,
  signal,
}: MadeReport): Computation<ReportJobInput> {
  requireAtMost(sources, figureAnswersMax);
  const { facts } = sources;
  const selection = { panelId, ...window };
  return {
    accountId,
    job,
    input:
      page === null
        ? { as: "json", facts }
        : {
            as: "page",
            facts,
            page: { language: page.language ?? "en", texts: textsOf(sources), base: page.base, looks: sources.looks },
            withSummary: page.withSummary === true,
          },
    inputs: {
      failures: (db) => failurePages(db, accountId, selection, "all"),
      answers: (db) => answerPages(db, accountId, selection),
    },
    signal,
    narrow: narrowReport,
    memoryMiB: () => memoryForAnswers(sources.answers),
  };
}

export function requireAtMost({ answers }: ReportSources, most: number): void {
  if (answers <= most) return;
  const detail = `The window has ${answers.toLocaleString("en")} answers, and such a report has ${most.toLocaleString("en")} at most. Choose a shorter one.`;
  throw new ProblemError("validation_failed", detail, {
    errors: [{ pointer: "?from", code: "out_of_range", detail: "Choose a shorter window." }],
  });
}
