import { api, reportZipAnswersMax, type ReportLanguage } from "@querent/contract";
import { ProblemError } from "../../api/problem-error.ts";
import { route, type Route, type RouteReply } from "../../api/route.ts";
import { AccountSemaphore } from "../../api/account-semaphore.ts";
import { readPublicToken } from "../../artifacts/index.ts";
import { readsUntil, type Database } from "../../db/index.ts";
import { memoryForAnswers, sent, type Computer } from "../../computing/computer.ts";
import { jsonHeaders } from "../figures/routes.ts";
import { windowOf } from "../figures/requests.ts";
import { printed, readyToPrint, reportOf, requireAtMost, sheetOf, type Printer } from "./make-report.ts";
import { readFacts, type ReportDeps, type ReportInput, type ReportSources } from "./read-facts.ts";
import { readSeal, sealPanel, type ReadSigningKey } from "./seal-panel.ts";
import { LinkLocks, passwordRequired, type LockedLink } from "./link-lock.ts";
import { passwordPage, type PasswordRefusal } from "./password-page.ts";
import { findShare, insertShare, listShares, readSharedPage, revokeShare, setSharePassword } from "./shares.ts";
import { readerLanguage, smallPageHeaders } from "../small-page.ts";
import { hashPassword, requireGoodPassword } from "../../api/password.ts";
import { negotiate } from "../../api/negotiate.ts";
import { writeReport } from "./write-report.ts";

interface ReportRoutesDeps extends ReportDeps {
  readonly database: Database;
  readonly signing: ReadSigningKey;
  readonly computer: Computer;
  /** The URL under which clients reach the service; null if it is not known. */
  readonly publicBase: () => string | null;
  /** Makes public URLs, with this key; null if the service does not know its own. */
  readonly addresses: () => ((purpose: "report", shareId: string) => string) | null;
  readonly addressKey: Buffer;
  readonly printing: Printer;
  /** Called if a report can't be completed while it is being sent: the client gets an incomplete zip, which verification rejects. */
  readonly onFault: (error: unknown) => void;
}

export function reportRoutes(deps: ReportRoutesDeps): Route[] {
  return [...seals(deps), report(deps), ...shares(deps)];
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
  const printing = new AccountSemaphore({
    what: "reports that are printed",
    perAccount: 1,
    inAll: printedAtOnce,
    waitMs: 60_000,
    waitingMax: 20,
    retryAfterSeconds: 10,
  });
  return route(api.getPanelReport, async ({ caller: { accountId, scopes }, params, query, signal }) => {
    const { from, to, format = "json" } = query;
    // It has every answer, with the points that it cost.
    if (format === "zip" && !scopes.includes("panels:read"))
      throw new ProblemError(
        "scope_missing",
        "A report as a zip needs the scope `panels:read`. Choose the format `html`, `pdf` or `json`.",
      );
    const { print } = format === "pdf" ? readyToPrint(deps.printing) : { print: null };
    if (print === null) requireNone(query, ["paper", "clientName"]);
    const window = await windowOf(deps.database, { accountId, panelId: params.panel_id }, { from, to });
    const input = { accountId, panelId: params.panel_id, window };
    const sources = await deps.computer.prepare({ accountId, signal }, () =>
      readFacts({ ...deps, database: readsUntil(deps.database, signal) }, input),
    );
    if (sources === null) throw noSuchPanel();
    if (format === "zip") return zipReply(deps, input, sources, signal);
    const page = { language: query.language, base: deps.publicBase() ?? "" };
    if (print !== null) {
      const release = await printing.acquire(accountId, signal);
      try {
        // It is given to others, who have no token for what links lead to, and need not know the service's address.
        const html = await deps.computer.compute(reportOf({ input, sources, page: { ...page, base: null }, signal }));
        const sheet = sheetOf(input, sources, { ...query, html });
        return { status: 200, headers: pdfHeaders(input), body: await printed({ print, sheet, accountId, signal }) };
      } finally {
        release();
      }
    }
    const made = reportOf({ input, sources, page: format === "html" ? page : null, signal });
    const body = await deps.computer.reply(made);
    return { status: 200, headers: format === "html" ? pageHeaders : jsonHeaders, body };
  });
}

/** Over all accounts: each takes a page of the browser, which tasks use as well. */
const printedAtOnce = 2;
function requireNone(query: Readonly<Record<string, unknown>>, names: readonly string[]): void {
  const given = names.filter((name) => query[name] !== undefined);
  if (given.length === 0) return;
  const detail = "Only a report with `format=pdf` has it.";
  throw new ProblemError("validation_failed", `${given.map((name) => `\`${name}\``).join(", ")}: ${detail}`, {
    errors: given.map((name) => ({ pointer: `?${name}`, code: "not_allowed", detail })),
  });
}

const pdfHeaders = ({ panelId }: ReportInput) => ({
  "content-type": "application/pdf",
  "content-disposition": `attachment; filename="report-${panelId}.pdf"`,
  "cache-control": "private, no-store",
});

async function zipReply(
  { database, computer, signing, onFault }: ReportRoutesDeps,
  input: ReportInput,
  sources: ReportSources,
  signal: AbortSignal,
): Promise<RouteReply> {
  requireAtMost(sources, reportZipAnswersMax);
  const { accountId } = input;
  const turn = await computer.takeTurn({ accountId, memoryMiB: () => memoryForAnswers(sources.answers), signal });
  try {
    const over = new AbortController();
    const within = AbortSignal.any([signal, over.signal]);
    const zip = await writeReport(readsUntil(database, within), signing, input, { sources, turn, signal: within });
    const body = sent(zip, {
      signal,
      onClose: () => {
        over.abort();
        turn.release();
      },
    });
    body.on("error", (error) => {
      if (!signal.aborted) onFault(error);
    });
    return {
      status: 200,
      headers: {
        "content-type": "application/zip",
        "content-disposition": `attachment; filename="report-${input.panelId}.zip"`,
        "cache-control": "private, no-store",
      },
      body,
    };
  } catch (error) {
    turn.release();
    throw error;
  }
}

function shares(deps: ReportRoutesDeps): Route[] {
  const { database, addresses } = deps;
  const urlOf = (shareId: string) => addresses()?.("report", shareId) ?? null;
  const locks = new LinkLocks(deps.addressKey);
  /** Of the link as browsers know it, which decides its cookie. */
  const placeOf = (shareId: string, token: string) => new URL(urlOf(shareId) ?? `http://querent.invalid/r/${token}`);
  const find = async (token: string) => {
    const shareId = readPublicToken(deps.addressKey, "report", token);
    if (shareId === null) throw new ProblemError("not_found", "There is nothing at this address.");
    const share = await findShare(database, shareId);
    // The URL was issued here, so the report was shared.
    if (share === null) throw gone();
    return { ...share, shareId };
  };
  const shared = async (shareId: string, lock: LockedLink | null): Promise<RouteReply> => {
    const page = await readSharedPage(database, shareId, lock);
    if (page === null) throw gone();
    return { status: 200, headers: { ...pageHeaders, "x-robots-tag": "noindex, nofollow, noarchive" }, body: page };
  };
  return [
    route(api.shareReport, async ({ caller: { accountId }, params, body, signal }) => {
      const { from, to, language = "en", days = 30, password = null } = body;
      const panel = { accountId, panelId: params.panel_id };
      const input = { ...panel, window: await windowOf(database, panel, { from, to }) };
      const sources = await deps.computer.prepare({ accountId, signal }, () =>
        readFacts({ ...deps, database: readsUntil(database, signal) }, input),
      );
      if (sources === null) throw noSuchPanel();
      if (password !== null) await requireGoodPassword("/password", password, [sources.facts.panel.name]);
      const page = await deps.computer.compute(reportOf({ input, sources, page: { language, base: null }, signal }));
      const passwordHash = password === null ? null : await hashPassword(password);
      const stored = { ...input, days, page: Buffer.concat(page).toString(), language, passwordHash };
      const share = await database.transaction((tx) => insertShare(tx, stored));
      return { status: 201, body: { ...share, url: urlOf(share.shareId) } };
    }),

    route(api.listReportShares, async ({ caller: { accountId }, params }) => {
      const listed = await listShares(database, accountId, params.panel_id);
      if (listed === null) throw noSuchPanel();
      return { status: 200, body: { shares: listed.map((share) => ({ ...share, url: urlOf(share.shareId) })) } };
    }),

    route(api.revokeReportShare, async ({ caller: { accountId }, params }) => {
      const isRevoked = await revokeShare(database, accountId, { panelId: params.panel_id, shareId: params.share_id });
      if (!isRevoked) throw new ProblemError("not_found", "There is no such link.");
      return { status: 204 };
    }),

    route(api.putReportSharePassword, async ({ caller: { accountId }, params, body: { password } }) => {
      const of = { panelId: params.panel_id, shareId: params.share_id };
      if (password !== null) await requireGoodPassword("/password", password, []);
      const passwordHash = password === null ? null : await hashPassword(password);
      const share = await setSharePassword(database, accountId, { ...of, passwordHash });
      if (share === null) throw new ProblemError("not_found", "There is no such link, or it has expired.");
      return { status: 200, body: { ...share, url: urlOf(share.shareId) } };
    }),

    route(api.getSharedReport, async ({ params, headers, address }) => {
      const { shareId, lock, language } = await find(params.token);
      if (lock !== null && !locks.hasCookie(lock, placeOf(shareId, params.token), headers["cookie"])) {
        const opens = await locks.opensTo(lock, headers["authorization"], address);
        if (opens !== true) return asking(headers, { language, refused: opens === false ? "wrong" : null });
      }
      return shared(shareId, lock);
    }),

    route(api.openSharedReport, async ({ params, headers, address, body: { password } }) => {
      const { shareId, lock, language } = await find(params.token);
      const place = placeOf(shareId, params.token);
      const seeOther = { status: 303, headers: { location: place.pathname, "cache-control": "no-store" } };
      if (lock === null) return shared(shareId, null);
      try {
        if (!(await locks.opens(lock, password, address))) return asking(headers, { language, refused: "wrong" });
      } catch (error) {
        if (!(error instanceof ProblemError) || error.code !== "rate_limited" || !wantsPage(headers["accept"]))
          throw error;
        const retryAfter = error.headers["retry-after"] ?? "60";
        const page = passwordPage(language ?? readerLanguage(headers["accept-language"]), {
          minutes: Math.ceil(Number(retryAfter) / 60),
        });
        return { status: 429, headers: { ...smallPageHeaders, "retry-after": retryAfter }, body: page };
      }
      return { ...seeOther, headers: { ...seeOther.headers, "set-cookie": locks.cookie(lock, place) } };
    }),
  ];
}

const gone = () => new ProblemError("gone", "The link has expired, or was revoked.");

const wantsPage = (accept: string | undefined) =>
  negotiate(accept, ["application/problem+json", "text/html"]) === "text/html";

/** Asks for the password of a link: people with a page, and programs with a problem. */
function asking(
  headers: Readonly<Record<string, string | undefined>>,
  { language, refused }: { readonly language: ReportLanguage | null; readonly refused: PasswordRefusal | null },
): RouteReply {
  if (!wantsPage(headers["accept"]))
    throw passwordRequired(
      refused === null
        ? "The link has a password. Send it with `Authorization: Basic`, with any user name."
        : "This is not the password of the link. Ask whoever sent it.",
    );
  const page = passwordPage(language ?? readerLanguage(headers["accept-language"]), refused);
  return { status: 403, headers: smallPageHeaders, body: page };
}

/** In addition to the page's own policy: no frames, and a sandbox, so that the page does not share the API's origin. */
const pageHeaders = {
  "content-type": "text/html; charset=utf-8",
  "cache-control": "private, no-store",
  "content-security-policy":
    "default-src 'none'; style-src 'unsafe-inline'; img-src data:; base-uri 'none'; form-action 'none'; frame-ancestors 'none'; sandbox allow-popups allow-popups-to-escape-sandbox",
  "cross-origin-opener-policy": "same-origin",
} as const;
