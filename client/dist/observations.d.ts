import type { CallOptions, Transport } from "./transport.ts";
import type { ImportRecord, ObservationPage, ObservationRecord, SourceCounts } from "./wire.ts";
/** Selects observations. All given members must match. */
export interface ObservationFilters {
  readonly panelId?: string;
  readonly runId?: string;
  readonly batchId?: string;
  readonly taskId?: string;
  readonly importId?: string;
  readonly platformCode?: string;
  readonly locale?: string;
  readonly persona?: string;
  readonly promptId?: string;
  readonly tag?: string;
  readonly clientReference?: string;
  readonly entityId?: string;
  /** Answers that cite this domain. */
  readonly domain?: string;
  readonly observedFrom?: string;
  readonly observedBefore?: string;
}
/** What remains of answers after their results have expired. */
export declare class Observations {
  #private;
  constructor(transport: Transport);
  /** Iterates over observations, newest first. */
  list(
    filters?: ObservationFilters & {
      readonly limit?: number;
    },
    options?: CallOptions,
  ): AsyncGenerator<ObservationRecord, void, void>;
  /** Returns one page of observations. */
  page(
    filters?: ObservationFilters & {
      readonly limit?: number;
      readonly cursor?: string;
    },
    options?: CallOptions,
  ): Promise<ObservationPage>;
  /** Counts the domains that answers cite, or their addresses. Default window: the last 28 days. */
  sources(
    filters?: ObservationFilters & {
      readonly by?: "domain" | "address";
      readonly limit?: number;
    },
    options?: CallOptions,
  ): Promise<SourceCounts>;
  /** Deletes the observations of the selection. Returns their number. */
  delete(filters: ObservationFilters, options?: CallOptions): Promise<number>;
}
export interface ImportOptions extends CallOptions {
  /** Identifies the import: lines that were sent under this name are skipped. */
  readonly name: string;
  readonly format?: ImportRecord["format"];
  /** Lines per request, up to 2,000. */
  readonly chunk?: number;
}
/** Answers from elsewhere. */
export declare class Imports {
  #private;
  constructor(transport: Transport);
  get(importId: string, options?: CallOptions): Promise<ImportRecord>;
  /** Iterates over imports, newest first. */
  list(
    filters?: {
      readonly name?: string;
    },
    options?: CallOptions,
  ): AsyncGenerator<ImportRecord, void, void>;
  /**
   * Sends lines in parts, each of which is imported as a whole or not at all, and yields the state after each. Lines that an earlier
   * call with the same name has sent are skipped. Sending an answer twice has no effect.
   */
  send(
    lines: AsyncIterable<string> | Iterable<string>,
    { name, format, chunk, ...options }: ImportOptions,
  ): AsyncGenerator<ImportRecord, void, void>;
}
