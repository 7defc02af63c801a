import { useRef } from "preact/hooks";
import { to } from "../../app/address.ts";
import { StateMark } from "../../ui/state-mark.tsx";
import { duration, number } from "../../ui/time.tsx";
import { batchesMessages } from "../../i18n/batches.ts";
import { phrases } from "../../i18n/phrases.ts";
import type { BatchCell, GridRow } from "./cell.ts";
import { useHighlight } from "./use-highlight.ts";
import { useWindow } from "./use-window.ts";
import * as css from "./answer-grid.module.css";

interface AnswerGridProps {
  /** The batch's own address, to which the comparison adds. */
  readonly path: string;
  readonly rows: readonly GridRow[];
  readonly platforms: readonly string[];
  readonly brandText: string;
  readonly brands: readonly string[];
}

/** The height of a row, as the style sheet has it. Rows of one height can be left out while they are out of sight. */
const rowHeight = 132;
const excerptChars = 400;
/** Narrower columns would hold too little to be read; where they don't fit, the grid is moved sideways. */
const questionWidth = 150;
const answerWidth = 226;

/** Questions by platforms: what each answered, in its first lines. Only the rows in sight are made. */
export function AnswerGrid({ path, rows, platforms, brandText, brands }: AnswerGridProps) {
  const t = batchesMessages.value;
  const body = useRef<HTMLTableSectionElement>(null);
  const { from, to: end } = useWindow(body, { count: rows.length, rowHeight });
  useHighlight(body, brands, platforms.length);
  return (
    <div class={css.gridFrame} tabIndex={0} role="region" aria-label={t.grid}>
      <table
        class={css.grid}
        aria-rowcount={rows.length + 1}
        style={{ minWidth: `${questionWidth + platforms.length * answerWidth}px` }}
      >
        <thead>
          <tr>
            <th scope="col" class={css.gridQuestion}>
              {t.question} <span class="count">{number(rows.length)}</span>
            </th>
            {platforms.map((platform) => (
              <th key={platform} scope="col">
                {platform}
              </th>
            ))}
          </tr>
        </thead>
        <tbody ref={body}>
          {from === 0 ? null : <tr aria-hidden="true" style={{ height: `${from * rowHeight}px` }} />}
          {rows.slice(from, end).map((row, index) => (
            <tr key={from + index} aria-rowindex={from + index + 2}>
              <th scope="row" class={css.gridQuestion}>
                <a
                  data-task={from + index}
                  class={css.gridLink}
                  href={to(path, { row: String(from + index + 1), brands: brandText })}
                  dir="auto"
                >
                  {row.question.slice(0, excerptChars)}
                </a>
              </th>
              {platforms.map((platform) => (
                <td key={platform}>
                  <CellView cells={row.cells.get(platform) ?? []} />
                </td>
              ))}
            </tr>
          ))}
          {end === rows.length ? null : (
            <tr aria-hidden="true" style={{ height: `${(rows.length - end) * rowHeight}px` }} />
          )}
        </tbody>
      </table>
    </div>
  );
}

function CellView({ cells }: { cells: readonly BatchCell[] }) {
  const t = batchesMessages.value;
  const cell = cells.at(-1);
  if (cell === undefined) return <span class="quiet small">{t.notAsked}</span>;
  return (
    <a class={css.cell} data-state={cell.state} href={to(`/tasks/${cell.taskId}`)}>
      <span class={css.cellText} dir="auto">
        {cell.text === null ? (
          <span class="quiet">{whyNone(cell)}</span>
        ) : (
          cell.text.slice(0, excerptChars).toWellFormed()
        )}
      </span>
      <span class={css.cellFoot}>
        <StateMark state={cell.state} progress={cell.progress} />
        {cell.sourceCount === 0 ? null : <span>{t.sources(cell.sourceCount)}</span>}
        {cell.cardCount === 0 ? null : <span>{t.cards(cell.cardCount)}</span>}
        {cell.endedAt === null ? null : (
          <span>{duration(Math.max(0, Date.parse(cell.endedAt) - Date.parse(cell.createdAt)))}</span>
        )}
        {cells.length < 2 ? null : <span>{t.again(cells.length)}</span>}
      </span>
    </a>
  );
}

function whyNone(cell: BatchCell): string {
  const t = batchesMessages.value;
  if (cell.state === "completed") return cell.expired ? t.expired : t.noText;
  return cell.failureCode ?? phrases.value.taskStates[cell.state];
}
