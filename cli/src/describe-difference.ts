/** What differs between a report as it is written and as it is made again, in a sentence for a person. */
import { firstDifference, type Report, type ReportRow } from "@querent/figures";

/** Names a figure that differs, if there is one: which of the counts differ as well says less. */
export function describeDifference(place: string, made: Report, written: unknown): string {
  const figure = differingFigure(made, written);
  const counted = describeCounts(made.counts, (written as Partial<Report> | null)?.counts);
  if (figure === null)
    return `The report is wrong at ${printable(place)}. It states ${shown(written, place)}; computed again, it is ${shown(made, place)}.${counted}`;
  const { definition, group } = figure.row;
  const { entityId, domain, sourceType, promptId, platformCode, kind, locale, persona } = group;
  const entity = made.entities.find((one) => one.entityId === entityId)?.name ?? null;
  const about = [entity, domain, sourceType, promptId, `${platformCode} (${kind})`, locale, persona];
  const named = about.filter((one) => one !== null && one !== "").join(", ");
  const values = `It states ${shown(figure.stated, figure.place)}; computed again, it is ${shown(figure.row, figure.place)}.`;
  return `The figure ${definition} of ${printable(named)} is wrong (${printable(figure.at + figure.place)}). ${values}${counted}`;
}

interface DifferingFigure {
  readonly row: ReportRow;
  readonly stated: unknown;
  /** Where the row stands in the report, and where in the row they differ. */
  readonly at: string;
  readonly place: string;
}

/**
 * A figure with another value, or otherwise with another interval or number of answers. Rows are compared by what they are
 * about, because without an answer there may be fewer of them.
 */
function differingFigure(made: Report, written: unknown): DifferingFigure | null {
  let other: DifferingFigure | null = null;
  for (const part of ["summary", "prompts"] as const) {
    const rows = (written as Partial<Record<typeof part, unknown>> | null)?.[part];
    const stated = new Map(
      Array.isArray(rows) ? rows.map((row, index) => [keyOf(row as ReportRow), { row, index }]) : [],
    );
    for (const row of made[part]) {
      const same = stated.get(keyOf(row));
      if (same === undefined) continue;
      const place = firstDifference(row, same.row);
      if (place === null) continue;
      const [value] = ["/thesePrompts/value", "/promptsLikeThese/value"].filter(
        (each) => shown(row, each) !== shown(same.row, each),
      );
      const found = { row, stated: same.row as unknown, at: `/${part}/${same.index}`, place: value ?? place };
      if (value !== undefined) return found;
      other ??= found;
    }
  }
  return other;
}

const keyOf = (row: Partial<ReportRow> | null) => JSON.stringify([row?.definition, row?.group]);

function describeCounts({ answers }: Report["counts"], stated: Partial<Report["counts"]> | undefined): string {
  if (stated?.answers === answers) return "";
  return ` It states that it was made of ${printable(String(stated?.answers))} answers, and the zip has ${answers}.`;
}

/** What stands at a place, in a few characters. */
function shown(root: unknown, place: string): string {
  let value = root;
  for (const part of place.split("/").slice(1)) {
    if (typeof value !== "object" || value === null) return "nothing";
    value = (value as Record<string, unknown>)[part.replaceAll("~1", "/").replaceAll("~0", "~")];
  }
  return value === undefined ? "nothing" : printable(JSON.stringify(value));
}

/** Text from an untrusted file, safe for a terminal. */
export const printable = (text: string): string => text.slice(0, 200).replace(/[^\x20-\x7e]/g, "?");
