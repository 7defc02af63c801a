import type { EntityRecord, FigureRow } from "@querent/client";
import { go, to } from "../../app/address.ts";
import { figuresMessages } from "../../i18n/figures.ts";
import { Segments } from "../../ui/segments.tsx";
import { TablePlace } from "../../ui/table-place.tsx";
import { day } from "../../ui/time.tsx";
import { scopes, withChoice, type Choice, type ChosenScope, type ChosenSurface } from "./choice.ts";
import { ChangeNote } from "./change-note.tsx";
import { figureOf } from "./figure-of.ts";
import { DefinitionLink } from "./definition-link.tsx";
import { FigureLink } from "./figure-link.tsx";
import { IntervalBar } from "./interval-bar.tsx";
import { rowOf, type Summary } from "./read-figures.ts";
import { instrumentNames, isReadOtherwise } from "./instrument-names.ts";
import * as css from "./figures.module.css";

/** The measures of each column: what is read together stands in one. */
const otherMeasures = [["mention_share"], ["first_place", "first_place_of_all"], ["listed"]] as const;
type OtherMeasure = (typeof otherMeasures)[number][number];

export interface BrandTableProps {
  readonly panelId: string;
  readonly summary: Summary;
  readonly surface: ChosenSurface;
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
                <DefinitionLink measure="presence">{t.columns.presence}</DefinitionLink>
              </th>
              <th scope="col">{t.columns.change}</th>
              {otherMeasures.map((measures) => (
                <th key={measures[0]} scope="col">
                  {measures.map((measure) => (
                    <div key={measure}>
                      <DefinitionLink measure={measure}>{t.columns[measure]}</DefinitionLink>
                    </div>
                  ))}
                </th>
              ))}
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

function ScopeSwitch({ scope }: { scope: ChosenScope }) {
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
  const others = presence?.otherInstruments ?? [];
  const shown = presence?.thesePrompts.instrument ?? [];
  return (
    <>
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
          <ChangeNote changes={summary.changes} surface={surface} measure="presence" about={brand.entityId} />
        </td>
        {otherMeasures.map((measures) => (
          <td key={measures[0]}>
            {measures.map((measure) => (
              <div key={measure}>
                <FigureLink row={row(measure)} scope={scope} what={`${brand.name}, ${t.columns[measure]}`} />
              </div>
            ))}
          </td>
        ))}
      </tr>
      {others.slice(0, otherInstrumentsShown).map(({ instrument, thesePrompts: { window } }) => (
        <OtherInstrument
          key={JSON.stringify(instrument)}
          {...{ brand, scope, window }}
          model={instrumentNames([instrument], shown)}
          isReadOtherwise={isReadOtherwise(instrument, shown)}
          rowOf={(measure) => besides(row(measure), instrument)}
        />
      ))}
    </>
  );
}

const otherInstrumentsShown = 3;

interface OtherInstrumentProps {
  readonly brand: EntityRecord;
  readonly scope: ChosenScope;
  readonly model: string;
  /** It differs in how answers were taken or read only. */
  readonly isReadOtherwise: boolean;
  readonly window: FigureRow["thesePrompts"]["window"];
  readonly rowOf: (measure: FigureRow["measure"]) => FigureRow | undefined;
}

/** The figures of answers that were taken with another instrument: beside those of the brand, and never added to them. */
function OtherInstrument({ brand, scope, model, isReadOtherwise, window, rowOf: rowOfMeasure }: OtherInstrumentProps) {
  const t = figuresMessages.value;
  const cell = (measure: OtherMeasure | "presence") => (
    <FigureLink row={rowOfMeasure(measure)} scope={scope} what={`${brand.name}, ${model}, ${t.columns[measure]}`} />
  );
  const presence = rowOfMeasure("presence");
  return (
    <tr class={css.otherInstrument} data-instrument={model}>
      <td class="small">
        <bdi>{t.withModel(model)}</bdi>
        {isReadOtherwise ? <span class="quiet"> ({t.found.otherReading})</span> : null}
        <br />
        <span class="quiet">{[window.from, window.to].map((time) => day((time ?? "").slice(0, 10))).join(" – ")}</span>
      </td>
      <td>{cell("presence")}</td>
      <td class={css.barCell}>
        {presence === undefined ? null : (
          <IntervalBar figure={figureOf(presence, scope)} isOwn={brand.relation === "own"} />
        )}
      </td>
      <td class="quiet small">{t.notAdded}</td>
      {otherMeasures.map((measures) => (
        <td key={measures[0]}>
          {measures.map((measure) => (
            <div key={measure}>{cell(measure)}</div>
          ))}
        </td>
      ))}
    </tr>
  );
}

/** The row of a measure with the figures of another instrument. */
function besides(row: FigureRow | undefined, instrument: FigureRow["otherInstruments"][number]["instrument"]) {
  const key = JSON.stringify(instrument);
  const other = row?.otherInstruments.find((one) => JSON.stringify(one.instrument) === key);
  return row === undefined || other === undefined
    ? undefined
    : { ...row, thesePrompts: other.thesePrompts, promptsLikeThese: other.promptsLikeThese };
}
