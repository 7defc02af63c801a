import { createHash } from "node:crypto";
import type { Locale, PanelContent } from "@querent/contract";

/** One combination of a panel: what is asked, where, and as whom. */
export interface Cell {
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

type Parts = Pick<PanelContent, "prompts" | "platforms" | "locales" | "personas">;

export function countCells({ prompts, platforms, locales, personas }: Parts): number {
  return prompts.length * platforms.length * Math.max(1, locales.length) * Math.max(1, personas.length);
}

/** The cells of a panel: prompts first, so that what is asked of each platform is spread over the run. */
export function* cellsOf(content: PanelContent): Generator<Cell, void, void> {
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

/** The id of a prompt that was given none: the same for the same text. */
export function derivedPromptId(text: string): string {
  return `p-${createHash("sha256").update(text).digest("hex").slice(0, 12)}`;
}
