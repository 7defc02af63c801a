import type { Figure, FigureRow } from "@querent/client";
import { to } from "../../app/address.ts";
import { may } from "../../app/session.ts";
import { figuresMessages } from "../../i18n/figures.ts";
import { number, percent } from "../../ui/time.tsx";
import type { ChosenScope } from "./choice.ts";
import { whyNone } from "./why-none.ts";

/** The figure of a row in a scope. */
export const figureOf = (row: FigureRow, scope: ChosenScope): Figure =>
  scope === "these_prompts" ? row.thesePrompts : row.promptsLikeThese;

/** `41.4–45.6%` */
export function range({ low, high }: { readonly low: number; readonly high: number }): string {
  return `${number(Math.round(low * 1000) / 10)}–${percent(high)}`;
}

/** `Too few: 3 more runs needed` */
export function tooFew({ reason, value }: Figure, leftOut: FigureRow["leftOut"] = {}): string {
  const t = figuresMessages.value;
  if (reason === null || (value === null && reason.code === "too_few_answers")) return whyNone(leftOut, t);
  return `${t.tooFew}: ${t.needed[reason.code](reason.missing)}`;
}

/** Measures whose value is a share of all answers, so that answers can be counted. */
const countedMeasures: readonly FigureRow["measure"][] = [
  "presence",
  "first_place_of_all",
  "listed",
  "citation_rate",
  "own_citation_rate",
];

/**
 * `1 of 4 answers so far`: what there is while an interval needs more. A count is no estimate of how often it would be so
 * again. Null where the value doesn't tell it, because a prompt with few answers weighs as much as one with many.
 */
export function countOf({ measure }: FigureRow, { value, answers, cells }: Figure): string | null {
  if (value === null || !countedMeasures.includes(measure)) return null;
  const isTold = answers === cells || value === 0 || value === 1;
  return isTold ? figuresMessages.value.soFar(Math.round(value * answers), answers) : null;
}

/** Where the console lists the answers of a figure, and what it is about is marked in them. Undefined: whoever looks may not read answers. */
export function answersAddress(
  { measure, group: { entityId, domain } }: FigureRow,
  figure: Figure,
): string | undefined {
  if (!may("tasks:read")) return undefined;
  return observationsAddress(figure, {
    ...(entityId === null ? {} : { about: entityId }),
    // Answers are found by what they cite, and not by who advertises beside them or sells in them.
    ...(domain === null || ["ad_share", "shop_share"].includes(measure) ? {} : { domain }),
  });
}

export function observationsAddress({ observations }: Figure, more: Readonly<Record<string, string>>): string {
  const filters = new URLSearchParams(observations.slice(observations.indexOf("?") + 1));
  return to("/observations", { ...Object.fromEntries(filters), ...more });
}
