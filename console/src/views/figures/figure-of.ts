import type { Figure, FigureRow } from "@querent/client";
import { to } from "../../app/address.ts";
import { figuresMessages } from "../../i18n/figures.ts";
import { number, percent } from "../../ui/time.tsx";
import type { ChosenScope } from "./choice.ts";

/** The figure of a row in a scope. */
export const figureOf = (row: FigureRow, scope: ChosenScope): Figure =>
  scope === "these_prompts" ? row.thesePrompts : row.promptsLikeThese;

/** `41.4–45.6%` */
export function range({ low, high }: { readonly low: number; readonly high: number }): string {
  return `${number(Math.round(low * 1000) / 10)}–${percent(high)}`;
}

/** `Too few: 3 more runs needed` */
export function tooFew({ reason, value }: Figure): string {
  const t = figuresMessages.value;
  if (reason === null || (value === null && reason.code === "too_few_answers")) return t.noAnswers;
  return `${t.tooFew}: ${t.needed[reason.code](reason.missing)}`;
}

/** Where the console lists the answers of a figure, and what it is about is marked in them. */
export function answersAddress({ group: { entityId, domain } }: FigureRow, figure: Figure): string {
  return observationsAddress(figure, {
    ...(entityId === null ? {} : { about: entityId }),
    ...(domain === null ? {} : { domain }),
  });
}

export function observationsAddress({ observations }: Figure, more: Readonly<Record<string, string>>): string {
  const filters = new URLSearchParams(observations.slice(observations.indexOf("?") + 1));
  return to("/observations", { ...Object.fromEntries(filters), ...more });
}
