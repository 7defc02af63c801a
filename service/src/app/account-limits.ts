/** The limits that accounts share in one process: how many requests of each kind may run concurrently. */
import { AccountSemaphore } from "../api/account-semaphore.ts";
import type { Config } from "./config.ts";
import { readFileSync } from "node:fs";

export interface RequestLimits {
  readonly largeBodies: AccountSemaphore;
  readonly lists: AccountSemaphore;
  readonly free: AccountSemaphore;
  readonly streams: AccountSemaphore;
  readonly waits: AccountSemaphore;
  readonly exports: AccountSemaphore;
  readonly searches: AccountSemaphore;
  readonly sites: AccountSemaphore;
}

/** How long a request waits before it is refused, and how many of one account may wait. */
const queued = { waitMs: 10_000, waitingMax: 100 };
const refusedAtOnce = { waitMs: 0, waitingMax: 0 };

export function accountLimits(config: Config): RequestLimits {
  const connectionsMax = connectionsFor(config.connectionsMax);
  return {
    largeBodies: new AccountSemaphore({
      what: "large bodies",
      perAccount: config.largeBodiesPerAccount,
      // Each is up to 16 MiB, and takes the same again while it is parsed.
      inAll: Math.max(32, config.largeBodiesPerAccount),
      ...queued,
    }),
    lists: new AccountSemaphore({
      what: "requests for lists",
      perAccount: config.listsPerAccount,
      // Each uses a database connection while it reads: some are left for everything else.
      inAll: Math.max(config.listsPerAccount, Math.floor(config.databaseConnections * 0.6)),
      reserved: 1,
      ...queued,
    }),
    // Each may take a connection, and the main thread for as long as it takes to read its body.
    free: new AccountSemaphore({
      what: "requests that cost no points and store, delete or compute something",
      perAccount: 2,
      inAll: Math.max(4, Math.floor(config.databaseConnections * 0.4)),
      ...queued,
    }),
    streams: new AccountSemaphore({
      what: "event streams",
      perAccount: config.streamsPerAccount,
      inAll: Math.floor((connectionsMax * 3) / 4),
      ...refusedAtOnce,
      retryAfterSeconds: 10,
    }),
    waits: new AccountSemaphore({
      what: "requests that wait",
      perAccount: config.waitsPerAccount,
      inAll: Math.floor(connectionsMax / 8),
      ...refusedAtOnce,
    }),
    exports: new AccountSemaphore({ what: "exports", perAccount: 4, inAll: 64, ...queued }),
    // Each holds a text of up to a megabyte, or the answers of a page.
    searches: new AccountSemaphore({ what: "searches for entities", perAccount: 2, inAll: 16, ...queued }),
    // Each reads pages of a stranger's server for up to 45 seconds, and holds what is taken from them.
    sites: new AccountSemaphore({ what: "sites that are read", perAccount: 1, inAll: 8, ...queued }),
  };
}

/** Descriptors for the database, deliveries, platforms and files. */
const reservedDescriptors = 300;
const connectionsMin = 16;

/** How many connections to the API a process accepts: few enough to leave descriptors for everything else. */
export function connectionsFor(configured: number | null, descriptorsMax = readDescriptorsMax()): number {
  return configured ?? Math.max(connectionsMin, Math.floor((descriptorsMax * 3) / 4) - reservedDescriptors);
}

/** The maximum of open files and sockets of this process. */
function readDescriptorsMax(): number {
  try {
    const soft = /^Max open files\s+(\d+|unlimited)/m.exec(readFileSync("/proc/self/limits", "utf8"))?.[1];
    if (soft !== undefined) return soft === "unlimited" ? 1_000_000 : Number(soft);
  } catch {
    // Not Linux.
  }
  // The actual maximum on macOS, regardless of its limit.
  return 10_240;
}
