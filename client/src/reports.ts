import type { CallOptions, Transport } from "./transport.ts";
import type {
  PanelReport,
  PanelSeal,
  ReportSchedule,
  ReportScheduleRequest,
  ReportSchedules,
  ReportShare,
  ReportShareRequest,
  ReportShares,
  SentReport,
  SentReports,
} from "./wire.ts";

/** The window of a report. Default: the last 28 days, or the last seven runs if they began earlier. */
export interface ReportWindow {
  readonly from?: string;
  readonly to?: string;
}

export interface ReportFileLook extends Pick<ReportShareRequest, "language"> {
  readonly paper?: "a4" | "letter" | undefined;
  readonly clientName?: string | undefined;
}

export type ReportFileFormat = keyof typeof mediaTypes;
const mediaTypes = { html: "text/html", pdf: "application/pdf", zip: "application/zip" } as const;
const printTimeoutMs = 150_000;

/** Reports of panels, which anyone can compute again. */
export class Reports {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Signs what the panel's current revision asks, once. Before its first run, it proves that no answer was known. */
  async seal(panelId: string, options: CallOptions = {}): Promise<PanelSeal> {
    const call = { ...options, method: "POST", path: `${pathOf(panelId)}/seal`, repeat: "always" } as const;
    return (await this.#transport.json<PanelSeal>(call)).body;
  }

  async get(panelId: string, { from, to, ...options }: CallOptions & ReportWindow = {}): Promise<PanelReport> {
    const path = `${pathOf(panelId)}/report`;
    const call = { ...options, method: "GET", path, query: { from, to }, repeat: "always" } as const;
    return (await this.#transport.json<PanelReport>(call)).body;
  }

  /**
   * The report as a page that stands alone, as a PDF that the service prints, or as a signed zip file that `querent verify` computes again.
   * `paper` (default: `a4`) and `clientName`, which stands at the top of each page, are of a PDF alone.
   */
  async file(
    panelId: string,
    format: ReportFileFormat,
    { from, to, language, paper, clientName, ...options }: CallOptions & ReportWindow & ReportFileLook = {},
  ): Promise<Uint8Array<ArrayBuffer>> {
    const query = { from, to, language, paper, clientName, format };
    // Printing waits for a place in the browser.
    const timeoutMs = format === "pdf" ? printTimeoutMs : undefined;
    const path = `${pathOf(panelId)}/report`;
    const call = { timeoutMs, ...options, method: "GET", path, query, repeat: "always" } as const;
    return this.#transport.bytes(call, mediaTypes[format]);
  }

  /** A link that opens the report's page as it is now. Not retried if there is no response, because a second link would be made. */
  async share(panelId: string, request: ReportShareRequest = {}, options: CallOptions = {}): Promise<ReportShare> {
    const { body } = await this.#transport.json<ReportShare>({
      ...options,
      method: "POST",
      path: sharesOf(panelId),
      body: JSON.stringify(request),
      repeat: "refused",
    });
    return body;
  }

  /** The links that work, newest first. */
  async shares(panelId: string, options: CallOptions = {}): Promise<ReportShare[]> {
    const call = { ...options, method: "GET", path: sharesOf(panelId), repeat: "always" } as const;
    return (await this.#transport.json<ReportShares>(call)).body.shares;
  }

  /** Sets, changes or removes (null) the password of a link. Whoever has opened it has to enter the new one. */
  async setSharePassword(
    panelId: string,
    shareId: string,
    password: string | null,
    options: CallOptions = {},
  ): Promise<ReportShare> {
    const path = `${sharesOf(panelId)}/${encodeURIComponent(shareId)}/password`;
    const call = { ...options, method: "PUT", path, body: JSON.stringify({ password }), repeat: "always" } as const;
    return (await this.#transport.json<ReportShare>(call)).body;
  }

  async revokeShare(panelId: string, shareId: string, options: CallOptions = {}): Promise<void> {
    const path = `${sharesOf(panelId)}/${encodeURIComponent(shareId)}`;
    await this.#transport.empty({ ...options, method: "DELETE", path, repeat: "refused" });
  }

  /** Who gets the reports of the panel by mail, when and as what; and whether mail can be sent. */
  async schedules(panelId: string, options: CallOptions = {}): Promise<ReportSchedules> {
    const call = { ...options, method: "GET", path: schedulesOf(panelId), repeat: "always" } as const;
    return (await this.#transport.json<ReportSchedules>(call)).body;
  }

  /** Not retried if there is no response, because recipients would get every report twice. */
  async createSchedule(
    panelId: string,
    request: ReportScheduleRequest,
    options: CallOptions = {},
  ): Promise<ReportSchedule> {
    const body = JSON.stringify(request);
    const call = { ...options, method: "POST", path: schedulesOf(panelId), body, repeat: "refused" } as const;
    return (await this.#transport.json<ReportSchedule>(call)).body;
  }

  async putSchedule(
    panelId: string,
    scheduleId: string,
    request: ReportScheduleRequest,
    options: CallOptions = {},
  ): Promise<ReportSchedule> {
    const path = scheduleOf(panelId, scheduleId);
    const call = { ...options, method: "PUT", path, body: JSON.stringify(request), repeat: "always" } as const;
    return (await this.#transport.json<ReportSchedule>(call)).body;
  }

  async deleteSchedule(panelId: string, scheduleId: string, options: CallOptions = {}): Promise<void> {
    const path = scheduleOf(panelId, scheduleId);
    await this.#transport.empty({ ...options, method: "DELETE", path, repeat: "refused" });
  }

  /** Sends the report of a schedule now. Not retried if there is no response, because it would be sent twice. */
  async sendNow(panelId: string, scheduleId: string, options: CallOptions = {}): Promise<SentReport> {
    const path = `${scheduleOf(panelId, scheduleId)}/sending`;
    return (await this.#transport.json<SentReport>({ ...options, method: "POST", path, repeat: "refused" })).body;
  }

  /** The reports that were sent, newest first, with what became of each mail. */
  async sent(panelId: string, options: CallOptions = {}): Promise<SentReport[]> {
    const call = { ...options, method: "GET", path: `${pathOf(panelId)}/report/sent`, repeat: "always" } as const;
    return (await this.#transport.json<SentReports>(call)).body.reports;
  }
}

const pathOf = (panelId: string) => `/v1/panels/${encodeURIComponent(panelId)}`;
const schedulesOf = (panelId: string) => `${pathOf(panelId)}/report/schedules`;
const scheduleOf = (panelId: string, scheduleId: string) => `${schedulesOf(panelId)}/${encodeURIComponent(scheduleId)}`;
const sharesOf = (panelId: string) => `${pathOf(panelId)}/report/shares`;
