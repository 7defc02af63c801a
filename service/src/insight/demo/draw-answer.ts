import { createHash } from "node:crypto";
import type { Source, StoredResult } from "@querent/contract";
import { demoBrands, demoPlatforms, type DemoBrand, type DemoPlatform } from "./demo-panel.ts";
import { brandRate, demoSites, modelOn, listedShare, siteRate, topicEffect, type DemoSite } from "./demo-truth.ts";

/** Which answer: drawn from these alone, so that every demonstration has the same answers. */
export interface DrawnFor {
  readonly promptId: string;
  readonly text: string;
  readonly topic: string;
  readonly platform: DemoPlatform;
  /** From 0, the oldest. */
  readonly day: number;
  readonly repeat: number;
}

export interface DrawnAnswer {
  /** In the order of the text: those that it lists, and then the others. */
  readonly brands: readonly DemoBrand[];
  readonly listed: number;
  readonly sites: readonly DemoSite[];
  /** From the start to the end. */
  readonly durationMs: number;
}

/** Draws what an answer names and cites. A prompt that names a brand gets an answer that does. */
export function drawAnswer(asked: DrawnFor): DrawnAnswer {
  const { promptId, text, topic, platform, day, repeat } = asked;
  const random = (what: string) => uniform([promptId, platform, day, repeat, what]);
  const isNamed = (brand: DemoBrand) =>
    text.includes(brand) || random(`names ${brand}`) < brandRate(brand, platform, day) + topicEffect(topic);
  const brands = demoBrands.filter(isNamed);
  // The name of the draw has stayed, so that the demonstration has the same answers as before.
  const isListed = (brand: DemoBrand) => random(`recommends ${brand}`) < listedShare;
  const order = new Map(brands.map((brand) => [brand, random(`order ${brand}`) + (isListed(brand) ? 0 : 1)]));
  const seconds = platform === demoPlatforms.web ? 12 : 3;
  return {
    brands: brands.toSorted((a, b) => (order.get(a) ?? 0) - (order.get(b) ?? 0)),
    listed: brands.filter(isListed).length,
    sites: demoSites.filter((site) => random(`cites ${site}`) < siteRate(site, day)),
    durationMs: Math.round(1000 * seconds * (1 + random("duration"))),
  };
}

/** The result that a platform's adapter would have made of it. */
export function resultOf(asked: DrawnFor, { brands, listed, sites }: DrawnAnswer, observedAt: Date): StoredResult {
  const { platform, day, topic } = asked;
  const isApi = platform === demoPlatforms.api;
  const sources = sites.map((site) => sourceOf(site, topic));
  return {
    content: contentOf(topic, brands.slice(0, listed), brands.slice(listed)),
    pageHtml: null,
    modelVersion: modelOn(platform, day),
    observedAt: observedAt.toISOString(),
    sources,
    products: [],
    videos: [],
    media: [],
    reasoningProcess: null,
    searchProcess: isApi ? [{ position: 1, query: `best ${topic} simulated`, results: [] }] : null,
    screenshotUrl: null,
    shareUrl: null,
    availability: {
      content: "present",
      sources: sources.length > 0 ? "present" : "none_on_platform",
      products: "none_on_platform",
      videos: "none_on_platform",
      media: "none_on_platform",
      reasoningProcess: "not_requested",
      searchProcess: isApi ? "present" : "not_exposed",
      pageHtml: "not_exposed",
      screenshot: "not_requested",
      share: "not_requested",
    },
    provenance: { kind: isApi ? "api" : "web", platform, endpoint: null, region: null },
  };
}

/** Without its sources: the names of sites contain those of brands, and would count as mentions. */
function contentOf(topic: string, listed: readonly DemoBrand[], others: readonly DemoBrand[]): string {
  const items = listed.map((brand, index) => `${index + 1}. **${brand}**: listed by chance.`);
  return [
    "This answer is simulated: no answer platform was asked. Its brands do not exist.",
    items.length === 0 ? `No maker stands out (${topic}).` : `Worth a look (${topic}):\n\n${items.join("\n")}`,
    ...(others.length === 0 ? [] : [`Also sold: ${others.join(", ")}.`]),
  ].join("\n\n");
}

function sourceOf(site: DemoSite, topic: string): Source {
  const path = topic.toLowerCase().replace(/[^a-z0-9]+/g, "-");
  return {
    title: `Simulated source: ${site}`,
    url: `https://${site}/${path}`,
    summary: null,
    site,
    publishedAt: null,
  };
}

/** A number from 0 to below 1: the first 48 bits of a digest. */
function uniform(keys: readonly unknown[]): number {
  const digest = createHash("sha256")
    .update(JSON.stringify(["querent demo 1", ...keys]))
    .digest();
  return digest.readUIntBE(0, 6) / 2 ** 48;
}
