import type { EntityRecord, PanelChanges, PanelFigures } from "@querent/client";
import { figuresMessages } from "../../i18n/figures.ts";
import { TablePlace } from "../../ui/table-place.tsx";
import { ChangeNote } from "./change-note.tsx";
import type { ChosenScope, ChosenSurface } from "./choice.ts";
import { DefinitionLink } from "./definition-link.tsx";
import { FigureLink } from "./figure-link.tsx";
import { figureOf } from "./figure-of.ts";
import { IntervalBar } from "./interval-bar.tsx";
import { rowOf, type Details } from "./read-figures.ts";
import { CitedDays, ownerOf, SiteList } from "./site-list.tsx";
import * as css from "./figures.module.css";

interface SourcePartProps {
  readonly panelId: string;
  readonly window: PanelFigures["window"];
  readonly details: Details;
  readonly changes: PanelChanges;
  readonly brands: readonly EntityRecord[];
  readonly surface: ChosenSurface;
  readonly scope: ChosenScope;
}

/** The sites that answers cite: whose they are, how often, and which came or went. */
export function SourcePart(props: SourcePartProps) {
  const { details, changes, brands, surface, scope, panelId, window } = props;
  const { citations, sources } = details;
  const t = figuresMessages.value;
  const rows = citations.filter(({ measure }) => measure === "citation_rate");
  return (
    <section class={`panel ${css.part}`} aria-labelledby="figures-sources">
      <h2 id="figures-sources">{t.sources}</h2>
      {rows.length === 0 ? (
        <p class="quiet">{t.noSources}</p>
      ) : (
        <>
          <p class="quiet small">{t.sourcesText}</p>
          <TablePlace label={t.sources}>
            <table class={`table ${css.dense}`}>
              <thead>
                <tr>
                  <th scope="col">{t.sourceColumns.domain}</th>
                  <th scope="col">{t.sourceColumns.type}</th>
                  <th scope="col">{t.sourceColumns.whose}</th>
                  <th scope="col" colSpan={2}>
                    <DefinitionLink measure="citation_rate">{t.sourceColumns.rate}</DefinitionLink>
                  </th>
                  <th scope="col">{t.sourceColumns.change}</th>
                  <th scope="col">{t.sourceColumns.cited}</th>
                  <th scope="col">
                    <DefinitionLink measure="citation_share">{t.sourceColumns.share}</DefinitionLink>
                  </th>
                </tr>
              </thead>
              <tbody>
                {rows.map((row) => {
                  const domain = row.group.domain ?? "";
                  const owner = ownerOf(domain, brands);
                  const share = rowOf(citations, { measure: "citation_share", surface, about: domain });
                  return (
                    <tr key={domain} data-domain={domain}>
                      <th scope="row">
                        <bdi>{domain}</bdi>
                      </th>
                      <td class="quiet">{sources.get(domain)?.type ?? "–"}</td>
                      <td title={owner?.name}>{t.whose[owner?.relation ?? "other"]}</td>
                      <td>
                        <FigureLink row={row} scope={scope} what={`${domain}, ${t.sourceColumns.rate}`} />
                      </td>
                      <td class={css.barCell}>
                        <IntervalBar figure={figureOf(row, scope)} isOwn={owner?.relation === "own"} />
                      </td>
                      <td>
                        {owner?.relation === "own" ? (
                          <span class="quiet small">{t.change.ownSite}</span>
                        ) : (
                          <ChangeNote {...{ changes, surface }} measure="citation_rate" about={domain} />
                        )}
                      </td>
                      <td>
                        <CitedDays source={sources.get(domain)} />
                      </td>
                      <td>
                        <FigureLink row={share} scope={scope} what={`${domain}, ${t.sourceColumns.share}`} />
                      </td>
                    </tr>
                  );
                })}
              </tbody>
            </table>
          </TablePlace>
          {sources.size === 0 ? null : <SiteList {...{ panelId, window, surface, sources, brands }} />}
        </>
      )}
    </section>
  );
}
