/** Web URLs. */
import { parse } from "tldts";

export function isWebAddress(address: string): boolean {
  return /^https?:/iu.test(address) && URL.canParse(address);
}

/** The host name for display. `""` for a URL without one. */
export function siteOf(address: string): string {
  if (!isWebAddress(address)) return "";
  const { hostname } = new URL(address);
  return hostname.replace(/^www\./u, "").replace(/(?<=[^.])\.$/u, "");
}

/**
 * The address with the scheme https, if it has none: `//example.com/a`, `www.example.com/a` or `example.com/a`. Any other text is
 * returned unchanged, such as the name of a file, an address of mail or a path.
 */
export function completeAddress(address: string): string {
  if (address.startsWith("//")) return isPublicHost(hostAt(address.slice(2))) ? `https:${address}` : address;
  const host = hostAt(address);
  if (host === "" || (host.length === address.length && fileName.test(host))) return address;
  return isPublicHost(host) ? `https://${address}` : address;
}

/** The host at the beginning, which a port, a path, a query, a fragment or nothing follows; empty if there is none. */
const hostAt = (address: string): string =>
  /^([^\s/:?#@[\]\\]{1,253}\.[^\s/:?#@[\]\\.]{2,63}\.?)(?::\d{1,5})?(?:[/?#]|$)/u.exec(address)?.[1] ?? "";

/** Whether a name is one of the public internet, below a public suffix; or of the domains that RFC 2606 reserves for examples. */
export function isPublicHost(host: string): boolean {
  const { domain, isIcann, isPrivate } = parse(host);
  return domain !== null && (isIcann === true || isPrivate === true || /\.(?:example|test)\.?$/iu.test(host));
}

/** Endings of files that are also countries or other top-level domains: `main.py` is a file, and `main.py/a` an address. */
const fileName = /^[^.]+\.(?:cc|md|mov|pl|ps|py|rs|sh|so|zip)$/iu;
