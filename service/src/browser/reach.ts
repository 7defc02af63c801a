/** The hosts that a context's pages may reach. Addresses that are not public are refused in any case. */
export type Reach =
  | "nothing"
  | {
      readonly hosts: readonly HostPattern[];
      /** A host that this process serves: its port 80 is this port of 127.0.0.1. No name is resolved, and no proxy of a country used. */
      readonly served?: { readonly host: string; readonly port: number };
    };

/** A host name; `*.name` for all subdomains; `*` for every host. With `:port` for one port only. */
export type HostPattern = string;

export const hostPattern = /^(\*|(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(:[1-9]\d{0,4})?$/;

export function mayReach(reach: Reach, hostname: string, port: number): boolean {
  if (reach === "nothing") return false;
  const host = plainHost(hostname);
  return reach.hosts.some((pattern) => {
    const at = /:(\d+)$/.exec(pattern.replace(/^\[.*\]/, ""))?.[1];
    if (at !== undefined && Number(at) !== port) return false;
    const wanted = at === undefined ? pattern : pattern.slice(0, -at.length - 1);
    if (wanted === "*") return true;
    return wanted.startsWith("*.") ? host.endsWith(wanted.slice(1)) && host.length >= wanted.length : host === wanted;
  });
}

/** The port of 127.0.0.1 that a served host stands for; null: it is another host. */
export function servedPort(reach: Reach, hostname: string, port: number): number | null {
  if (reach === "nothing" || reach.served === undefined || port !== 80) return null;
  return plainHost(hostname) === reach.served.host ? reach.served.port : null;
}

const plainHost = (hostname: string): string => hostname.toLowerCase().replace(/\.$/, "");
