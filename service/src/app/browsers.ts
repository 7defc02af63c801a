import { BlockList, isIPv6 } from "node:net";
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
    countryProxies: config.countryProxies,
  };
}

/**
 * Why no browser is usable, in a sentence for the operator; null if one was found. Starts nothing, so it may still not work.
 */
export async function whyNoBrowser(config: Config): Promise<string | null> {
  const { endpoints, programs, passedOver } = await findBrowsers(browserSettings(config));
  if (endpoints.length > 0 || programs.length > 0) return null;
  return `There is no browser. ${passedOver.map(({ what, why }) => `${what}: ${why}`).join("; ")}.`;
}

/** What the operator can do about it. */
export const browserAdvice =
  "Install Chrome or Chromium, for example with `apt-get install chromium` on Debian, or name one in QUERENT_BROWSER_PATH.";

/** The pool of this process. `ownPorts` returns those of the API and of management, once they are known. */
export function createBrowserPool(
  config: Config,
  options: {
    onEvent: (event: BrowserEvent) => void;
    onUsable?: (why: string | null) => void;
    ownPorts?: () => readonly (number | null)[];
    headed?: boolean;
  },
): BrowserPool {
  const databasePorts = [portOf(config.databaseUrl), portOf(config.databaseDirectUrl)];
  return new BrowserPool({
    settings: browserSettings(config),
    onEvent: options.onEvent,
    ...(options.onUsable === undefined ? {} : { onUsable: options.onUsable }),
    headed: options.headed ?? false,
    // The operator's allowed ranges are meant for assistants on this machine or network, not for the service itself: its ports
    // on any address of this machine, and the database's port.
    refuse: (address, port) =>
      databasePorts.includes(port) ||
      ((options.ownPorts?.() ?? [config.port, config.managementPort]).includes(port) && isOwnAddress(address)),
  });
}

function portOf(databaseUrl: string | null): number | null {
  if (databaseUrl === null) return null;
  return Number(URL.parse(databaseUrl)?.port || 5432);
}

/**
 * True for every form of an address by which this machine reaches itself: loopback, the unspecified addresses (0.0.0.0 and ::
 * connect to this machine), and the addresses of its interfaces. `BlockList` handles IPv4 addresses mapped into IPv6.
 */
export function isOwnAddress(address: string): boolean {
  const [plain = ""] = address.replace(/^\[|\]$/g, "").split("%");
  const own = new BlockList();
  own.addSubnet("127.0.0.0", 8, "ipv4");
  own.addSubnet("0.0.0.0", 8, "ipv4");
  // ::, ::1, and IPv4 after only zeros.
  own.addSubnet("::", 96, "ipv6");
  for (const each of Object.values(networkInterfaces()).flatMap((addresses) => addresses ?? []))
    own.addAddress(each.address.split("%")[0] ?? "", each.family === "IPv6" ? "ipv6" : "ipv4");
  return own.check(plain, isIPv6(plain) ? "ipv6" : "ipv4");
}
