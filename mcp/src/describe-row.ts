import type { Figure, FigureRow } from "@querent/client";

/**
 * A row in sentences, one for each scope: the value never stands without its interval, or the reason why it has none. `unit`: of the
 * measure.
 */
export function describeRow(row: FigureRow & { readonly entity: string | null }, unit: string): string[] {
  const { group, definition, entity, thesePrompts, promptsLikeThese, otherInstruments, seam } = row;
  const about = [
    entity,
    group.domain,
    group.sourceType,
    `on ${group.platformCode} (${group.kind})`,
    group.locale,
    group.persona,
    group.topic,
    group.promptId,
    group.day,
    group.runId,
  ].filter((part) => part !== null && part !== "");
  const counted = /^(failure|refusal)_rate\//.test(definition) ? "task" : "answer";
  const head = `${definition}, ${about.join(", ")}`;
  return [
    `${head}: ${describeFigure(thesePrompts, unit, counted)}`,
    `${head}: ${describeFigure(promptsLikeThese, unit, counted)}`,
    ...otherInstruments.map(
      (other) =>
        `${head}: beside it, with another instrument (model ${other.instrument.modelVersion ?? "not reported"}, recipe ${other.instrument.recipe ?? "none"}, reader ${other.instrument.reader}, matcher ${other.instrument.matcher ?? "none"}, source rules ${other.instrument.sourceRules ?? "none"}${ofPanel(other.instrument)}), which cannot be compared or added: ${describeFigure(other.thesePrompts, unit, counted)}`,
    ),
    ...(seam ? [`${head}: taken with another instrument than the row before it, so the two cannot be compared.`] : []),
  ];
}

/** What the panel asked, and the brands that answers were searched for. */
function ofPanel({ panelRevision, brandsSince }: Figure["instrument"][number]): string {
  const asked = typeof panelRevision === "number" ? `, asked by revision ${panelRevision} of the panel` : "";
  return typeof brandsSince === "string" ? `${asked}, brands as of ${brandsSince.slice(0, 10)}` : asked;
}

/** A value with its interval and its sample. */
export function describeFigure(figure: Figure, unit: string, counted: "answer" | "task" = "answer"): string {
  const { value, interval, scope, answers, cells, window, reason, instrument } = figure;
  const [from, to] = [window.from, window.to].map((time) => time?.slice(0, 10) ?? "?");
  const basis = `${count(answers, counted)} to ${count(cells, "prompt")} from ${from} to ${to}, for ${scope === "these_prompts" ? "exactly these prompts" : "prompts like these"}`;
  const why = reason === null ? "" : ` ${reason.detail}`;
  const shown = (number: number) => (unit === "share" ? `${round(number * 100)} %` : `${round(number)} ${unit}`);
  if (value === null) return `no value (${basis}).${why}`;
  const blended =
    figure.blend === true
      ? ` A blend of answers of ${instrument.length} instruments, which are not comparable: say so.`
      : "";
  const beside = `${boundsText(figure, shown)}${blended}`;
  if (interval === null) return `${shown(value)}, without an interval (${basis}).${why}${beside}`;
  const { low, high, level } = interval;
  return `${shown(value)}, ${Math.round(level * 100)} % interval ${shown(low)} to ${shown(high)} (${basis}).${beside}`;
}

function boundsText({ bounds }: Figure, shown: (number: number) => string): string {
  if (bounds === undefined || bounds === null) return "";
  const { missing, asked, low, high } = bounds;
  return ` ${missing} of ${count(asked, "answer")} are missing: whatever they would have said, it is ${shown(low)} to ${shown(high)}.`;
}

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? "" : "s"}`;
/** To three digits. */
export const round = (value: number) => Number(value.toPrecision(3));
