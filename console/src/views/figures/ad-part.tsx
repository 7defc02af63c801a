import type { EntityRecord, FigureRow } from "@querent/client";
import { figuresMessages } from "../../i18n/figures.ts";
import { TablePlace } from "../../ui/table-place.tsx";
import { number } from "../../ui/time.tsx";
import type { ChosenScope, ChosenSurface } from "./choice.ts";
import { DefinitionLink } from "./definition-link.tsx";
import { FigureLink } from "./figure-link.tsx";
import { figureOf } from "./figure-of.ts";
import { IntervalBar } from "./interval-bar.tsx";
import { rowOf } from "./read-figures.ts";
import { ownerOf } from "./site-list.tsx";
import * as css from "./figures.module.css";

interface AdPartProps {
  readonly rows: readonly FigureRow[];
  readonly brands: readonly EntityRecord[];
  readonly surface: ChosenSurface;
  readonly scope: ChosenScope;
}

const brandColumns = ["own_ad_rate", "own_ad_share", "rival_ad_rate"] as const;

/** Who advertises beside the answers, and on whose name; or why that is not known. */
export function AdPart({ rows, brands, surface, scope }: AdPartProps) {
  const t = figuresMessages.value;
  const rate = rowOf(rows, { measure: "ad_rate", surface, about: null });
  if (rate === undefined) return null;
  const shares = rows.filter(({ measure }) => measure === "ad_share");
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
          {shares.length === 0 ? (
            <p class="quiet">{t.noAds}</p>
          ) : (
            <>
              <BrandAds {...{ rows, brands, surface, scope }} />
              <TablePlace label={t.adColumns.advertiser}>
                <table class={`table ${css.dense}`}>
                  <thead>
                    <tr>
                      <th scope="col">{t.adColumns.advertiser}</th>
                      <th scope="col">{t.sourceColumns.whose}</th>
                      <th scope="col" colSpan={2}>
                        <DefinitionLink measure="ad_share">{t.adColumns.ad_share}</DefinitionLink>
                      </th>
                    </tr>
                  </thead>
                  <tbody>
                    {shares.map((row) => {
                      const domain = row.group.domain ?? "";
                      const owner = ownerOf(domain, brands);
                      return (
                        <tr key={domain} data-advertiser={domain}>
                          <th scope="row">
                            <bdi>{domain}</bdi>
                          </th>
                          <td title={owner?.name}>{t.whose[owner?.relation ?? "other"]}</td>
                          <td>
                            <FigureLink row={row} scope={scope} what={`${domain}, ${t.adColumns.ad_share}`} />
                          </td>
                          <td class={css.barCell}>
                            <IntervalBar figure={figureOf(row, scope)} isOwn={owner?.relation === "own"} />
                          </td>
                        </tr>
                      );
                    })}
                  </tbody>
                </table>
              </TablePlace>
            </>
          )}
        </>
      )}
    </section>
  );
}

function BrandAds({ rows, brands, surface, scope }: AdPartProps) {
  const t = figuresMessages.value;
  if (brands.length === 0) return null;
  return (
    <TablePlace label={t.adColumns.brand}>
      <table class={`table ${css.dense}`}>
        <thead>
          <tr>
            <th scope="col">{t.adColumns.brand}</th>
            {brandColumns.map((measure) => (
              <th key={measure} scope="col">
                <DefinitionLink measure={measure}>{t.adColumns[measure]}</DefinitionLink>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {brands.map(({ entityId, name }) => (
            <tr key={entityId} data-brand-ads={name}>
              <th scope="row">
                <bdi>{name}</bdi>
              </th>
              {brandColumns.map((measure) => {
                const row = rowOf(rows, { measure, surface, about: entityId });
                const isUnnamed = measure === "rival_ad_rate" && row?.thesePrompts.answers === 0;
                return (
                  <td key={measure}>
                    {isUnnamed ? (
                      <span class="quiet small">{t.noPromptsWithName}</span>
                    ) : (
                      <FigureLink row={row} scope={scope} what={`${name}, ${t.adColumns[measure]}`} />
                    )}
                  </td>
                );
              })}
            </tr>
          ))}
        </tbody>
      </table>
    </TablePlace>
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
