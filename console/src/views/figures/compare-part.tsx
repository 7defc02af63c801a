import {
  InvalidRequestError,
  type ComparisonQuery,
  type EntityRecord,
  type PanelComparison,
  type PanelSummary,
} from "@querent/client";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { go, query } from "../../app/address.ts";
import { comparisonMessages } from "../../i18n/comparison.ts";
import { figuresMessages } from "../../i18n/figures.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { TablePlace } from "../../ui/table-place.tsx";
import { number, percent } from "../../ui/time.tsx";
import { isOf, surfaceFilter, surfaceKey, withChoice, type ChosenScope, type ChosenSurface } from "./choice.ts";
import { DefinitionLink } from "./definition-link.tsx";
import type { Summary } from "./read-figures.ts";
import { brandName, measureName } from "./names.ts";
import * as css from "./figures.module.css";

interface ComparePartProps {
  readonly panelId: string;
  readonly projectId: string;
  readonly summary: Summary;
  readonly surface: ChosenSurface;
  readonly scope: ChosenScope;
}

const measures = ["presence", "mention_share", "first_place_of_all", "listed", "citation_rate"] as const;

/** What is shown, compared with another platform, locale or persona of the panel, or with another panel. The choice stands in the address. */
export function ComparePart(props: ComparePartProps) {
  const { panelId, projectId, summary, surface } = props;
  const t = comparisonMessages.value;
  const asked = query.value.get("with") ?? "";
  const { value: panels } = useLive<readonly PanelSummary[]>(
    `panels to compare with ${projectId}`,
    (call) => Array.fromAsync(querent.panels.list({ ...call, project: projectId })),
    { everyMs: null },
  );
  // A request can't ask for answers without a locale or persona beside others, and what it does not name is as in the first arm.
  const isNamed = (one: string, other: string) => (one === "") === (other === "");
  const surfaces = summary.surfaces.filter(
    ({ surface: { locale, persona }, surface: each }) =>
      !isOf(surface, each) && isNamed(locale, surface.locale) && isNamed(persona, surface.persona),
  );
  const others = (panels ?? []).filter((each) => each.panelId !== panelId);
  const other = surfaces.find((each) => surfaceKey(each.surface) === asked)?.surface;
  const chosen: ComparisonQuery | null =
    other === undefined
      ? others.some((each) => each.panelId === asked)
        ? { withPanelId: asked }
        : null
      : otherArm(other);
  return (
    <section class={`panel ${css.part}`} aria-labelledby="figures-compare" data-compare>
      <h2 id="figures-compare">{t.title}</h2>
      <p class="quiet small">{t.text}</p>
      <div class={css.siteFilters}>
        <label>
          <span class="small quiet">{t.choose}</span>
          <select
            class="input"
            value={chosen === null ? "" : asked}
            onChange={({ currentTarget: { value } }) =>
              go(withChoice({ with: value === "" ? undefined : value }), { replace: true })
            }
          >
            <option value="">{t.none}</option>
            {surfaces.length === 0 ? null : (
              <optgroup label={t.surfaces}>
                {surfaces.map(({ surface: each }) => (
                  <option key={surfaceKey(each)} value={surfaceKey(each)}>
                    {labelOf(each)}
                  </option>
                ))}
              </optgroup>
            )}
            {others.length === 0 ? null : (
              <optgroup label={t.panels}>
                {others.map((each) => (
                  <option key={each.panelId} value={each.panelId}>
                    {each.name}
                  </option>
                ))}
              </optgroup>
            )}
          </select>
        </label>
      </div>
      {chosen === null ? null : <Compared {...props} other={chosen} />}
    </section>
  );
}

const otherArm = ({ platformCode, kind, locale, persona }: ChosenSurface): ComparisonQuery => ({
  withPlatformCode: platformCode,
  withKind: kind,
  ...(locale === "" ? {} : { withLocale: locale }),
  ...(persona === "" ? {} : { withPersona: persona }),
});

const labelOf = ({ platformCode, kind, locale, persona }: ChosenSurface) =>
  [platformCode, figuresMessages.value.kinds[kind], locale, persona].filter((part) => part !== "").join(" · ");

function Compared({ panelId, summary, surface, scope, other }: ComparePartProps & { readonly other: ComparisonQuery }) {
  const t = comparisonMessages.value;
  const asked = { measures, ...surfaceFilter(surface), kind: surface.kind, ...summary.window, ...other };
  const { value, failed, refresh } = useLive<PanelComparison>(
    JSON.stringify([panelId, asked]),
    (call) => querent.panels.compare(panelId, asked, { ...call, maxRetries: 5 }),
    { everyMs: null },
  );
  if (failed instanceof InvalidRequestError)
    return (
      <p class="note" role="status">
        {t.refused}: {failed.errors.map(({ detail }) => detail).join(" ")}
      </p>
    );
  if (failed !== null) return <FailureNote failed={failed} retry={refresh} />;
  if (value === null)
    return (
      <p class="quiet" role="status">
        {t.computing}
      </p>
    );
  return (
    <>
      <p class="small">{t.prompts(value.commonPrompts)}</p>
      <Differences rows={value.rows} brands={summary.brands} scope={scope} />
      <p class="quiet small">{t.adjusted}</p>
    </>
  );
}

interface DifferencesProps {
  readonly rows: PanelComparison["rows"];
  readonly brands: readonly EntityRecord[];
  readonly scope: ChosenScope;
}

function Differences({ rows, brands, scope }: DifferencesProps) {
  const t = comparisonMessages.value;
  return (
    <TablePlace label={t.title}>
      <table class={`table ${css.dense}`}>
        <thead>
          <tr>
            {(["what", "one", "other", "difference", "p"] as const).map((column) => (
              <th key={column} scope="col">
                {t.columns[column]}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => {
            const { value, interval, adjustedP, reason } =
              scope === "these_prompts" ? row.thesePrompts : row.promptsLikeThese;
            const about = row.domain ?? brandName(row.entityId, brands);
            return (
              <tr key={`${row.measure} ${row.entityId ?? row.domain}`} data-difference={`${row.measure} ${about}`}>
                <th scope="row">
                  <bdi>{about}</bdi>{" "}
                  <span class="small quiet">
                    <DefinitionLink measure={row.measure}>{measureName(row.measure)}</DefinitionLink>
                  </span>
                </th>
                <td>{row.one.value === null ? "–" : percent(row.one.value)}</td>
                <td>{row.other.value === null ? "–" : percent(row.other.value)}</td>
                <td>
                  <strong>{value === null ? "–" : t.points(signed(value))}</strong>
                  <span class="small quiet">
                    {" "}
                    {interval === null ? reason?.detail : t.interval(signed(interval.low), signed(interval.high))}
                  </span>
                </td>
                <td>
                  {adjustedP === null
                    ? "–"
                    : adjustedP < 0.001
                      ? `${t.below} ${number(0.001)}`
                      : number(Math.round(adjustedP * 1000) / 1000)}
                </td>
              </tr>
            );
          })}
        </tbody>
      </table>
    </TablePlace>
  );
}

function signed(share: number): string {
  const points = Math.round(share * 1000) / 10;
  return `${points > 0 ? "+" : points < 0 ? "−" : ""}${number(Math.abs(points))}`;
}
