import type { Figure, FoundChange, PanelChanges, SeriesVerdict } from "@querent/client";
import { figuresMessages } from "../../i18n/figures.ts";
import { day, number, percent } from "../../ui/time.tsx";
import { isOf, type ChosenSurface } from "./choice.ts";
import { observationsAddress } from "./figure-of.ts";
import * as css from "./figures.module.css";

interface ChangeNoteProps {
  readonly changes: PanelChanges;
  readonly surface: ChosenSurface;
  readonly measure: "presence" | "citation_rate";
  /** The brand or the site. */
  readonly about: string;
}

/** Whether a brand is named, or a site cited, more or less than before, in words, with both sides of a change. */
export function ChangeNote({ changes, surface, measure, about }: ChangeNoteProps) {
  const t = figuresMessages.value.change;
  const series = changes.series.find(
    (each) => each.measure === measure && (each.entityId ?? each.domain) === about && isOf(surface, each),
  );
  if (series === undefined)
    return <span class="quiet small">{measure === "presence" ? t.notJudged : t.siteNotJudged}</span>;
  if (series.paused !== null) return <span class={`small ${css.warned}`}>{t.paused}</span>;
  switch (series.verdict) {
    case "changed": {
      const found = changes.changes.find(({ changeId }) => changeId === series.changeId);
      return found === undefined ? <strong>{t.changed}</strong> : <Changed found={found} />;
    }
    case "instrument_changed":
      return <span class={`small ${css.warned}`}>{t.instrument}</span>;
    case "not_enough_data":
      return <span class="quiet small">{t.tooFew(series.missingDays ?? 1)}</span>;
    case "not_distinguishable":
      return <Unchanged series={series} />;
    case null:
      return <span class="quiet small">{t.notJudged}</span>;
  }
}

/** How much, since when, and both sides, which open their answers. */
export function Changed({ found }: { found: FoundChange }) {
  const { direction, difference, entityId, domain, before, after } = found;
  const t = figuresMessages.value.change;
  // The link of a site leads to all answers: after it has gone, none cites it.
  const about = domain === null && entityId !== null ? { about: entityId } : {};
  return (
    <span class={css.change}>
      <strong>
        {direction === "up" ? "▲" : "▼"} {direction === "up" ? t.up(points(difference)) : t.down(points(difference))}
      </strong>
      <span class="small quiet">{began(found)}</span>
      {found.continues === true ? <span class="small quiet">{t.continues}</span> : null}
      <span class="small">
        <Side figure={before} what={t.before} about={about} /> → <Side figure={after} what={t.after} about={about} />
      </span>
      <Compared {...found} />
    </span>
  );
}

/** The days with which it may have begun. Changes that earlier versions found have one day. */
export function began({ direction, since, earliest = since, latest = since, shape }: FoundChange): string {
  const t = figuresMessages.value.change;
  if (shape === "gradual") return (direction === "up" ? t.rising : t.falling)(day(earliest), day(latest));
  return earliest === latest ? t.since(day(since)) : t.between(day(earliest), day(latest));
}

interface SideProps {
  readonly figure: Figure;
  readonly what: string;
  /** The brand that is marked in the answers. */
  readonly about: { readonly about?: string };
}

export function Side({ figure, what, about }: SideProps) {
  return (
    <a href={observationsAddress(figure, about)}>
      <span class="unseen">{what} </span>
      {figure.value === null ? "–" : percent(figure.value)}
    </a>
  );
}

/** How many prompts were compared, if not all could be. */
function Compared({ prompts = 0, promptsLeftOut = 0 }: { prompts?: number; promptsLeftOut?: number }) {
  return promptsLeftOut === 0 ? null : (
    <span class="small quiet">{figuresMessages.value.change.leftOut(prompts, promptsLeftOut)}</span>
  );
}

function Unchanged({ series }: { series: SeriesVerdict }) {
  const { smallestChange, reason } = series;
  const t = figuresMessages.value.change;
  return (
    <span class={css.change}>
      <span>{t.same}</span>
      {reason === "dependent_runs" ? <span class={`small ${css.warned}`}>{t.dependentRuns}</span> : null}
      {smallestChange === null ? null : (
        <span class="small quiet">{t.smallest(points(smallestChange.difference), day(smallestChange.since))}</span>
      )}
      <Compared {...series} />
    </span>
  );
}

export const points = (difference: number) => number(Math.abs(Math.round(difference * 1000) / 10));
