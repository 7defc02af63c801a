import { paged } from "./paged.ts";
import type { CallOptions, Transport } from "./transport.ts";
import type { AuditEntry, AuditPage } from "./wire.ts";

/** Selects entries of the audit log. All given members must match. */
export interface AuditFilters {
  readonly kind?: AuditEntry["kind"];
  /** An operation's id, or a command such as `querentd token create`. */
  readonly operation?: string;
  readonly actorId?: string;
  readonly targetId?: string;
  readonly from?: string;
  readonly to?: string;
  /** The log of the account, or that of the installation, for operators. */
  readonly of?: "account" | "installation";
}

/** Who changed what, and who read secrets and exports. */
export class Audit {
  readonly #transport: Transport;
  constructor(transport: Transport) {
    this.#transport = transport;
  }

  /** Iterates over entries, newest first. */
  list(
    filters: AuditFilters & { readonly limit?: number } = {},
    options: CallOptions = {},
  ): AsyncGenerator<AuditEntry, void, void> {
    return paged(this.#transport, "/v1/audit", { ...filters }, options, "entries");
  }

  async page(
    filters: AuditFilters & { readonly cursor?: string; readonly limit?: number } = {},
    options: CallOptions = {},
  ): Promise<AuditPage> {
    const call = { ...options, method: "GET", path: "/v1/audit", query: { ...filters }, repeat: "always" } as const;
    return (await this.#transport.json<AuditPage>(call)).body;
  }

  /** A file of all sealed entries, oldest first: CSV, JSON lines, or JSON lines with events of OCSF. `after`: a place in the chain. */
  async file(
    format: "csv" | "jsonl" | "ocsf",
    filters: AuditFilters & { readonly after?: number } = {},
    options: CallOptions = {},
  ): Promise<Uint8Array<ArrayBuffer>> {
    const query = { ...filters, ...(format === "ocsf" ? { ocsf: "true" } : {}) };
    const call = { ...options, method: "GET", path: "/v1/audit", query, repeat: "always" } as const;
    return this.#transport.bytes(call, format === "csv" ? "text/csv" : "application/x-ndjson");
  }
}
