import type pg from "pg";
import { backoffMs } from "../runtime/backoff.ts";
import type { Database } from "./pool.ts";

/** The delay before it reconnects, each time that the connection was lost or could not be made. */
const reconnectBackoff = { firstMs: 500, maxMs: 2000 };

/**
 * Listens on channels of the database and calls back with each payload. Payloads are lost while the connection is down, so
 * listeners also poll. Reconnects automatically.
 */
export class Listener {
  readonly #database: Database;
  readonly #channels: Readonly<Record<string, (payload: string) => void>>;
  #client: pg.Client | null = null;
  #retry: NodeJS.Timeout | null = null;
  #losses = 0;
  #stopped = false;

  constructor(database: Database, channels: Readonly<Record<string, (payload: string) => void>>) {
    this.#database = database;
    this.#channels = channels;
  }

  async start(): Promise<void> {
    try {
      const client = await this.#database.connect();
      if (this.#stopped) {
        await client.end();
        return;
      }
      this.#client = client;
      client.on("notification", ({ channel, payload }) => this.#channels[channel]?.(payload ?? ""));
      client.on("error", () => this.#lost(client));
      client.on("end", () => this.#lost(client));
      for (const channel of Object.keys(this.#channels)) await client.query(`listen ${channel}`);
      this.#losses = 0;
    } catch {
      this.#lost(this.#client);
    }
  }

  async stop(): Promise<void> {
    this.#stopped = true;
    if (this.#retry !== null) clearTimeout(this.#retry);
    const client = this.#client;
    this.#client = null;
    await client?.end().catch(() => {});
  }

  #lost(client: pg.Client | null): void {
    if (client !== this.#client) return;
    this.#client = null;
    void client?.end().catch(() => {});
    if (this.#stopped || this.#retry !== null) return;
    this.#retry = setTimeout(
      () => {
        this.#retry = null;
        void this.start();
      },
      backoffMs(++this.#losses, reconnectBackoff),
    );
  }
}
