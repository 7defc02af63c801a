import { Readable } from "node:stream";
import { api, figureAnswersMax, reportZipAnswersMax } from "@querent/contract";
import type { AccountSemaphore } from "../../api/account-semaphore.ts";
import { ProblemError } from "../../api/problem-error.ts";
import { route, type Route, type RouteReply } from "../../api/route.ts";
import type { Database } from "../../db/index.ts";
import { readAnswers } from "../figures/read-answers.ts";
import { windowOf } from "../figures/window.ts";
import { computeReport } from "./compute-report.ts";
import { readFacts, type ReportDeps, type ReportInput, type ReportSources } from "./read-facts.ts";
import { readSeal, sealPanel, type Signing } from "./seal-panel.ts";
import { writeReport } from "./write-report.ts";

export interface ReportRoutesDeps extends ReportDeps {
  readonly database: Database;
  readonly signing: Signing;
  /** Limits reports that are being made: each has its answers in memory. */
  readonly exports: AccountSemaphore;
  /** Called if a report can't be completed while it is being sent: the client gets an incomplete zip, which verification rejects. */
  readonly onFault: (error: unknown) => void;
}

export function reportRoutes(deps: ReportRoutesDeps): Route[] {
  return [...seals(deps), report(deps)];
}

const noSuchPanel = () => new ProblemError("not_found", "There is no such panel.");

function seals({ database, signing }: ReportRoutesDeps): Route[] {
  return [
    route(api.sealPanel, async ({ caller: { accountId }, params }) => {
      const seal = await sealPanel(database, signing, { accountId, panelId: params.panel_id });
      if (seal === null) throw noSuchPanel();
      return { status: 200, body: seal };
    }),

    route(api.getPanelSeal, async ({ caller: { accountId }, params, query }) => {
      const seal = await readSeal(database, { accountId, panelId: params.panel_id, revision: query.revision });
      if (seal === null) throw new ProblemError("not_found", "There is no such panel, or this revision is not sealed.");
      return { status: 200, body: seal };
    }),
  ];
}

function report(deps: ReportRoutesDeps): Route {
  return route(api.getPanelReport, async ({ caller: { accountId }, params, query, signal }) => {
    const { from, to, format = "json" } = query;
    const window = await windowOf(deps.database, { from, to });
    const input = { accountId, panelId: params.panel_id, window };
    const release = await deps.exports.acquire(accountId, signal);
    try {
      const sources = await readFacts(deps, input);
      if (sources === null) throw noSuchPanel();
      if (format === "zip") return await zipReply(deps, input, sources, { signal, release });
      const made = await computeReport(sources.facts, await answersOf(deps, input, sources, figureAnswersMax));
      release();
      return { status: 200, body: made };
    } catch (error) {
      release();
      throw error;
    }
  });
}

async function zipReply(
  { database, signing, onFault }: ReportRoutesDeps,
  input: ReportInput,
  sources: ReportSources,
  { signal, release }: { readonly signal: AbortSignal; readonly release: () => void },
): Promise<RouteReply> {
  requireAtMost(sources, reportZipAnswersMax);
  const body = Readable.from(await writeReport(database, signing, input, sources));
  body.once("close", release);
  body.on("error", (error) => {
    if (!signal.aborted) onFault(error);
  });
  // The client may have disconnected while the request was queued.
  if (signal.aborted) body.destroy();
  return {
    status: 200,
    headers: {
      "content-type": "application/zip",
      "content-disposition": `attachment; filename="report-${input.panelId}.zip"`,
      "cache-control": "private, no-store",
    },
    body,
  };
}

function answersOf(
  { database }: ReportRoutesDeps,
  { accountId, panelId, window }: ReportInput,
  sources: ReportSources,
  most: number,
) {
  requireAtMost(sources, most);
  return readAnswers(database, accountId, { panelId, ...window });
}

function requireAtMost({ answers }: ReportSources, most: number): void {
  if (answers <= most) return;
  const detail = `The window has ${answers.toLocaleString("en")} answers, and such a report has ${most.toLocaleString("en")} at most. Choose a shorter one.`;
  throw new ProblemError("validation_failed", detail, {
    errors: [{ pointer: "?from", code: "out_of_range", detail: "Choose a shorter window." }],
  });
}
