import type { Figure, FigureRow } from "@querent/client";

/**
 * A row in sentences, one for each scope: the value never stands without its interval, or the reason why it has none. `unit`: of the
 * measure.
 */
export function describeRow(row: FigureRow & { readonly entity: string | null }, unit: string): string[] {
  const { group, definition, entity, thesePrompts, promptsLikeThese, seam } = row;
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
    ...(seam ? [`${head}: taken with another instrument than the row before it, so the two cannot be compared.`] : []),
  ];
}

/** A value with its interval and its sample. */
export function describeFigure(figure: Figure, unit: string, counted: "answer" | "task" = "answer"): string {
  const { value, interval, scope, answers, cells, window, reason } = figure;
  const [from, to] = [window.from, window.to].map((time) => time?.slice(0, 10) ?? "?");
  const basis = `${count(answers, counted)} to ${count(cells, "prompt")} from ${from} to ${to}, for ${scope === "these_prompts" ? "exactly these prompts" : "prompts like these"}`;
  const why = reason === null ? "" : ` ${reason.detail}`;
  const shown = (number: number) => (unit === "share" ? `${round(number * 100)} %` : `${round(number)} ${unit}`);
  if (value === null) return `no value (${basis}).${why}`;
  if (interval === null) return `${shown(value)}, without an interval (${basis}).${why}`;
  const { low, high, level } = interval;
  return `${shown(value)}, ${Math.round(level * 100)} % interval ${shown(low)} to ${shown(high)} (${basis}).`;
}

const count = (number: number, what: string) => `${number} ${what}${number === 1 ? "" : "s"}`;
const round = (value: number) => Number(value.toPrecision(3));
