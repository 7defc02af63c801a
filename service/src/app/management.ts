import type { FastifyInstance } from "fastify";
import { createManagementServer } from "../http/index.ts";
import type { RunningService } from "./compose.ts";
import type { Config } from "./config.ts";
import { listen } from "./listen.ts";
import { version } from "./version.ts";

/**
 * The management port of a process, whatever its roles: opened before the database, and closed last, so that the process is alive to its
 * supervisor while it migrates and while it drains.
 */
export class Management {
  readonly #server: FastifyInstance;
  #service: RunningService | null = null;
  #stopping = false;
  #address: { readonly port: number; readonly url: string } | null = null;

  constructor() {
    this.#server = createManagementServer({
      version,
      notStarted: () => (this.#service === null ? starting : null),
      notReady: async () => {
        if (this.#stopping) return ["The service is shutting down."];
        return this.#service === null ? [starting] : this.#service.notReady();
      },
      metrics: async () => this.#service?.metrics() ?? null,
    });
  }

  /** Where it listens; null if it is not configured. */
  get address(): { readonly port: number; readonly url: string } | null {
    return this.#address;
  }

  async open({ managementHost: host, managementPort: port }: Config): Promise<void> {
    if (port === null) return;
    const names = { host: "QUERENT_MANAGEMENT_HOST", port: "QUERENT_MANAGEMENT_PORT" };
    this.#address = await listen(this.#server, { host, port }, names);
  }

  /** The service has started: from now on its readiness is reported. */
  started(service: RunningService): void {
    this.#service = service;
  }

  /** The service drains: it is no longer ready. */
  stopping(): void {
    this.#stopping = true;
  }

  close(): Promise<void> {
    return this.#server.close();
  }
}

const starting = "The service is starting: it opens and migrates the database, and then starts its roles.";
