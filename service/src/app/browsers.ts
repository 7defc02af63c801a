import { networkInterfaces } from "node:os";
import { BrowserPool, findBrowsers, type BrowserEvent, type BrowserSettings } from "../browser/index.ts";
import type { Config } from "./config.ts";

export function browserSettings(config: Config): BrowserSettings {
  return {
    endpoints: config.browserEndpoints,
    path: config.browserPath,
    cacheDir: config.dataDir,
    contextsMax: config.browserContexts,
    egressAllow: config.browserEgressAllow,
    proxyHost: config.browserProxyHost,
  };
}

/** Why no browser can be used, in a sentence for the operator; null when one is there. Starts nothing: whether it runs is not known. */
export async function whyNoBrowser(config: Config): Promise<string | null> {
  const { endpoints, programs, passedOver } = await findBrowsers(browserSettings(config));
  if (endpoints.length > 0 || programs.length > 0) return null;
  return `There is no browser. ${passedOver.map(({ what, why }) => `${what}: ${why}`).join("; ")}.`;
}

/** The pool of this process. `ownPort` tells the API's, once it is known. */
export function createBrowserPool(
  config: Config,
  options: {
    onEvent: (event: BrowserEvent) => void;
    onUsable?: (why: string | null) => void;
    ownPort?: () => number | null;
    headed?: boolean;
  },
): BrowserPool {
  const databasePort = portOf(config.databaseUrl);
  return new BrowserPool({
    settings: browserSettings(config),
    onEvent: options.onEvent,
    ...(options.onUsable === undefined ? {} : { onUsable: options.onUsable }),
    headed: options.headed ?? false,
    // What the operator allows is meant for assistants on this machine or network, not for the service itself: its API on any
    // address of this machine, and whatever listens on the database's port.
    refuse: (address, port) =>
      port === databasePort || (port === (options.ownPort?.() ?? config.port) && isOwnAddress(address)),
  });
}

function portOf(databaseUrl: string | null): number | null {
  if (databaseUrl === null) return null;
  return Number(URL.parse(databaseUrl)?.port || 5432);
}

function isOwnAddress(address: string): boolean {
  if (address.startsWith("127.") || address === "::1") return true;
  return Object.values(networkInterfaces()).some((own) => own?.some((each) => each.address === address));
}
