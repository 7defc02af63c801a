/** The known truth of the demonstration: with which probability an answer of a day names a brand, or cites a site. */
import { demoBrands, demoDays, demoPlatforms, demoTopics, type DemoBrand, type DemoPlatform } from "./demo-panel.ts";

/** The first day, from 0, on which `simulated-web` answers with its second model. Recent: older ones are history when a panel is first judged. */
export const modelChangeDay = 20;
/** The probability with which a brand is listed that an answer names. */
export const listedShare = 0.75;
/** The first day on which no answer cites `grinder-tests.example`. */
export const sourceGoneDay = 18;

export const demoSites = [
  "grinder-tests.example",
  "coffee-forum.example",
  "bean-journal.example",
  "ardenzo.example",
  "molturra.example",
] as const;
export type DemoSite = (typeof demoSites)[number];

/** The rate of a brand over all prompts of a platform on a day. Those of one topic are up to 10 points above or below. */
export function brandRate(brand: DemoBrand, platform: DemoPlatform, day: number): number {
  const isApi = platform === demoPlatforms.api;
  switch (brand) {
    case "Ardenzo":
      if (isApi) return 0.25 + (0.35 * day) / (demoDays - 1);
      return day < modelChangeDay ? 0.4 : 0.6;
    case "Molturra":
      return isApi ? 0.55 : 0.5;
    case "Grindeval":
      return 0.3;
  }
}

/** The rate of a site over all prompts, which is the same on both platforms. */
export function siteRate(site: DemoSite, day: number): number {
  switch (site) {
    case "grinder-tests.example":
      return day < sourceGoneDay ? 0.5 : 0;
    case "coffee-forum.example":
      return 0.45;
    case "bean-journal.example":
      return 0.35;
    case "ardenzo.example":
      return 0.2;
    case "molturra.example":
      return 0.3;
  }
}

/** What a topic adds to the rate of each brand. The sum over all topics is 0. */
export function topicEffect(topic: string): number {
  const index = demoTopics.indexOf(topic);
  if (index === -1) return 0;
  const middle = (demoTopics.length - 1) / 2;
  // Neighbouring topics differ: 7 and the number of topics have no common divisor.
  return (0.1 * (((index * 7) % demoTopics.length) - middle)) / middle;
}

export const modelOn = (platform: DemoPlatform, day: number): string =>
  platform === demoPlatforms.web && day >= modelChangeDay ? "simulated-model-2" : "simulated-model-1";

export interface TrueRate {
  readonly platformCode: DemoPlatform;
  /** A brand, or a domain. */
  readonly subject: string;
  /** The mean over the days with the last model, in percent: figures are of one model. */
  readonly percent: number;
  readonly change: string;
}

/** The truth as a table: what the figures of the last 28 days estimate. */
export function demoTruth(): TrueRate[] {
  return Object.values(demoPlatforms).flatMap((platformCode) => [
    ...demoBrands.map((brand) => ({
      platformCode,
      subject: brand,
      percent: percentOf(platformCode, (day) => brandRate(brand, platformCode, day)),
      change: brandChange(brand, platformCode),
    })),
    ...demoSites.map((site) => ({
      platformCode,
      subject: site,
      percent: percentOf(platformCode, (day) => siteRate(site, day)),
      change: site === "grinder-tests.example" ? `not cited from day ${sourceGoneDay + 1} on` : "none",
    })),
  ]);
}

function brandChange(brand: DemoBrand, platform: DemoPlatform): string {
  if (brand !== "Ardenzo") return "none";
  if (platform === demoPlatforms.api) return "rises from 25 % to 60 %";
  return `40 %, then 60 % with another model from day ${modelChangeDay + 1} on`;
}

function percentOf(platform: DemoPlatform, rate: (day: number) => number): number {
  const all = Array.from({ length: demoDays }, (_, day) => day);
  const days = all.filter((day) => modelOn(platform, day) === modelOn(platform, demoDays - 1));
  return Math.round((1000 * days.reduce((sum, day) => sum + rate(day), 0)) / days.length) / 10;
}
