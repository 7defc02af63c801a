/** The hosts that a context's pages may reach. Addresses that are not public are refused in any case. */
export type Reach = "nothing" | { readonly hosts: readonly HostPattern[] };

/** A host name; `*.name` for all subdomains; `*` for every host. With `:port` for one port only. */
export type HostPattern = string;

export const hostPattern = /^(\*|(\*\.)?[a-z0-9_-]+(\.[a-z0-9_-]+)*|\[[0-9a-f:.]+\])(:[1-9]\d{0,4})?$/;

export function mayReach(reach: Reach, hostname: string, port: number): boolean {
  if (reach === "nothing") return false;
  const host = hostname.toLowerCase().replace(/\.$/, "");
  return reach.hosts.some((pattern) => {
    const at = /:(\d+)$/.exec(pattern.replace(/^\[.*\]/, ""))?.[1];
    if (at !== undefined && Number(at) !== port) return false;
    const wanted = at === undefined ? pattern : pattern.slice(0, -at.length - 1);
    if (wanted === "*") return true;
    return wanted.startsWith("*.") ? host.endsWith(wanted.slice(1)) && host.length >= wanted.length : host === wanted;
  });
}
