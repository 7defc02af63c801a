/** URLs as platforms return them: which are stored, which can be linked, and which are equal. */
import { isWebAddress } from "../kernel/web-address.ts";
import { addressCharsMax } from "./bounds.ts";
import { storableText } from "./text.ts";

/** Schemes that execute or show their own content, or access the reader's machine. */
const dangerousSchemes = new Set(["javascript:", "vbscript:", "data:", "blob:", "file:", "filesystem:", "about:"]);

/**
 * The URL as given, without surrounding white space and control characters; `""` if it is missing, too long, or dangerous to
 * click.
 */
export function keptAddress(address: string): string {
  const cleaned = storableText(address)
    .replace(/\p{Cc}+/gu, "")
    .trim();
  if (cleaned === "" || cleaned.length > addressCharsMax) return "";
  const url = URL.parse(cleaned);
  return url === null || dangerousSchemes.has(url.protocol) ? "" : cleaned;
}

/** The same, for web URLs only. */
export function keptWebAddress(address: string): string {
  const kept = keptAddress(address);
  return isWebAddress(kept) ? kept : "";
}

const trackingNames = new Set(
  "gclid dclid gbraid wbraid gad_source fbclid msclkid yclid twclid ttclid igshid igsh li_fat_id mc_cid mc_eid mkt_tok _hsenc _hsmi vero_id oly_anon_id oly_enc_id srsltid spm scm wickedid _openstat ref_src".split(
    " ",
  ),
);

/**
 * The part that different URLs of one page share: without tracking parameters, fragment (unless it is a route of a single-page
 * application), `www.` and trailing slash, with sorted parameters and http equal to https. For comparison only, never shown.
 */
export function canonicalAddress(address: string): string {
  const url = isWebAddress(address) ? URL.parse(address) : null;
  if (url === null) return address;
  const parameters = [...url.searchParams].filter(([name]) => !isTracking(name));
  const query = new URLSearchParams(parameters);
  query.sort();
  const port = url.port === "" ? "" : `:${url.port}`;
  const route = /^#!?\//u.test(url.hash) ? url.hash : "";
  return `${url.hostname.replace(/^www\./u, "")}${port}${url.pathname.replace(/\/+$/u, "")}?${query.toString()}${route}`;
}

function isTracking(name: string): boolean {
  const lower = name.toLowerCase();
  return lower.startsWith("utm_") || trackingNames.has(lower);
}
