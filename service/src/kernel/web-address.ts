/** Web URLs. */

export function isWebAddress(address: string): boolean {
  return /^https?:/iu.test(address) && URL.canParse(address);
}

/** The host name for display. `""` for a URL without one. */
export function siteOf(address: string): string {
  return isWebAddress(address) ? new URL(address).hostname.replace(/^www\./u, "") : "";
}
