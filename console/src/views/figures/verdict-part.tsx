import type { Figure, FigureRow, PanelRecord } from "@querent/client";
import { verdictMessages } from "../../i18n/verdict.ts";
import { number, percent } from "../../ui/time.tsx";
import { AnswersLink } from "./answers-link.tsx";
import { isSimulated } from "./choice.ts";
import { FigureLink } from "./figure-link.tsx";
import { Allowed } from "../../app/allowed.tsx";
import { answersAddress } from "./figure-of.ts";
import { IntervalBar } from "./interval-bar.tsx";
import type { Details, Summary } from "./read-figures.ts";
import { rowOf } from "./read-figures.ts";
import { leadOf, nextStepOf, siteChangeSentence, topSites, type Rival, type FiguresVerdict } from "./verdict.ts";
import * as css from "./figures.module.css";

interface VerdictPartProps {
  readonly panel: PanelRecord;
  readonly summary: Summary;
  readonly verdict: FiguresVerdict;
  /** Null until they are read. */
  readonly details: Details | null;
}

/** What the figures come to, above all others: how often the brand is named, against whom, what changed, and what to do next. */
export function VerdictPart({ panel, summary, verdict, details }: VerdictPartProps) {
  const t = verdictMessages.value;
  const { own, surface, siteChanges, rivals } = verdict;
  const [rival] = rivals;
  const step = nextStepOf({
    panel,
    summary,
    verdict,
    sites: topSites(summary.rows, surface),
    hasRun: true,
  });
  const isPaused = panel.schedule?.paused === true;
  return (
    <section class={`panel ${css.verdict}`} aria-label={t.title} data-verdict>
      <p class={css.lead}>{leadOf(verdict, summary).join(t.between)}</p>
      {isSimulated(surface) || isPaused ? (
        <p class="tags">
          {isSimulated(surface) ? <span class="tag">{t.simulated}</span> : null}
          {isPaused ? <span class="tag">{t.pausedPanel}</span> : null}
        </p>
      ) : null}
      {own === null ? null : <Standings {...{ summary, verdict, details }} />}
      <dl class={css.points}>
        <Allowed scope="panels:read">
          <div class={css.step}>
            <dt>{t.next}</dt>
            <dd>
              <a href={step.address}>{step.text}</a>
            </dd>
          </div>
        </Allowed>
        <div>
          <dt>{t.changedSources}</dt>
          <dd>
            {siteChanges.length === 0
              ? t.noChangedSources
              : siteChanges
                  .slice(0, changesShown)
                  .map((found) => <p key={found.changeId}>{siteChangeSentence(found)}</p>)}
          </dd>
        </div>
        {rival === undefined || details === null ? null : (
          <>
            <PromptsAgainst rival={rival} details={details} panel={panel} />
            <Gap rival={rival} details={details} />
          </>
        )}
      </dl>
    </section>
  );
}

const changesShown = 3;
const brandsShown = 5;

/** The brand and its competitors, each with the period before. */
function Standings({
  summary,
  verdict: { surface },
  details,
}: Pick<VerdictPartProps, "summary" | "verdict" | "details">) {
  return (
    <ul class={css.standings}>
      {summary.brands.slice(0, brandsShown).map((brand) => {
        const row = rowOf(summary.rows, { measure: "presence", surface, about: brand.entityId });
        if (row === undefined) return null;
        const before = rowOf(details?.before ?? [], { measure: "presence", surface, about: brand.entityId });
        return (
          <li key={brand.entityId}>
            <bdi>{brand.name}</bdi>
            <IntervalBar figure={row.thesePrompts} isOwn={brand.relation === "own"} />
            <FigureLink row={row} scope="these_prompts" what={brand.name} />
            <span class="quiet small">{details === null ? "" : previous(row.thesePrompts, before?.thesePrompts)}</span>
          </li>
        );
      })}
    </ul>
  );
}

/** The same figure of as many days before; no comparison: whether it changed is said by the verdict. */
function previous(figure: Figure, before: Figure | undefined): string {
  const t = verdictMessages.value;
  if (before === undefined || before.value === null || before.interval === null) return t.previousNone;
  const isSame = JSON.stringify(before.instrument) === JSON.stringify(figure.instrument);
  return (isSame ? t.previous : t.previousOther)(percent(before.value));
}

/** The prompts for which one of the two brands is named more often than the other, beyond chance. */
function PromptsAgainst({ rival, details, panel }: { rival: Rival; details: Details; panel: PanelRecord }) {
  const t = verdictMessages.value;
  const texts = new Map(panel.prompts.map(({ promptId, text }) => [promptId, text]));
  const theirs = new Map(details.rivalPrompts.map((row) => [row.group.promptId, row]));
  const judged = details.ownPrompts.map((row) => ({ row, other: theirs.get(row.group.promptId) }));
  const isAbove = (one: FigureRow | undefined, other: FigureRow | undefined) =>
    (one?.thesePrompts.interval?.low ?? 0) > (other?.thesePrompts.interval?.high ?? 1);
  const won = judged.filter(({ row, other }) => isAbove(row, other));
  const lost = judged.filter(({ row, other }) => isAbove(other, row));
  const open = judged.length - won.length - lost.length;
  return (
    <div id="panel-prompts-against">
      <dt>{t.prompts(rival.brand.name)}</dt>
      <dd>
        <p>{t.promptsTold(number(won.length), number(lost.length), number(open))}</p>
        {judged.length === 0 ? null : (
          <details>
            <summary>{lost.length === 0 ? t.meaning : t.lost}</summary>
            <ul>
              {lost.map(({ row, other }) => (
                <li key={row.group.promptId}>
                  <AnswersLink href={answersAddress(other ?? row, (other ?? row).thesePrompts)}>
                    {texts.get(row.group.promptId ?? "") ?? row.group.promptId}
                  </AnswersLink>
                </li>
              ))}
            </ul>
            <p class="quiet small">{t.promptsText}</p>
          </details>
        )}
      </dd>
    </div>
  );
}

/** Sites that are cited where the rival is named, and less or not at all where the own brand is. */
function Gap({ rival, details: { gap } }: { rival: Rival; details: Details }) {
  const t = verdictMessages.value;
  if (gap === null) return null;
  return (
    <div>
      <dt>{t.gap(rival.brand.name)}</dt>
      <dd>
        {gap.length === 0 ? (
          t.noGap
        ) : (
          <p title={t.gapText(rival.brand.name)}>
            {gap
              .map(({ site, rivalShare, ownShare }) => t.gapSite(site, percent(rivalShare), percent(ownShare)))
              .join(", ")}
          </p>
        )}
      </dd>
    </div>
  );
}
