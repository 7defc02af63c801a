import { ForbiddenError, type PanelRecord, type PanelRun } from "@querent/client";
import { useLive } from "../../api/use-live.ts";
import { query, to } from "../../app/address.ts";
import { figuresMessages } from "../../i18n/figures.ts";
import { panelsMessages } from "../../i18n/panels.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { BrandTable } from "./brand-table.tsx";
import { ChangesPart } from "./changes-part.tsx";
import { ComparePart } from "./compare-part.tsx";
import { readChoice, surfaceKey, withChoice, type Choice, type ChosenSurface } from "./choice.ts";
import { FailuresNote } from "./failures-note.tsx";
import { FirstPlacePart } from "./first-place-part.tsx";
import { HeadFacts, SurfaceChoice, WindowChoice } from "./figures-head.tsx";
import { HeatMap } from "./heat-map.tsx";
import { headlineOf, readDetails, readSummary, type Details, type Summary } from "./read-figures.ts";
import { SeriesPart } from "./series-part.tsx";
import { SourcePart } from "./source-part.tsx";
import { VoicePart } from "./voice-part.tsx";
import * as css from "./figures.module.css";

/** The figures of a panel: whether brands are named, more or less than before, against whom, and because of which sources. */
export function FiguresPart({ panel, runs }: { panel: PanelRecord; runs: readonly PanelRun[] }) {
  const t = figuresMessages.value;
  const choice = readChoice();
  const { panelId } = panel;
  const { value, failed, refresh } = useLive<Summary>(
    ["figures", panelId, panel.revision, choice.days, choice.from, choice.to].join(" "),
    (call) => readSummary(panel, choice, call),
    { everyMs: null },
  );
  const surface = value?.surfaces.find((each) => surfaceKey(each.surface) === choice.surface) ?? value?.surfaces[0];
  return (
    <>
      <WindowChoice key={query.value.get("from") ?? ""} choice={choice} />
      {failed === null ? null : failed instanceof ForbiddenError ? (
        <p class="note">{panelsMessages.value.forbidden}</p>
      ) : (
        <FailureNote failed={failed} retry={refresh} />
      )}
      {value === null ? null : <FailuresNote rows={value.rows} panelId={panelId} />}
      {value === null ? (
        failed === null && (
          <p class={`panel quiet ${css.computing}`} role="status">
            {t.computing}
          </p>
        )
      ) : surface === undefined ? (
        <NoAnswers hasRun={runs.some(({ state }) => state === "started")} panelId={panelId} />
      ) : (
        <Shown panel={panel} summary={value} surface={surface.surface} choice={choice} />
      )}
    </>
  );
}

function NoAnswers({ hasRun, panelId }: { hasRun: boolean; panelId: string }) {
  const t = figuresMessages.value;
  return (
    <div class="empty">
      <h2>{t.emptyTitle}</h2>
      <p class="quiet">{hasRun ? t.emptyWindow : t.emptyRun}</p>
      {hasRun ? (
        <a class="button primary" href={withChoice({ days: "90", from: undefined, to: undefined })}>
          {t.widen}
        </a>
      ) : (
        <a class="button primary" href={to(`/panels/${panelId}`, { part: "runs" })}>
          {t.toRuns}
        </a>
      )}
    </div>
  );
}

interface ShownProps {
  readonly panel: PanelRecord;
  readonly summary: Summary;
  readonly surface: ChosenSurface;
  readonly choice: Choice;
}

function Shown({ panel, summary, surface, choice }: ShownProps) {
  const t = figuresMessages.value;
  const { panelId } = panel;
  const { brands, window } = summary;
  const brand = brands.find(({ entityId }) => entityId === choice.brand) ?? brands[0];
  const headline = headlineOf(summary, surface);
  const asked = { panelId, window, headline, surface, brandId: brand?.entityId ?? null, by: choice.by };
  const { value, failed, refresh } = useLive<Details>(JSON.stringify(asked), (call) => readDetails(asked, call), {
    everyMs: null,
  });
  const table = { panelId, summary, surface, choice };
  return (
    <>
      <SurfaceChoice summary={summary} surface={surface} />
      <HeadFacts summary={summary} surface={surface} runs={value?.runs ?? null} />
      {brand === undefined ? (
        <div class="empty">
          <h2>{t.noBrandsTitle}</h2>
          <p class="quiet">{t.noBrandsText}</p>
          <a class="button primary" href={to("/brands")}>
            {t.toBrands}
          </a>
        </div>
      ) : (
        <BrandTable {...table} />
      )}
      {failed === null ? null : <FailureNote failed={failed} retry={refresh} />}
      {value === null ? null : (
        <>
          {brand === undefined ? null : (
            <SeriesPart
              rows={value.series}
              stretches={value.stretches}
              brands={brands}
              brandId={brand.entityId}
              choice={choice}
            />
          )}
          {brand === undefined ? null : <VoicePart {...table} />}
          {brand === undefined ? null : <FirstPlacePart {...{ panel, window, surface, brands }} scope={choice.scope} />}
          <ChangesPart changes={summary.changes} brands={brands} />
          <ComparePart {...{ panelId, summary, surface }} scope={choice.scope} />
          <SourcePart
            {...{ panelId, brands, surface }}
            window={headline}
            details={value}
            changes={summary.changes}
            scope={choice.scope}
          />
          {brand === undefined ? null : <HeatMap panel={panel} rows={value.prompts} brands={brands} brand={brand} />}
        </>
      )}
    </>
  );
}
