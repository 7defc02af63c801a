import { BlockList, isIP, isIPv4, isIPv6 } from "node:net";

/** Address ranges that the operator allows for notifications although they are not public. */
export interface AllowedRanges {
  covers(address: string): boolean;
  readonly coversLoopback: boolean;
  readonly isEmpty: boolean;
}

/**
 * True if `address` (an IP address in canonical text) may be connected to: it is a public unicast address, or in a range that
 * the operator allows. IPv6 is refused except 2000::/3, so every embedding of IPv4 with a prefix outside it (mapped
 * ::ffff:0:0/96, compatible ::/96, translated 64:ff9b::/96 and 64:ff9b:1::/48) is refused, regardless of the embedded address.
 */
export function isAddressAllowed(address: string, allowed: AllowedRanges): boolean {
  return isPublicAddress(address) || allowed.covers(address);
}

export function isPublicAddress(address: string): boolean {
  if (isIPv4(address)) return !refusedV4.check(address, "ipv4");
  // Only addresses that are refused anyway have a zone (%eth0).
  if (!isIPv6(address) || address.includes("%")) return false;
  return globalUnicast.check(address, "ipv6") && !refusedV6.check(address, "ipv6") && !isIsatap(address);
}

/** Parses `127.0.0.0/8,10.1.0.0/16,fd00::/8`; a single address is a range of one. */
export function parseAllowedRanges(text: string): AllowedRanges {
  const list = new BlockList();
  const entries = text
    .split(",")
    .map((entry) => entry.trim())
    .filter((entry) => entry !== "");
  for (const entry of entries) {
    const [address = "", bits, ...rest] = entry.split("/");
    const family = isIP(address);
    const widest = family === 6 ? 128 : 32;
    const prefix = bits === undefined ? widest : /^\d{1,3}$/.test(bits) ? Number(bits) : Number.NaN;
    if (family === 0 || address.includes("%") || rest.length > 0 || !(prefix <= widest)) {
      throw new Error(
        `"${entry}" is not an address range: write it like 10.1.0.0/16 or fd00::/8, several with commas.`,
      );
    }
    list.addSubnet(address, prefix, family === 6 ? "ipv6" : "ipv4");
  }
  const covers = (address: string) => {
    // BlockList matches IPv4-mapped IPv6 against IPv4 rules; such addresses stay refused.
    if (isIPv6(address) && mapped.check(address, "ipv6")) return false;
    return list.check(address, isIPv4(address) ? "ipv4" : "ipv6");
  };
  return { covers, coversLoopback: covers("127.0.0.1") || covers("::1"), isEmpty: entries.length === 0 };
}

function subnets(family: "ipv4" | "ipv6", ranges: readonly string[]): BlockList {
  const list = new BlockList();
  for (const range of ranges) {
    const [address = "", prefix = ""] = range.split("/");
    list.addSubnet(address, Number(prefix), family);
  }
  return list;
}

// The IANA special-purpose registries, and addresses of cloud metadata services outside them.
const refusedV4 = subnets("ipv4", [
  "0.0.0.0/8", // this network, unspecified
  "10.0.0.0/8", // private
  "100.64.0.0/10", // carrier-grade NAT; 100.100.100.200 is a metadata service
  "127.0.0.0/8", // loopback
  "168.63.129.16/32", // a cloud's host agent
  "169.254.0.0/16", // link-local; 169.254.169.254 is the metadata service of most clouds
  "172.16.0.0/12", // private
  "192.0.0.0/24", // protocol assignments; 192.0.0.192 is a metadata service
  "192.0.2.0/24", // documentation
  "192.88.99.0/24", // 6to4 relays
  "192.168.0.0/16", // private
  "198.18.0.0/15", // benchmarking
  "198.51.100.0/24", // documentation
  "203.0.113.0/24", // documentation
  "224.0.0.0/4", // multicast
  "240.0.0.0/4", // reserved, broadcast
]);
const globalUnicast = subnets("ipv6", ["2000::/3"]);
const refusedV6 = subnets("ipv6", [
  "2001::/23", // protocol assignments: Teredo, benchmarking, ORCHID
  "2001:db8::/32", // documentation
  "2002::/16", // 6to4
  "3fff::/20", // documentation
]);
const mapped = subnets("ipv6", ["::ffff:0:0/96"]);

/** ISATAP embeds IPv4 behind any prefix, with the interface identifier 0000:5efe or 0200:5efe. */
function isIsatap(address: string): boolean {
  const groups = expandGroups(address);
  return groups[5] === 0x5efe && (groups[4] === 0 || groups[4] === 0x200);
}

function expandGroups(address: string): number[] {
  // WHATWG serialisation turns a dotted IPv4 tail into groups.
  const canonical = new URL(`https://[${address}]`).hostname.slice(1, -1);
  const [head = "", tail] = canonical.split("::");
  const parse = (part: string) => (part === "" ? [] : part.split(":").map((group) => Number.parseInt(group, 16)));
  if (tail === undefined) return parse(head);
  const left = parse(head);
  const right = parse(tail);
  return [...left, ...Array.from<number>({ length: 8 - left.length - right.length }).fill(0), ...right];
}
