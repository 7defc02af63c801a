/** Tables of the shares of brands, and of sites, among what answers show. */
import type { EntityRecord, FigureRow } from "@querent/client";
import { figuresMessages } from "../../i18n/figures.ts";
import { TablePlace } from "../../ui/table-place.tsx";
import type { ChosenScope, ChosenSurface } from "./choice.ts";
import { DefinitionLink } from "./definition-link.tsx";
import { FigureLink } from "./figure-link.tsx";
import { figureOf } from "./figure-of.ts";
import { IntervalBar } from "./interval-bar.tsx";
import { rowOf } from "./read-figures.ts";
import { ownerOf } from "./site-list.tsx";
import * as css from "./figures.module.css";

export interface ShareTablesProps {
  readonly rows: readonly FigureRow[];
  readonly brands: readonly EntityRecord[];
  readonly surface: ChosenSurface;
  readonly scope: ChosenScope;
}

interface BrandSharesProps extends ShareTablesProps {
  /** Each measure with its name in the table. */
  readonly columns: readonly (readonly [measure: FigureRow["measure"], name: string])[];
  readonly label: string;
}

export function BrandShares({ rows, brands, surface, scope, columns, label }: BrandSharesProps) {
  const t = figuresMessages.value;
  if (brands.length === 0) return null;
  return (
    <TablePlace label={label}>
      <table class={`table ${css.dense}`}>
        <thead>
          <tr>
            <th scope="col">{t.brand}</th>
            {columns.map(([measure, name]) => (
              <th key={measure} scope="col">
                <DefinitionLink measure={measure}>{name}</DefinitionLink>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {brands.map((brand) => (
            <tr key={brand.entityId} data-brand-shares={brand.name}>
              <th scope="row">
                <bdi>{brand.name}</bdi>
              </th>
              {columns.map(([measure, name]) => {
                const row = rowOf(rows, { measure, surface, about: brand.entityId });
                const isUnnamed = measure === "rival_ad_rate" && row?.thesePrompts.answers === 0;
                return (
                  <td key={measure}>
                    {isUnnamed ? (
                      <span class="quiet small">{t.noPromptsWithName}</span>
                    ) : (
                      <FigureLink row={row} scope={scope} what={`${brand.name}, ${name}`} />
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

interface SiteSharesProps extends ShareTablesProps {
  readonly measure: FigureRow["measure"];
  /** What the sites are, and what they have a share of. */
  readonly site: string;
  readonly share: string;
}

export function SiteShares({ rows, brands, scope, measure, site, share }: SiteSharesProps) {
  const t = figuresMessages.value;
  return (
    <TablePlace label={site}>
      <table class={`table ${css.dense}`}>
        <thead>
          <tr>
            <th scope="col">{site}</th>
            <th scope="col">{t.sourceColumns.whose}</th>
            <th scope="col" colSpan={2}>
              <DefinitionLink measure={measure}>{share}</DefinitionLink>
            </th>
          </tr>
        </thead>
        <tbody>
          {rows
            .filter((row) => row.measure === measure)
            .map((row) => {
              const domain = row.group.domain ?? "";
              const owner = ownerOf(domain, brands);
              return (
                <tr key={domain} data-share-of={domain}>
                  <th scope="row">
                    <bdi>{domain}</bdi>
                  </th>
                  <td title={owner?.name}>{t.whose[owner?.relation ?? "other"]}</td>
                  <td>
                    <FigureLink row={row} scope={scope} what={`${domain}, ${share}`} />
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
  );
}
