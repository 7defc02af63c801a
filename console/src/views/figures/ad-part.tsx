import type { FigureRow } from "@querent/client";
import { figuresMessages } from "../../i18n/figures.ts";
import { number } from "../../ui/time.tsx";
import { DefinitionLink } from "./definition-link.tsx";
import { FigureLink } from "./figure-link.tsx";
import { rowOf } from "./read-figures.ts";
import { BrandShares, SiteShares, type ShareTablesProps } from "./share-tables.tsx";
import * as css from "./figures.module.css";

/** Who advertises beside the answers, and on whose name; or why that is not known. */
export function AdPart(props: ShareTablesProps) {
  const { rows, surface, scope } = props;
  const t = figuresMessages.value;
  const rate = rowOf(rows, { measure: "ad_rate", surface, about: null });
  if (rate === undefined) return null;
  const columns = (["own_ad_rate", "own_ad_share", "rival_ad_rate"] as const).map(
    (measure) => [measure, t.adColumns[measure]] as const,
  );
  return (
    <section class={`panel ${css.part}`} aria-labelledby="figures-ads" data-ads>
      <h2 id="figures-ads">{t.ads}</h2>
      {rate.thesePrompts.answers === 0 ? (
        <WhyNone row={rate} />
      ) : (
        <>
          <p class="quiet small">{t.adsText}</p>
          <p data-ad-rate>
            <DefinitionLink measure="ad_rate">{t.adRate}</DefinitionLink>:{" "}
            <FigureLink row={rate} scope={scope} what={t.adRate} />
          </p>
          {rows.some(({ measure }) => measure === "ad_share") ? (
            <>
              <BrandShares {...props} columns={columns} label={t.ads} />
              <SiteShares {...props} measure="ad_share" site={t.adColumns.advertiser} share={t.adColumns.ad_share} />
            </>
          ) : (
            <p class="quiet">{t.noAds}</p>
          )}
        </>
      )}
    </section>
  );
}

function WhyNone({ row: { leftOut } }: { row: FigureRow }) {
  const t = figuresMessages.value;
  const { ads_excluded: excluded = 0, ads_not_known: unknown = 0 } = leftOut;
  return (
    <>
      {unknown === 0 ? null : <p class="quiet">{t.adsNotKnown(number(unknown))}</p>}
      {excluded === 0 ? null : <p class="quiet">{t.adsExcluded(number(excluded))}</p>}
    </>
  );
}
