/**
 * Advertisements as they are stored: bounded, in the order shown, with addresses that count no click. Nothing here opens one of them, and
 * nothing else of the service does.
 */
import type { Ad } from "@querent/contract";
import { opaqueRedirect, unwrapAddress } from "../kernel/addresses/unwrap-address.ts";
import type { DraftAd } from "../platforms/platform.ts";
import { factCharsMax, titleCharsMax } from "./bounds.ts";
import { oneLineOrNull } from "./text.ts";

const adsMax = 50;
const adProductsMax = 50;
const textCharsMax = 2_000;
const urlCharsMax = 4_096;

export function composeAds(ads: readonly DraftAd[]): Ad[] {
  return ads.slice(0, adsMax).map((ad, index): Ad => {
    const { url, removed } = withoutClick(ad.url);
    return {
      position: index + 1,
      advertiser: oneLineOrNull(ad.advertiser, titleCharsMax),
      title: oneLineOrNull(ad.title, titleCharsMax),
      text: oneLineOrNull(ad.text, textCharsMax),
      url,
      displayUrl: oneLineOrNull(ad.displayUrl, urlCharsMax),
      thumbnail: httpOrNull(ad.thumbnail),
      products: ad.products.slice(0, adProductsMax).map((product) => ({
        title: oneLineOrNull(product.title, titleCharsMax) ?? "",
        price: oneLineOrNull(product.price, factCharsMax),
        url: withoutClick(product.url).url,
        thumbnail: httpOrNull(product.thumbnail),
      })),
      placement: oneLineOrNull(ad.placement, factCharsMax) ?? "other",
      label: oneLineOrNull(ad.label, factCharsMax),
      removed,
    };
  });
}

const httpOrNull = (text: string | null): string | null => withoutClick(text, false).url;

/** Parameters that tell one click from another, by the networks that add them. Those of campaigns, such as `utm_source`, stay. */
const clickParameters =
  /^(gclid|gclsrc|gbraid|wbraid|dclid|gad_source|gad_campaignid|msclkid|fbclid|ttclid|twclid|yclid|ysclid|wickedid|li_fat_id|epik|rdt_cid|sccid|scclid|oppref|obclid|ob_click_id|tblci|irclickid|irgwc|cjevent|srsltid|aclk|clickid|click_id|clid|adclickid|sa|ved|ai|cid_click|awc|ranmid|dicbo)$/i;
/** The path of an address that counts a click and leads on, at hosts of which nothing else is known. */
const countsClicks = /\/(redirect|click|track|out|r)\b/i;
/** Where such an address says where it leads. */
const targetParameters = ["adurl", "dest", "destination", "target_url", "url", "u"];

const withinMax = 3;

/** The address without what identifies a click. Null: it is no web address. */
function withoutClick(given: string | null, strip = true, depth = 0): { url: string | null; removed: string[] } {
  if (given === null || given.length > urlCharsMax || !/^https?:\/\//i.test(given.trim()))
    return { url: null, removed: [] };
  if (!URL.canParse(given.trim())) return { url: null, removed: [] };
  const url = new URL(given.trim());
  if (!strip) return { url: url.href, removed: [] };
  const target = depth < withinMax ? targetOf(url) : null;
  if (target !== null) {
    const inner = withoutClick(target, true, depth + 1);
    return { url: inner.url, removed: [...new Set(["redirect", ...inner.removed])] };
  }
  const isRedirect = opaqueRedirect(url);
  // An address that only counts, and does not say where it leads: each of its parameters may identify the click.
  const removed = [...new Set(url.searchParams.keys())].filter((name) => isRedirect || clickParameters.test(name));
  for (const name of removed) url.searchParams.delete(name);
  return { url: url.href, removed };
}

function targetOf(url: URL): string | null {
  if (opaqueRedirect(url)) {
    const target = unwrapAddress(url);
    return target !== null && URL.canParse(target) ? target : null;
  }
  if (!countsClicks.test(url.pathname)) return null;
  for (const name of targetParameters) {
    const value = url.searchParams.get(name);
    const target = value === null ? null : /^https?:\/\//i.test(value) ? value : decoded(value);
    if (target !== null && URL.canParse(target)) return target;
  }
  return null;
}

/** Some have the address in Base64. */
function decoded(value: string): string | null {
  const text = Buffer.from(value.replace(/^a1/, ""), "base64url").toString("utf8");
  return /^https?:\/\/[\x21-\x7e]+$/.test(text) ? text : null;
}
