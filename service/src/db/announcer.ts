/** NOTIFY accepts payloads below 8,000 bytes. */
const payloadBytesMax = 7_900;

interface Channel {
  isSending: boolean;
  /** What the next message names; "everything" if that is too much for one message; null: there is nothing to send. */
  pending: Set<string> | "everything" | null;
}

/**
 * Sends wake-ups to other processes by NOTIFY, outside any transaction. NOTIFY takes a lock of the whole server until its
 * transaction has been committed, flushed and replicated: inside the transactions that it announces, it makes them wait for each
 * other. Alone, it writes nothing that must be flushed.
 *
 * At most one message per channel is under way; what is announced meanwhile goes together into the next one. So there is never
 * more to send than one message names, however long the database is away. A message that can't be sent is dropped, because every
 * listener also polls.
 */
export class Announcer {
  readonly #send: (channel: string, payload: string) => Promise<unknown>;
  readonly #channels = new Map<string, Channel>();

  constructor(send: (channel: string, payload: string) => Promise<unknown>) {
    this.#send = send;
  }

  /** `names`: whom or what it concerns; none: everything. Returns immediately and never throws. */
  announce(channelName: string, names: readonly string[]): void {
    const channel = this.#channels.get(channelName) ?? { isSending: false, pending: null };
    this.#channels.set(channelName, channel);
    channel.pending = merged(channel.pending, names);
    if (!channel.isSending) void this.#sendAll(channelName, channel);
  }

  async #sendAll(channelName: string, channel: Channel): Promise<void> {
    channel.isSending = true;
    // What the same turn of the event loop announces goes together.
    await Promise.resolve();
    while (channel.pending !== null) {
      const payload = channel.pending === "everything" ? "" : [...channel.pending].join(",");
      channel.pending = null;
      // The database is away, which the statement that needs it reports.
      await this.#send(channelName, payload).catch(() => undefined);
    }
    channel.isSending = false;
  }
}

/** The names in a message; none: everything. */
export const readAnnounced = (payload: string): string[] => payload.split(",").filter((name) => name !== "");

function merged(pending: Channel["pending"], names: readonly string[]): Channel["pending"] {
  if (pending === "everything" || names.length === 0) return "everything";
  const all = new Set([...(pending ?? []), ...names]);
  const bytes = [...all].reduce((sum, name) => sum + Buffer.byteLength(name) + 1, 0);
  return bytes > payloadBytesMax ? "everything" : all;
}
