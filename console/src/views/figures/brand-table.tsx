import type { EntityRecord, FigureRow } from "@querent/client";
import { go, to } from "../../app/address.ts";
import { figuresMessages } from "../../i18n/figures.ts";
import { Segments } from "../../ui/segments.tsx";
import { TablePlace } from "../../ui/table-place.tsx";
import { scopes, withChoice, type Choice, type Scope, type Surface } from "./choice.ts";
import { ChangeNote } from "./change-note.tsx";
import { figureOf } from "./figure-of.ts";
import { FigureLink } from "./figure-link.tsx";
import { IntervalBar } from "./interval-bar.tsx";
import { rowOf, type Summary } from "./read-figures.ts";
import * as css from "./figures.module.css";

const otherMeasures = ["mention_share", "first_place", "listed"] as const;

export interface BrandTableProps {
  readonly panelId: string;
  readonly summary: Summary;
  readonly surface: Surface;
  readonly choice: Choice;
}

/** One line for each own brand and competitor, on one surface and in one scope. */
export function BrandTable(props: BrandTableProps) {
  const { summary, surface, choice } = props;
  const t = figuresMessages.value;
  const branded = Math.max(
    0,
    ...summary.brands.map(
      ({ entityId }) =>
        rowOf(summary.rows, { measure: "presence", surface, about: entityId })?.brandedPromptsLeftOut ?? 0,
    ),
  );
  return (
    <section class={`panel ${css.part}`} aria-labelledby="figures-brands">
      <header class={css.partHead}>
        <h2 id="figures-brands">{t.brands}</h2>
        <ScopeSwitch scope={choice.scope} />
      </header>
      <p class="quiet small">{t.scopeText[choice.scope]}</p>
      <TablePlace label={t.brands}>
        <table class="table">
          <thead>
            <tr>
              <th scope="col">{t.columns.brand}</th>
              <th scope="col" colSpan={2}>
                {t.columns.presence}
              </th>
              <th scope="col">{t.columns.change}</th>
              <th scope="col">{t.columns.mention_share}</th>
              <th scope="col">{t.columns.first_place}</th>
              <th scope="col">{t.columns.listed}</th>
            </tr>
          </thead>
          <tbody>
            {summary.brands.map((brand) => (
              <BrandRow key={brand.entityId} brand={brand} {...props} />
            ))}
          </tbody>
        </table>
      </TablePlace>
      <p class="quiet small">{t.change.text}</p>
      {branded === 0 ? null : <p class="quiet small">{t.branded(branded)}</p>}
    </section>
  );
}

function ScopeSwitch({ scope }: { scope: Scope }) {
  const t = figuresMessages.value;
  return (
    <Segments
      name="figures-scope"
      label={t.scope}
      value={scope}
      labels={t.scopes}
      choose={(chosen) => go(withChoice({ scope: chosen === scopes[0] ? undefined : chosen }), { replace: true })}
    />
  );
}

function BrandRow({ brand, panelId, summary, surface, choice }: BrandTableProps & { readonly brand: EntityRecord }) {
  const t = figuresMessages.value;
  const { scope } = choice;
  const row = (measure: FigureRow["measure"]) => rowOf(summary.rows, { measure, surface, about: brand.entityId });
  const presence = row("presence");
  const isOwn = brand.relation === "own";
  const mentions = to(`/brands/${brand.entityId}/mentions`, {
    panelId,
    platformCode: surface.platformCode,
    observedFrom: summary.window.from,
    observedBefore: summary.window.to,
  });
  return (
    <tr data-brand={brand.name}>
      <th scope="row">
        <span class={css.brandName}>
          <bdi>{brand.name}</bdi>
          <span class="tag">{isOwn ? t.relations.own : t.relations.competitor}</span>
          <a class="small" href={mentions}>
            {t.mentions}
            <span class="unseen"> {brand.name}</span>
          </a>
        </span>
      </th>
      <td>
        <FigureLink row={presence} scope={scope} what={`${brand.name}, ${t.columns.presence}`} />
      </td>
      <td class={css.barCell}>
        {presence === undefined ? null : <IntervalBar figure={figureOf(presence, scope)} isOwn={isOwn} />}
      </td>
      <td>
        <ChangeNote changes={summary.changes} surface={surface} entityId={brand.entityId} />
      </td>
      {otherMeasures.map((measure) => (
        <td key={measure}>
          <FigureLink row={row(measure)} scope={scope} what={`${brand.name}, ${t.columns[measure]}`} />
        </td>
      ))}
    </tr>
  );
}
