/** The queries of a Google Search Console export: `Queries.csv`, in the languages in which it is exported. */
import { CsvRecords } from "@querent/client";
import type { FoundText } from "../engine/propose.ts";
import { textCharsMax, tidy } from "../engine/read-text.ts";
import { Tally } from "./tally.ts";

export const rowsMax = 50_000;
const chunkChars = 64 * 1024;

/** Headers of the columns after the query, in lower case. */
const headers = {
  clicks: "clicks|klicks|clics|cliques|clic|klikken|点击次数|點擊|點閱次數|点击量|クリック数|클릭수|клики",
  impressions:
    "impressions|impressionen|impresiones|impressões|impressioni|vertoningen|展示次数|曝光|曝光次數|展示量|表示回数|노출|показы",
  position: "position|posición|posição|posizione|positie|average position|排名|平均排名|排序|掲載順位|게재순위|позиция",
} as const;
type Column = keyof typeof headers;

const columnOf = (cell: string): Column | null => {
  const name = cell.trim().toLowerCase();
  return (Object.keys(headers) as Column[]).find((column) => headers[column].split("|").includes(name)) ?? null;
};

/** Returns how many rows there are. */
export function* searchConsoleTexts(csv: string, tally: Tally): Generator<FoundText | void, number, void> {
  const reader = new CsvRecords((cell) => columnOf(cell) !== null);
  let columns: Partial<Record<Column, number>> | null = null;
  let rows = 0;
  for (let at = 0; at <= csv.length; at += chunkChars) {
    const isLast = at + chunkChars > csv.length;
    const chunk = csv.slice(at, at + chunkChars);
    const records = isLast ? [...reader.push(chunk), ...reader.end()] : reader.push(chunk);
    for (const record of records) {
      if (record.fault !== undefined) {
        tally.leaveOut("faulty_row");
        continue;
      }
      if (columns === null) {
        columns = columnsOf(record.cells);
        if (columns !== null) continue;
        // Without a header, the columns are in the order of every export.
        columns = { clicks: 1, impressions: 2, position: 4 };
        if (!/^\d/u.test(record.cells[1] ?? "0")) continue;
      }
      if (rows >= rowsMax) {
        tally.leaveOut("too_many");
        continue;
      }
      rows++;
      const text = tidy(record.cells[0] ?? "");
      if (!tally.takes(text, textCharsMax)) continue;
      const cell = (column: Column) => record.cells[columns?.[column] ?? -1];
      yield {
        text,
        evidence: {
          origin: "search_console",
          clicks: wholeNumber(cell("clicks")),
          impressions: wholeNumber(cell("impressions")),
          position: decimal(cell("position")),
          line: record.line,
        },
      };
    }
    yield;
  }
  return rows;
}

function columnsOf(cells: readonly string[]): Partial<Record<Column, number>> | null {
  const found: Partial<Record<Column, number>> = {};
  for (const [index, cell] of cells.slice(0, 20).entries()) {
    const column = columnOf(cell);
    if (column !== null && index > 0) found[column] = index;
  }
  return Object.keys(found).length === 0 ? null : found;
}

/** With whatever separates thousands. */
function wholeNumber(cell: string | undefined): number | null {
  const digits = (cell ?? "").replaceAll(/\D/gu, "").slice(0, 10);
  return digits === "" ? null : Math.min(10_000_000, Number(digits));
}

function decimal(cell: string | undefined): number | null {
  const text = (cell ?? "").trim().replace(",", ".");
  return /^\d{1,6}(?:\.\d{1,6})?$/u.test(text) ? Number(text) : null;
}
