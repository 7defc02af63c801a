import type { Figure, FigureRow } from "@querent/client";
import { figuresMessages } from "../../i18n/figures.ts";
import { number, percent } from "../../ui/time.tsx";
import { AnswersLink } from "./answers-link.tsx";
import type { ChosenScope } from "./choice.ts";
import { may } from "../../app/session.ts";
import { answersAddress, countOf, figureOf, range, tooFew } from "./figure-of.ts";
import * as css from "./figures.module.css";

interface FigureLinkProps {
  readonly row: FigureRow | undefined;
  readonly scope: ChosenScope;
  /** What is counted, for screen readers. */
  readonly what: string;
}

/** A share with its interval, which opens its answers. Without an interval it says what is missing, and at most a count. */
export function FigureLink({ row, scope, what }: FigureLinkProps) {
  const t = figuresMessages.value;
  if (row === undefined) return <span class="quiet small">{t.noAnswers}</span>;
  const figure = figureOf(row, scope);
  const isShare = (row.unit ?? "share") === "share";
  return (
    <AnswersLink look={css.figure} href={answersAddress(row, figure)}>
      <span class="unseen">{may("tasks:read") ? t.answersOf(what) : what} </span>
      {figure.value === null || figure.interval === null ? (
        <>
          {countOf(row, figure)}
          <span class="quiet small">{tooFew(figure, row.leftOut)}</span>
        </>
      ) : (
        <>
          <strong>{isShare ? percent(figure.value) : number(tenths(figure.value))}</strong>
          <span class="quiet small">
            {isShare
              ? range(figure.interval)
              : `${number(tenths(figure.interval.low))}–${number(tenths(figure.interval.high))}`}
          </span>
        </>
      )}
      <Bounds figure={figure} />
    </AnswersLink>
  );
}

const tenths = (value: number): number => Math.round(value * 10) / 10;

/** What the figure could be, whatever the missing answers would have said. */
function Bounds({ figure: { bounds, value } }: { figure: Figure }) {
  if (bounds === undefined || bounds === null || value === null) return null;
  return <span class="quiet small">{figuresMessages.value.withMissing(range(bounds), bounds.missing)}</span>;
}

/** `43.5 %, 95 % interval: 41.4 % to 45.6 %` */
export function spokenFigure(figure: Figure): string {
  if (figure.value === null || figure.interval === null) return tooFew(figure);
  const { low, high } = figure.interval;
  return `${percent(figure.value)}, ${figuresMessages.value.interval(percent(low), percent(high))}`;
}
