import type { EntityRecord, PanelFigures, PanelPrices, PanelSearches } from "@querent/client";
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { answerPartMessages } from "../../i18n/answer-parts.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { TablePlace } from "../../ui/table-place.tsx";
import { number } from "../../ui/time.tsx";
import { isOf, surfaceFilter, type ChosenSurface } from "./choice.ts";
import { brandName } from "./names.ts";
import * as css from "./figures.module.css";

interface PartProps {
  readonly panelId: string;
  readonly window: PanelFigures["window"];
  readonly surface: ChosenSurface;
  readonly brands: readonly EntityRecord[];
}

/** The most rows of each table: the rest is for the command line and the API. */
const shownMax = 50;
const searchKinds = ["search", "related_question", "related_search"] as const;

/** The searches behind the answers of a surface, and the prices in them. Read when they are opened: few look at them. */
export function AnswerParts(props: PartProps) {
  const t = answerPartMessages.value;
  return (
    <section class={`panel ${css.part}`} aria-labelledby="figures-parts" data-answer-parts>
      <h2 id="figures-parts">{t.title}</h2>
      <p class="quiet small">{t.text}</p>
      {searchKinds.map((kind) => (
        <Opened key={kind} summary={t.searches.kinds[kind]}>
          <Searches {...props} kind={kind} />
        </Opened>
      ))}
      <Opened summary={t.prices.summary}>
        <Prices {...props} />
      </Opened>
    </section>
  );
}

function Opened({ summary, children }: { readonly summary: string; readonly children: ComponentChildren }) {
  const [isOpen, setOpen] = useState(false);
  return (
    <details open={isOpen} onToggle={({ currentTarget }) => setOpen(currentTarget.open)}>
      <summary>{summary}</summary>
      {isOpen ? children : null}
    </details>
  );
}

function Searches({ panelId, window, surface, brands, kind }: PartProps & { readonly kind: PanelSearches["kind"] }) {
  const { searches: t, computing } = answerPartMessages.value;
  const filter = surfaceFilter(surface);
  const { value, failed, refresh } = useLive<PanelSearches>(
    JSON.stringify(["searches", panelId, window, filter, kind]),
    (options) =>
      querent.panels.searches(panelId, { kind, limit: shownMax, ...filter, ...window }, { ...options, maxRetries: 5 }),
    { everyMs: null },
  );
  if (failed !== null) return <FailureNote failed={failed} retry={refresh} />;
  if (value === null) return <Computing text={computing} />;
  const row = value.rows.find((each) => isOf(surface, each));
  const unknown = Object.values(row?.leftOut ?? {}).reduce((sum, count) => sum + count, 0);
  if (row === undefined || row.searches.length === 0)
    return <p class="quiet">{unknown === 0 ? t.none : `${t.none} ${t.unknown(number(unknown))}`}</p>;
  return (
    <>
      <p class="small">
        {t.counted(number(row.queryCount), number(row.answers))}
        {unknown === 0 ? null : ` ${t.unknown(number(unknown))}`}
      </p>
      <ul class="small">
        {row.entities.map(({ entityId, answers, of }) => (
          <li key={entityId}>{t.named(brandName(entityId, brands), number(answers), number(of))}</li>
        ))}
      </ul>
      <TablePlace label={t.kinds[kind]}>
        <table class={`table ${css.dense}`}>
          <thead>
            <tr>
              <th scope="col">{t.columns.query}</th>
              <th scope="col" class={css.amount}>
                {t.columns.answers}
              </th>
              <th scope="col">{t.columns.brands}</th>
              <th scope="col">{t.columns.trend}</th>
              <th scope="col">{t.columns.seen}</th>
            </tr>
          </thead>
          <tbody>
            {row.searches.map(({ query, answers, entityIds, trend, lastSeenAt }) => (
              <tr key={query} data-search={trend}>
                <th scope="row">
                  <bdi>{query}</bdi>
                </th>
                <td class={css.amount}>{number(answers)}</td>
                <td>
                  <bdi>{entityIds.map((entityId) => brandName(entityId, brands)).join(", ")}</bdi>
                </td>
                <td>{t.trends[trend]}</td>
                <td>{lastSeenAt.slice(0, 10)}</td>
              </tr>
            ))}
          </tbody>
        </table>
      </TablePlace>
      {row.queryCount > row.searches.length ? (
        <p class="quiet small">{t.more(number(row.queryCount - row.searches.length))}</p>
      ) : null}
    </>
  );
}

type Series = PanelPrices["series"][number];

function Prices({ panelId, window, surface }: PartProps) {
  const { prices: t, computing } = answerPartMessages.value;
  const filter = surfaceFilter(surface);
  const { value, failed, refresh } = useLive<PanelPrices>(
    JSON.stringify(["prices", panelId, window, filter]),
    (options) =>
      querent.panels.prices(panelId, { limit: shownMax, ...filter, ...window }, { ...options, maxRetries: 5 }),
    { everyMs: null },
  );
  if (failed !== null) return <FailureNote failed={failed} retry={refresh} />;
  if (value === null) return <Computing text={computing} />;
  const shown = value.series.filter((each) => isOf(surface, each));
  if (shown.length === 0) return <p class="quiet">{t.none}</p>;
  const leftOut = Object.entries(t.reasons).flatMap(([code, words]) => {
    const count = value.leftOut[code] ?? 0;
    return count === 0 ? [] : [words(number(count))];
  });
  return (
    <>
      <p class="small">
        {t.counted(number(value.seriesCount), number(value.offers))}
        {leftOut.length === 0 ? null : ` ${t.leftOut(leftOut.join(", "))}`}
      </p>
      <TablePlace label={t.summary}>
        <table class={`table ${css.dense}`}>
          <thead>
            <tr>
              <th scope="col">{t.columns.product}</th>
              <th scope="col">{t.columns.shop}</th>
              <th scope="col" class={css.amount}>
                {t.columns.median}
              </th>
              <th scope="col" class={css.amount}>
                {t.columns.range}
              </th>
              <th scope="col" class={css.amount}>
                {t.columns.count}
              </th>
              <th scope="col">{t.columns.days}</th>
            </tr>
          </thead>
          <tbody>
            {shown.map((series) => (
              <tr key={`${series.product} ${series.shop} ${series.currency}`} data-price={series.currency}>
                <th scope="row">
                  <bdi>{series.product}</bdi>
                </th>
                <td>{series.shop === "" ? <span class="quiet">{t.noShop}</span> : <bdi>{series.shop}</bdi>}</td>
                <td class={css.amount}>{medianOf(series, series.currency)}</td>
                <td class={css.amount}>
                  {series.lowest === series.highest
                    ? money(series.lowest, series.currency)
                    : `${money(series.lowest, series.currency)} – ${money(series.highest, series.currency)}`}
                </td>
                <td class={css.amount}>{number(series.offers)}</td>
                <td>
                  <PriceLine series={series} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TablePlace>
      {value.seriesCount > value.series.length ? (
        <p class="quiet small">{t.more(number(value.seriesCount - value.series.length))}</p>
      ) : null}
    </>
  );
}

const medianOf = ({ median }: Pick<Series, "median">, currency: string): string =>
  median === null ? answerPartMessages.value.prices.tooFew : money(median, currency);

/** With the code of the currency, because a sign such as `$` has several. */
const money = (amount: number, currency: string): string => `${number(amount)} ${currency}`;

const lineWidth = 140;
const lineHeight = 28;

/** The range of each day as a bar, and its median as a dot. */
function PriceLine({ series: { days, lowest, highest, currency } }: { readonly series: Series }) {
  const t = answerPartMessages.value.prices;
  const times = days.map(({ day }) => Date.parse(day));
  const [first = 0, last = 0] = [times[0], times.at(-1)];
  const x = (time: number) =>
    last === first ? lineWidth / 2 : 3 + ((time - first) / (last - first)) * (lineWidth - 6);
  const y = (amount: number) =>
    highest === lowest ? lineHeight / 2 : lineHeight - 3 - ((amount - lowest) / (highest - lowest)) * (lineHeight - 6);
  const words = days.map((day) =>
    t.day(day.day, money(day.lowest, currency), medianOf(day, currency), money(day.highest, currency)),
  );
  return (
    <svg class={css.priceLine} viewBox={`0 0 ${lineWidth} ${lineHeight}`} role="img" aria-label={words.join("; ")}>
      {days.map((day, index) => {
        const at = x(times[index] ?? first);
        return (
          <g key={day.day}>
            <title>{words[index]}</title>
            <line x1={at} x2={at} y1={y(day.highest) - 1} y2={y(day.lowest) + 1} />
            <circle cx={at} cy={y(day.median ?? (day.lowest + day.highest) / 2)} r={day.median === null ? 1.4 : 2.4} />
          </g>
        );
      })}
    </svg>
  );
}

const Computing = ({ text }: { readonly text: string }) => (
  <p class="quiet" role="status">
    {text}
  </p>
);
