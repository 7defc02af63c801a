/** What the host of a URL says about itself. */
import { isIP } from "node:net";

/** The address when a URL's host is an IP literal. The URL parser has already brought every spelling into one form. */
export function literalAddress(hostname: string): string | null {
  const bare = hostname.startsWith("[") ? hostname.slice(1, -1) : hostname;
  return isIP(bare) === 0 ? null : bare;
}

/** The name without the dot that marks it as absolute. */
export function bareName(hostname: string): string {
  return hostname.endsWith(".") ? hostname.slice(0, -1) : hostname;
}

export function isHostname(name: string): boolean {
  return name.length <= 253 && name.split(".").every((label) => /^[a-z0-9_]([a-z0-9_-]{0,61}[a-z0-9_])?$/.test(label));
}

export function isLoopbackName(name: string): boolean {
  return name === "localhost" || name.endsWith(".localhost");
}

/** Names that never mean a public host: single labels, and what RFC 6761, 6762, 8375 and ICANN set aside. */
export function isInternalName(name: string): boolean {
  return (
    !name.includes(".") ||
    /\.(local|localdomain|internal|intranet|private|corp|home|lan|home\.arpa|test|invalid|onion)$/.test(name)
  );
}
