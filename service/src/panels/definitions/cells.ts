import { createHash } from "node:crypto";
import type { Locale, PanelContent } from "@querent/contract";
import canonicalize from "canonicalize";

/** One combination of a panel: what is asked, where, and as whom. */
export interface PanelCell {
  readonly promptId: string;
  readonly platform: string;
  /** See `localeKey`; empty if the panel has no locales. */
  readonly locale: string;
  /** The name of the persona; empty if the panel has none. */
  readonly persona: string;
  /** Where each comes from in the panel. */
  readonly at: {
    readonly prompt: number;
    readonly platform: number;
    readonly locale: number;
    readonly persona: number;
  };
  /** The submission item that asks it. */
  readonly item: Readonly<Record<string, unknown>>;
}

type Parts = Pick<PanelContent, "prompts" | "platforms" | "locales" | "personas" | "platformShare">;

/** The cells that a run asks. */
export function countCells({ prompts, platforms, locales, personas, platformShare }: Parts): number {
  const ofPlatform = prompts.length * Math.max(1, locales.length) * Math.max(1, personas.length);
  return platforms.reduce((sum, code) => sum + askedOf(ofPlatform, platformShare?.[code]), 0);
}

/** In whole percent, as in the database. */
const askedOf = (cells: number, share = 1) => Math.ceil((cells * Math.round(share * 100)) / 100);

/** The cells of one run. Of platforms with a share, the seed selects the cells; the same seed selects the same ones. */
export function drawCells<Asked extends { readonly cell: PanelCell }>(
  all: readonly Asked[],
  { platformShare }: Parts,
  seed: string,
): readonly Asked[] {
  if (platformShare === undefined) return all;
  const drawn = new Set<Asked>();
  for (const [platform, cells] of Map.groupBy(all, ({ cell }) => cell.platform)) {
    const ranked = cells
      .map((one) => ({ one, rank: rankOf(one.cell, seed) }))
      .toSorted((a, b) => (a.rank < b.rank ? -1 : 1));
    for (const { one } of ranked.slice(0, askedOf(cells.length, platformShare[platform]))) drawn.add(one);
  }
  return all.filter((one) => drawn.has(one));
}

const rankOf = ({ promptId, platform, locale, persona }: PanelCell, seed: string) =>
  createHash("sha256")
    .update(JSON.stringify([seed, promptId, platform, locale, persona]))
    .digest("hex");

/** The cells of a panel: prompts first, so that what is asked of each platform is spread over the run. */
export function* cellsOf(content: PanelContent): Generator<PanelCell, void, void> {
  for (const [locale, where] of (content.locales.length === 0 ? [null] : content.locales).entries())
    for (const [persona, who] of (content.personas.length === 0 ? [null] : content.personas).entries())
      for (const [prompt, { promptId, text }] of content.prompts.entries())
        for (const [platform, code] of content.platforms.entries())
          yield {
            promptId,
            platform: code,
            locale: where === null ? "" : localeKey(where),
            persona: who?.name ?? "",
            at: { prompt, platform, locale, persona },
            item: {
              question: text,
              platformCode: code,
              options: { ...content.options, ...where, ...(who === null ? {} : { persona: who.text }) },
              tags: content.tags,
            },
          };
}

/** Names a locale, such as `DE/de` or `DE/de/Berlin`. */
export function localeKey({ country, language, location }: Locale): string {
  const place = [location?.city, location?.region, location?.latitude, location?.longitude];
  return [country ?? "", language ?? "", ...place.filter((part) => part !== undefined)].join("/");
}

/** The id of a prompt without one, derived from its text. */
export function derivedPromptId(text: string): string {
  return `p-${createHash("sha256").update(text).digest("hex").slice(0, 12)}`;
}

/** SHA-256 of what a panel asks, in canonical form (RFC 8785): the order of members makes no difference. */
export function digestOf(content: PanelContent): Buffer {
  return createHash("sha256")
    .update(canonicalize(content) ?? "")
    .digest();
}

/** SHA-256 of a text, in hex. */
export const textDigest = (text: string): string => createHash("sha256").update(text).digest("hex");

export const digestText = (digest: Buffer): string => `sha256:${digest.toString("hex")}`;
