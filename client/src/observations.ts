import { InvalidRequestError } from "./errors.ts";
import { paged } from "./paged.ts";
import type { InProject } from "./projects.ts";
import type { CallOptions, Transport } from "./transport.ts";
import type {
  DeletedObservations,
  FailedTaskPage,
  FailedTaskRecord,
  ImportRecord,
  ObservationPage,
  ObservationRecord,
  ProblemItem,
  SourceCounts,
} from "./wire.ts";

/** Selects observations. All given members must match. */
export interface ObservationFilters extends InProject {
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

/** Selects failed tasks of panels. All given members must match. */
export interface FailedTaskFilters extends Omit<ObservationFilters, "importId" | "entityId" | "domain"> {
  readonly code?: FailedTaskRecord["code"];
}

/** What remains of answers after their results have expired. */
export class Observations {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Iterates over observations, newest first. */
  list(
    filters: ObservationFilters & { readonly limit?: number } = {},
    options: CallOptions = {},
  ): AsyncGenerator<ObservationRecord, void, void> {
    return paged(this.#transport, "/v1/observations", { ...filters }, options, "observations");
  }

  /** Returns one page of observations. */
  async page(
    filters: ObservationFilters & { readonly limit?: number; readonly cursor?: string } = {},
    options: CallOptions = {},
  ): Promise<ObservationPage> {
    const call = {
      ...options,
      method: "GET",
      path: "/v1/observations",
      query: { ...filters },
      repeat: "always",
    } as const;
    return (await this.#transport.json<ObservationPage>(call)).body;
  }

  /** Counts the domains that answers cite, or their addresses. Default window: the last 28 days. */
  async sources(
    filters: ObservationFilters & { readonly by?: "domain" | "address"; readonly limit?: number } = {},
    options: CallOptions = {},
  ): Promise<SourceCounts> {
    const call = { ...options, method: "GET", path: "/v1/sources", query: { ...filters }, repeat: "always" } as const;
    return (await this.#transport.json<SourceCounts>(call)).body;
  }

  /** Iterates over the tasks of panels that failed, newest first. */
  listFailures(
    filters: FailedTaskFilters & { readonly limit?: number } = {},
    options: CallOptions = {},
  ): AsyncGenerator<FailedTaskRecord, void, void> {
    return paged(this.#transport, "/v1/observations/failures", { ...filters }, options, "failures");
  }

  /** Returns one page of the tasks of panels that failed. */
  async failuresPage(
    filters: FailedTaskFilters & { readonly limit?: number; readonly cursor?: string } = {},
    options: CallOptions = {},
  ): Promise<FailedTaskPage> {
    const path = "/v1/observations/failures";
    const call = { ...options, method: "GET", path, query: { ...filters }, repeat: "always" } as const;
    return (await this.#transport.json<FailedTaskPage>(call)).body;
  }

  /** Deletes the observations and failed tasks of the selection. Returns the number of observations. */
  async delete(filters: ObservationFilters, options: CallOptions = {}): Promise<number> {
    const { body } = await this.#transport.json<DeletedObservations>({
      ...options,
      method: "DELETE",
      path: "/v1/observations",
      query: { ...filters },
      repeat: "always",
    });
    return body.deletedCount;
  }
}

export interface ImportOptions extends CallOptions {
  /** Identifies the import: lines that were sent under this name are skipped. */
  readonly name: string;
  readonly format?: ImportRecord["format"];
  /** The panel of the answers that name none. */
  readonly panelId?: string;
  /** The same by its name. If the account has no such panel, it is made of the questions. */
  readonly panel?: string;
  /** Lines per request, up to 2,000. */
  readonly chunk?: number;
  /**
   * Called with every error in lines that are not valid, whose pointers begin with the number of the line. Such lines are then left
   * out. Without it, they end the import with an error.
   */
  readonly onInvalid?: (errors: readonly ProblemItem[]) => void;
}

const chunkCharsMax = 4 * 1024 * 1024;

/** Answers from elsewhere. */
export class Imports {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  async get(importId: string, options: CallOptions = {}): Promise<ImportRecord> {
    const path = `/v1/imports/${encodeURIComponent(importId)}`;
    return (await this.#transport.json<ImportRecord>({ ...options, method: "GET", path, repeat: "always" })).body;
  }

  /** Iterates over imports, newest first. */
  list(filters: { readonly name?: string } = {}, options: CallOptions = {}): AsyncGenerator<ImportRecord, void, void> {
    return paged(this.#transport, "/v1/imports", { ...filters }, options, "imports");
  }

  /**
   * Sends lines in parts, each of which is imported as a whole or not at all, and yields the state after each. Lines that an earlier
   * call with the same name has sent are skipped. Sending an answer twice has no effect.
   */
  async *send(
    lines: AsyncIterable<string> | Iterable<string>,
    { name, format = "querent", panelId, panel, chunk = 1_000, onInvalid, ...options }: ImportOptions,
  ): AsyncGenerator<ImportRecord, void, void> {
    let nextLine = 1;
    for await (const known of this.list({ name }, options)) {
      nextLine = known.nextLine;
      yield known;
    }
    let part: string[] = [];
    let chars = 0;
    let number = 0;
    const send = async (): Promise<ImportRecord> => {
      const firstLine = number - part.length + 1;
      for (;;) {
        const call = {
          ...options,
          method: "POST",
          path: "/v1/imports",
          query: { name, format, firstLine, panelId, panel },
          headers: { "content-type": "application/x-ndjson" },
          body: part.join("\n"),
          repeat: "always",
        } as const;
        try {
          const { body } = await this.#transport.json<ImportRecord>(call);
          [part, chars] = [[], 0];
          return body;
        } catch (error) {
          if (onInvalid === undefined || !(error instanceof InvalidRequestError)) throw error;
          const invalid = linesOf(error.errors).map((line) => line - firstLine);
          if (invalid.length === 0 || invalid.some((index) => (part[index] ?? "").trim() === "")) throw error;
          onInvalid(error.errors);
          // A line of a blank is counted, and not read.
          for (const index of invalid) part[index] = " ";
        }
      }
    };
    for await (const line of lines) {
      // An empty line at the end of a part would not be counted.
      if (part.length > 0 && line !== "" && (part.length >= chunk || chars + line.length > chunkCharsMax))
        yield await send();
      if (++number < nextLine) continue;
      if (part.length === 0 && line === "") continue;
      part.push(line);
      chars += line.length;
    }
    if (part.length > 0) yield await send();
  }
}

/** The lines that the errors are about; none if one of them is not about a line. */
function linesOf(errors: readonly ProblemItem[]): readonly number[] {
  const lines = errors.map(({ pointer }) => Number(/^\/(\d+)(?:\/|$)/.exec(pointer)?.[1]));
  return lines.some(Number.isNaN) ? [] : [...new Set(lines)];
}
