import { ForbiddenError, type PanelRecord, type PanelRun } from "@querent/client";
import type { ComponentChildren } from "preact";
import { useLive } from "../../api/use-live.ts";
import { query, to } from "../../app/address.ts";
import { figuresMessages } from "../../i18n/figures.ts";
import { panelsMessages } from "../../i18n/panels.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { countsOf, failedRunOf, RunFailure } from "../panels/run-failure.tsx";
import { AdPart } from "./ad-part.tsx";
import { AnswerParts } from "./answer-parts.tsx";
import { BrandTable } from "./brand-table.tsx";
import { ChangesPart } from "./changes-part.tsx";
import { Allowed } from "../../app/allowed.tsx";
import { ComparePart } from "./compare-part.tsx";
import { readChoice, surfaceKey, withChoice, type Choice, type ChosenSurface } from "./choice.ts";
import { FailuresNote } from "./failures-note.tsx";
import { FirstPlacePart } from "./first-place-part.tsx";
import { HeadFacts, SurfaceChoice, WindowChoice } from "./figures-head.tsx";
import { HeatMap } from "./heat-map.tsx";
import { ProductPart } from "./product-part.tsx";
import { headlineOf, readDetails, readSummary, type Details, type Summary } from "./read-figures.ts";
import { SeriesPart } from "./series-part.tsx";
import { SourcePart } from "./source-part.tsx";
import { verdictOf } from "./verdict.ts";
import { VerdictPart } from "./verdict-part.tsx";
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
  const filters = <WindowChoice key={query.value.get("from") ?? ""} choice={choice} />;
  return (
    <>
      {failed === null ? null : failed instanceof ForbiddenError ? (
        <p class="note">{panelsMessages.value.forbidden}</p>
      ) : (
        <FailureNote failed={failed} retry={refresh} />
      )}
      {value === null ? (
        failed === null && (
          <p class={`panel quiet ${css.computing}`} role="status">
            {t.computing}
          </p>
        )
      ) : surface === undefined ? (
        <>
          {filters}
          <FailuresNote rows={value.rows} panelId={panelId} />
          <NoAnswers runs={runs} panelId={panelId} />
        </>
      ) : (
        <Shown panel={panel} summary={value} surface={surface.surface} choice={choice} filters={filters} />
      )}
    </>
  );
}

/** Why there are no figures: it was never asked, it is being asked, nothing came of it, or answers are older. */
function NoAnswers({ runs, panelId }: { runs: readonly PanelRun[]; panelId: string }) {
  const t = figuresMessages.value;
  const failure = failedRunOf(runs[0]);
  const started = runs.filter(({ state }) => state === "started");
  const isAsking = started.some((run) => countsOf(run).pending > 0);
  const hasAnswers = started.some((run) => countsOf(run).completed > 0);
  return (
    <>
      {failure === null ? null : <RunFailure run={failure} />}
      <div class="empty">
        <h2>{hasAnswers ? t.emptyTitle : t.noneYetTitle}</h2>
        <p class="quiet">
          {isAsking ? t.emptyAsking : hasAnswers ? t.emptyWindow : failure === null ? t.emptyRun : t.emptyFailed}
        </p>
        {hasAnswers ? (
          <a class="button primary" href={withChoice({ days: "90", from: undefined, to: undefined })}>
            {t.widen}
          </a>
        ) : (
          <Allowed scope="panels:read">
            <a class="button primary" href={to(`/panels/${panelId}`, { part: "runs" })}>
              {t.toRuns}
            </a>
          </Allowed>
        )}
      </div>
    </>
  );
}

interface ShownProps {
  readonly panel: PanelRecord;
  readonly summary: Summary;
  readonly surface: ChosenSurface;
  readonly choice: Choice;
  readonly filters: ComponentChildren;
}

function Shown({ panel, summary, surface, choice, filters }: ShownProps) {
  const t = figuresMessages.value;
  const { panelId } = panel;
  const { brands, window } = summary;
  const brand = brands.find(({ entityId }) => entityId === choice.brand) ?? brands[0];
  const headline = headlineOf(summary, surface);
  const verdict = verdictOf(summary, surface);
  const asked = {
    panelId,
    window,
    headline,
    surface,
    brandId: brand?.entityId ?? null,
    ownId: verdict.own?.entityId ?? null,
    rivalId: verdict.rivals[0]?.brand.entityId ?? null,
    by: choice.by,
  };
  const { value, failed, refresh } = useLive<Details>(JSON.stringify(asked), (call) => readDetails(asked, call), {
    everyMs: null,
  });
  const table = { panelId, summary, surface, choice };
  return (
    <>
      {verdict.own === null ? null : <VerdictPart {...{ panel, summary, verdict }} details={value} />}
      {filters}
      <FailuresNote rows={summary.rows} panelId={panelId} />
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
          <ComparePart {...{ panelId, projectId: panel.projectId, summary, surface }} scope={choice.scope} />
          <SourcePart
            {...{ panelId, brands, surface }}
            window={headline}
            details={value}
            changes={summary.changes}
            scope={choice.scope}
          />
          <ProductPart {...{ brands, surface }} rows={value.products} scope={choice.scope} />
          <AnswerParts {...{ panelId, window, surface, brands }} />
          <AdPart {...{ brands, surface }} rows={value.ads} scope={choice.scope} />
          {brand === undefined ? null : <HeatMap panel={panel} rows={value.prompts} brands={brands} brand={brand} />}
        </>
      )}
    </>
  );
}
