import { figuresMessages } from "../../i18n/figures.ts";
import { DefinitionLink } from "./definition-link.tsx";
import { FigureLink } from "./figure-link.tsx";
import { figureOf } from "./figure-of.ts";
import { IntervalBar } from "./interval-bar.tsx";
import { rowOf } from "./read-figures.ts";
import type { BrandTableProps } from "./brand-table.tsx";
import * as css from "./figures.module.css";

/** The share of voice of each brand, as bars; the greatest first. */
export function VoicePart({ summary, surface, choice: { scope } }: BrandTableProps) {
  const t = figuresMessages.value;
  const bars = summary.brands
    .map((brand) => ({ brand, row: rowOf(summary.rows, { measure: "mention_share", surface, about: brand.entityId }) }))
    .toSorted((a, b) => (b.row?.thesePrompts.value ?? -1) - (a.row?.thesePrompts.value ?? -1));
  return (
    <section class={`panel ${css.part}`} aria-labelledby="figures-voice">
      <h2 id="figures-voice">
        <DefinitionLink measure="mention_share">{t.voice}</DefinitionLink>
      </h2>
      <p class="quiet small">{t.voiceText}</p>
      <ul class={css.voice}>
        {bars.map(({ brand, row }) => (
          <li key={brand.entityId}>
            <bdi>{brand.name}</bdi>
            {row === undefined ? null : (
              <IntervalBar figure={figureOf(row, scope)} isOwn={brand.relation === "own"} isFilled />
            )}
            <FigureLink row={row} scope={scope} what={`${brand.name}, ${t.voice}`} />
          </li>
        ))}
      </ul>
    </section>
  );
}
