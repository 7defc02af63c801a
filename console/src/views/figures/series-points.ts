/** The points of the series of all brands, in one order for all lines. */
import type { EntityRecord, Figure, FigureRow } from "@querent/client";
import { day } from "../../ui/time.tsx";
import type { ChosenScope } from "./choice.ts";
import { figureOf } from "./figure-of.ts";
import type { Stretch } from "./read-figures.ts";

export interface DrawnPoint {
  /** Where it stands: the number of the day, or of the run. */
  readonly x: number;
  /** UTC; empty if there is none. */
  readonly day: string;
  readonly name: string;
}

export interface SeriesLine {
  readonly brand: EntityRecord;
  /** One for each point; null: no answers. */
  readonly figures: readonly (Figure | null)[];
}

export interface DrawnSeam {
  readonly point: DrawnPoint;
  readonly before: Figure["instrument"];
  readonly after: Figure["instrument"];
}

export interface DrawnSeries {
  readonly points: readonly DrawnPoint[];
  /** The brand that was chosen first. */
  readonly lines: readonly SeriesLine[];
  /** The interval of the first line in the days around each point. */
  readonly band: readonly (Interval | null)[];
  readonly seams: readonly DrawnSeam[];
}

type Interval = NonNullable<Figure["interval"]>;

const linesMax = 5;
const dayMs = 86_400_000;

export interface SeriesOf {
  readonly rows: readonly FigureRow[];
  readonly stretches: readonly Stretch[];
  readonly brands: readonly EntityRecord[];
  readonly brandId: string | null;
  readonly scope: ChosenScope;
}

export function seriesOf({ rows, stretches, brands, brandId, scope }: SeriesOf): DrawnSeries {
  const keys = new Map<string, DrawnPoint>();
  for (const { group } of rows) {
    const key = keyOf(group);
    if (key === null || keys.has(key)) continue;
    const at = group.day ?? "";
    keys.set(key, {
      x: group.runId === null ? Date.parse(at) / dayMs : keys.size,
      day: at,
      name: at === "" ? key : day(at),
    });
  }
  const ordered = [
    ...brands.filter(({ entityId }) => entityId === brandId),
    ...brands.filter(({ entityId }) => entityId !== brandId),
  ];
  const lines = ordered.slice(0, linesMax).map((brand): SeriesLine => {
    const own = new Map(
      rows
        .filter(({ group }) => group.entityId === brand.entityId)
        .map((row) => [keyOf(row.group), figureOf(row, scope)]),
    );
    return { brand, figures: [...keys.keys()].map((key) => own.get(key) ?? null) };
  });
  return {
    points: [...keys.values()],
    lines,
    band: [...keys.values()].map((point) => intervalOf(stretches, point, scope)),
    seams: seamsOf(
      rows.filter(({ group }) => group.entityId === brandId),
      keys,
    ),
  };
}

/** The interval of the stretch in which most of the point's day lies. */
function intervalOf(stretches: readonly Stretch[], { day: at }: DrawnPoint, scope: ChosenScope): Interval | null {
  const noon = `${at}T12:00:00.000Z`;
  const stretch = stretches.find(({ from, to }) => from <= noon && noon < to) ?? stretches.at(-1);
  return stretch?.row === undefined ? null : figureOf(stretch.row, scope).interval;
}

const keyOf = ({ runId, day: at }: FigureRow["group"]): string | null => runId ?? at;

function seamsOf(rows: readonly FigureRow[], points: ReadonlyMap<string, DrawnPoint>): DrawnSeam[] {
  let before: FigureRow | null = null;
  const seams: DrawnSeam[] = [];
  for (const row of rows) {
    const point = points.get(keyOf(row.group) ?? "");
    if (row.seam && before !== null && point !== undefined)
      seams.push({ point, before: before.thesePrompts.instrument, after: row.thesePrompts.instrument });
    if (row.thesePrompts.instrument.length > 0) before = row;
  }
  return seams;
}
