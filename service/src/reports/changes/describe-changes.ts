/** The changes that were found, with the figures of both sides and the URLs of their answers. */
import type { FoundChange, FoundInstrumentChange } from "@querent/contract";
import {
  aboutSubject,
  comparableAnswers,
  figuresFrom,
  instrumentKey,
  measureOf,
  namesOf,
  type Answer,
  type ComputedRow,
  type InstrumentDays,
  type PanelDefinition,
  type Seam,
  type SeriesJudgement,
} from "@querent/figures";
import { newId } from "../../kernel/ids.ts";

/** The figures of the days of an instrument's change: those before it, at most a week, and those since. */
const daysBefore = 7;
/** The maximum of entities and surfaces in an event, which keeps it small. */
const figuresMax = 50;

type ChangedVerdict = SeriesJudgement & { readonly verdict: "changed" };

/** `answers`: at least those of the verdict's platform and days. Both sides have the same prompts and instruments. */
export function describeChange(
  panel: PanelDefinition,
  answers: readonly Answer[],
  verdict: ChangedVerdict,
  foundAt: Date,
): FoundChange {
  const { series, change, segment, prompts, promptsLeftOut, to, evidence, threshold } = verdict;
  const { measure, entityId, domain, platformCode, kind, locale, persona } = series;
  const instruments = new Set(segment.instruments);
  const promptOf = comparableAnswers(panel);
  const names = namesOf(panel, measure, entityId);
  const compared = answers.filter(
    (answer) =>
      instruments.has(instrumentKey(answer.instrument)) && prompts.has(promptOf(answer, names)?.promptId ?? ""),
  );
  const figures = figuresFrom(panel, compared);
  const sideOf = (window: { from: string; to: string }) => {
    const rows = figures({
      measure,
      ...aboutSubject(series),
      platformCode,
      locale,
      persona,
      ...window,
      by: "none",
      blend: true,
    });
    const figure = figureOf(rows, { kind, locale, persona });
    if (figure === null) throw new Error(`a change of ${measure} has no answers from ${window.from} to ${window.to}`);
    return figure;
  };
  const since = startOf(change.since);
  return {
    changeId: newId(),
    panelId: panel.panelId,
    measure,
    definition: measureOf(measure).definition,
    entityId,
    domain,
    platformCode,
    kind,
    locale,
    persona,
    direction: change.direction,
    difference: change.difference,
    since: change.since,
    earliest: change.earliest,
    latest: change.latest,
    shape: change.shape,
    continues: change.continues,
    sinceRunId: firstRunSince(compared, since),
    foundAt: foundAt.toISOString(),
    prompts: prompts.size,
    promptsLeftOut,
    evidence,
    threshold,
    before: sideOf({ from: startOf(change.beforeFrom), to: since }),
    after: sideOf({ from: startOf(change.afterFrom), to: endOf(to ?? change.since) }),
  };
}

/** `answers`: at least those of the platform, from a week before the seam on. */
export function describeInstrumentChange(
  panel: PanelDefinition,
  answers: readonly Answer[],
  { platform, seam }: { platform: InstrumentDays; seam: Seam },
  foundAt: Date,
): FoundInstrumentChange {
  const { platformCode, kind } = platform;
  const named = (keys: readonly string[]) => keys.flatMap((key) => platform.instruments.get(key) ?? []);
  const since = startOf(seam.day);
  const from = new Date(Date.parse(since) - daysBefore * dayMs).toISOString();
  const sideOf = (keys: readonly string[], window: { from: string; to?: string }) => {
    const some = new Set(keys);
    return {
      figures: figuresFrom(
        panel,
        answers.filter(({ instrument }) => some.has(instrumentKey(instrument))),
      ),
      window,
    };
  };
  const sides = { before: sideOf(seam.before, { from, to: since }), after: sideOf(seam.after, { from: since }) };
  const measure = "presence" as const;
  const figures = panel.entities
    .filter(({ relation }) => relation === "own")
    .flatMap(({ entityId }) => {
      const rowsOf = (side: typeof sides.before) =>
        side
          .figures({ measure, entityId, platformCode, ...side.window, by: "none", blend: true })
          .filter(({ group }) => group.kind === kind);
      const [before, after] = [rowsOf(sides.before), rowsOf(sides.after)];
      return surfacesOf([...before, ...after]).map(({ locale, persona }) => ({
        measure,
        entityId,
        locale,
        persona,
        before: figureOf(before, { kind, locale, persona }),
        after: figureOf(after, { kind, locale, persona }),
      }));
    });
  return {
    changeId: newId(),
    panelId: panel.panelId,
    platformCode,
    kind,
    since: seam.day,
    sinceRunId: seam.runId,
    foundAt: foundAt.toISOString(),
    before: named(seam.before),
    after: named(seam.after),
    figures: figures.slice(0, figuresMax),
  };
}

export const dayMs = 86_400_000;
export const startOf = (day: string) => `${day}T00:00:00.000Z`;
export const endOf = (day: string) => new Date(Date.parse(startOf(day)) + dayMs).toISOString();

function figureOf(
  rows: readonly ComputedRow[],
  { kind, locale, persona }: Pick<ComputedRow["group"], "kind" | "locale" | "persona">,
): ComputedRow["thesePrompts"] | null {
  const row = rows.find(({ group }) => group.kind === kind && group.locale === locale && group.persona === persona);
  return row?.thesePrompts ?? null;
}

function surfacesOf(rows: readonly ComputedRow[]): { locale: string; persona: string }[] {
  const surfaces = rows.map(({ group: { locale, persona } }) => JSON.stringify({ locale, persona }));
  return [...new Set(surfaces)].map((text) => JSON.parse(text) as { locale: string; persona: string });
}

function firstRunSince(answers: readonly Answer[], since: string): string | null {
  return answers.find(({ observedAt }) => observedAt >= since)?.runId ?? null;
}
