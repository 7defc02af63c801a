import { useMemo, useRef, useState } from "preact/hooks";
import { instrumentNames } from "./instrument-names.ts";
import { figuresMessages } from "../../i18n/figures.ts";
import { go } from "../../app/address.ts";
import type { PlotHandle } from "../../ui/chart-plot.tsx";
import { Segments } from "../../ui/segments.tsx";
import { TablePlace } from "../../ui/table-place.tsx";
import { percent } from "../../ui/time.tsx";
import { withChoice, type Choice } from "./choice.ts";
import { spokenFigure } from "./figure-link.tsx";
import { range, tooFew } from "./figure-of.ts";
import { SeriesPlot } from "./series-plot.tsx";
import { seriesOf, type DrawnSeam, type DrawnSeries, type SeriesOf } from "./series-points.ts";
import * as css from "./figures.module.css";

/** How often each brand is named over time. The plot is read by pointer or arrow keys; a table has the same. */
export function SeriesPart({
  rows,
  stretches,
  brands,
  brandId,
  choice,
}: Omit<SeriesOf, "scope"> & { readonly choice: Choice }) {
  const t = figuresMessages.value;
  const series = useMemo(
    () => seriesOf({ rows, stretches, brands, brandId, scope: choice.scope }),
    [rows, stretches, brands, brandId, choice.scope],
  );
  const [at, setAt] = useState<number | null>(null);
  const plot = useRef<PlotHandle>(null);
  const last = series.points.length - 1;
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key === "ArrowRight") plot.current?.select(Math.min(last, (at ?? -1) + 1));
    else if (event.key === "ArrowLeft") plot.current?.select(Math.max(0, (at ?? last + 1) - 1));
    else if (event.key === "Escape") plot.current?.select(null);
    else return;
    event.preventDefault();
  };
  const hasBand = series.band.some((interval) => interval !== null);
  return (
    <figure class={`panel ${css.part}`} data-series>
      <figcaption class={css.partHead}>
        <h2>{t.series}</h2>
        <Segments
          name="figures-by"
          label={t.series}
          value={choice.by}
          labels={t.by}
          look="small"
          choose={(by) => go(withChoice({ by: by === "day" ? undefined : by }), { replace: true })}
        />
      </figcaption>
      <Reading series={series} at={at} />
      <div
        class={css.plotPlace}
        role="img"
        aria-label={`${t.series} ${at === null ? t.noPoint : readingOf(series, at)}`}
        tabIndex={0}
        onKeyDown={onKeyDown}
        onBlur={() => plot.current?.select(null)}
      >
        <SeriesPlot series={series} onSelect={setAt} handle={plot} />
      </div>
      <p class="quiet small">{hasBand ? t.bandText : t.noBand}</p>
      {series.seams.map((seam) => (
        <p key={seam.point.x} class={`note note-warn ${css.seam}`}>
          <span>
            <strong>{t.seam}</strong> {seamText(seam)}
          </span>
        </p>
      ))}
      <details>
        <summary>{t.asTable}</summary>
        <SeriesTable series={series} />
      </details>
    </figure>
  );
}

function Reading({ series, at }: { series: DrawnSeries; at: number | null }) {
  const t = figuresMessages.value;
  const point = at === null ? undefined : series.points[at];
  const band = at === null ? null : (series.band[at] ?? null);
  return (
    <ul class={`${css.legend} small`} aria-live="polite">
      <li class={css.legendHead}>{point === undefined ? t.noPoint : <strong>{point.name}</strong>}</li>
      {series.lines.map(({ brand, figures }, index) => {
        const figure = at === null ? null : (figures[at] ?? null);
        return (
          <li key={brand.entityId}>
            <svg class={css[`look-${index}`]} viewBox="0 0 24 8" aria-hidden="true">
              <line x1="0" x2="24" y1="4" y2="4" />
            </svg>
            <bdi>{brand.name}</bdi>
            {figure === null || figure.value === null ? null : <strong>{percent(figure.value)}</strong>}
            {band === null || index > 0 ? null : <span class="quiet">{t.around(range(band))}</span>}
          </li>
        );
      })}
    </ul>
  );
}

function readingOf({ points, lines }: DrawnSeries, at: number): string {
  const values = lines.flatMap(({ brand, figures }) => {
    const figure = figures[at] ?? null;
    return figure === null ? [] : [`${brand.name} ${figure.value === null ? tooFew(figure) : percent(figure.value)}`];
  });
  return [points[at]?.name, ...values].join(" · ");
}

function seamText({ point, before, after }: DrawnSeam): string {
  const t = figuresMessages.value;
  return t.seamAt(point.name, instrumentNames(before, after), instrumentNames(after, before));
}

function SeriesTable({ series: { points, lines, seams } }: { series: DrawnSeries }) {
  const t = figuresMessages.value;
  const seamed = new Set(seams.map(({ point }) => point.x));
  return (
    <TablePlace label={t.series}>
      <table class={`table ${css.dense}`}>
        <thead>
          <tr>
            <th scope="col">{t.point}</th>
            {lines.map(({ brand }) => (
              <th key={brand.entityId} scope="col">
                <bdi>{brand.name}</bdi>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {points.map(({ x, name }, index) => (
            <tr key={x}>
              <th scope="row" class="nowrap">
                {name} {seamed.has(x) ? <span class="tag">{t.seam}</span> : null}
              </th>
              {lines.map(({ brand, figures }) => {
                const figure = figures[index] ?? null;
                return (
                  <td key={brand.entityId} class="nowrap">
                    {figure === null
                      ? t.noAnswers
                      : figure.interval === null
                        ? pointText(figure.value, tooFew(figure))
                        : spokenFigure(figure)}
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

const pointText = (value: number | null, why: string) => (value === null ? why : `${percent(value)} (${why})`);
