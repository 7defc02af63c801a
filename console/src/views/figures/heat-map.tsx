import type { EntityRecord, FigureRow, PanelRecord } from "@querent/client";
import { useMemo, useState } from "preact/hooks";
import { go } from "../../app/address.ts";
import { figuresMessages } from "../../i18n/figures.ts";
import { TablePlace } from "../../ui/table-place.tsx";
import { number, percent } from "../../ui/time.tsx";
import { AnswersLink } from "./answers-link.tsx";
import { withChoice } from "./choice.ts";
import { DefinitionLink } from "./definition-link.tsx";
import { may } from "../../app/session.ts";
import { answersAddress, countOf, range, tooFew } from "./figure-of.ts";
import * as css from "./figures.module.css";

interface HeatMapProps {
  readonly panel: PanelRecord;
  readonly rows: readonly FigureRow[];
  readonly brands: readonly EntityRecord[];
  readonly brand: EntityRecord;
}

const promptsShown = 60;
/** Shades from few answers to all. */
const shades = 5;

/** How often each prompt names a brand on each platform. A cell is about its one prompt, so there is but one scope. */
export function HeatMap({ panel, rows, brands, brand }: HeatMapProps) {
  const t = figuresMessages.value;
  const [isWhole, setWhole] = useState(false);
  const { columns, cells } = useMemo(() => gridOf(rows), [rows]);
  const prompts = panel.prompts.filter(({ promptId }) => cells.has(promptId));
  const shown = isWhole ? prompts : prompts.slice(0, promptsShown);
  return (
    <section class={`panel ${css.part}`} aria-labelledby="figures-heat">
      <header class={css.partHead}>
        <h2 id="figures-heat">{t.heatMap}</h2>
        <label class={css.brandChoice}>
          <span class="small quiet">{t.brand}</span>
          <select
            class="input"
            value={brand.entityId}
            onChange={({ currentTarget }) => go(withChoice({ brand: currentTarget.value }), { replace: true })}
          >
            {brands.map(({ entityId, name }) => (
              <option key={entityId} value={entityId}>
                {name}
              </option>
            ))}
          </select>
        </label>
      </header>
      <p class="quiet small">
        {t.heatMapText(brand.name)} <DefinitionLink measure="presence">{t.columns.presence}</DefinitionLink>
      </p>
      <TablePlace label={t.heatMap}>
        <table class={`table ${css.heat}`}>
          <thead>
            <tr>
              <th scope="col">{t.prompt}</th>
              {columns.map(([key, { platformCode, kind }]) => (
                <th key={key} scope="col">
                  <bdi>{platformCode}</bdi>
                  <span class="quiet"> {t.kinds[kind]}</span>
                </th>
              ))}
            </tr>
          </thead>
          <tbody>
            {shown.map(({ promptId, text }) => (
              <tr key={promptId} data-prompt={promptId}>
                <th scope="row" dir="auto">
                  {text}
                </th>
                {columns.map(([key]) => (
                  <HeatCell key={key} row={cells.get(promptId)?.get(key)} what={text} />
                ))}
              </tr>
            ))}
          </tbody>
        </table>
      </TablePlace>
      {shown.length === prompts.length ? null : (
        <button type="button" class="button start" onClick={() => setWhole(true)}>
          {t.allPrompts(number(prompts.length))}
        </button>
      )}
    </section>
  );
}

function HeatCell({ row, what }: { row: FigureRow | undefined; what: string }) {
  const t = figuresMessages.value;
  if (row === undefined) return <td class="quiet small">–</td>;
  const { thesePrompts: figure } = row;
  const { value, interval } = figure;
  const isStated = value !== null && interval !== null;
  return (
    <td class={isStated ? css[`heat-${Math.min(shades - 1, Math.floor(value * shades))}`] : undefined}>
      <AnswersLink look={css.figure} href={answersAddress(row, figure)}>
        <span class="unseen">{may("tasks:read") ? t.answersOf(what) : what} </span>
        {isStated ? (
          <>
            <strong>{percent(value)}</strong>
            <span class="small">{range(interval)}</span>
          </>
        ) : (
          <>
            {countOf(row, figure)}
            <span class="quiet small">{tooFew(figure, row.leftOut)}</span>
          </>
        )}
      </AnswersLink>
    </td>
  );
}

/** Prompts whose text names the brand have no answers in the figure, and no row. */
function gridOf(rows: readonly FigureRow[]) {
  const columns = new Map<string, FigureRow["group"]>();
  const cells = new Map<string, Map<string, FigureRow>>();
  for (const row of rows) {
    const { promptId, platformCode, kind } = row.group;
    if (promptId === null || row.brandedPromptsLeftOut > 0) continue;
    const key = `${platformCode} ${kind}`;
    columns.set(key, row.group);
    const cell = cells.get(promptId) ?? new Map<string, FigureRow>();
    cells.set(promptId, cell.set(key, row));
  }
  return { columns: [...columns], cells };
}
