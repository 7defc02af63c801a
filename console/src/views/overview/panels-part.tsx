import type { CallOptions, EntityRecord, PanelRecord, PanelRun, PanelSummary } from "@querent/client";
import { ForbiddenError } from "@querent/client";
import { useEffect } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { to } from "../../app/address.ts";
import { Allowed } from "../../app/allowed.tsx";
import { shownProject } from "../../app/projects.ts";
import { may } from "../../app/session.ts";
import { overviewMessages } from "../../i18n/overview.ts";
import { verdictMessages } from "../../i18n/verdict.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { day } from "../../ui/time.tsx";
import { isSimulated, surfaceKey } from "../figures/choice.ts";
import { readSummary, type Summary } from "../figures/read-figures.ts";
import {
  changeTold,
  leadOf,
  nextStepOf,
  rivalSentences,
  sourceSentences,
  topSites,
  verdictOf,
} from "../figures/verdict.ts";
import { failedRunOf, RunFailure } from "../panels/run-failure.tsx";
import * as css from "./panels-part.module.css";

/** A panel's figures are computed for it, so the overview has few of them, the newest first. */
export const panelsShown = 6;
const refreshMs = 60_000;

export interface PanelOverview {
  readonly panel: PanelRecord;
  readonly summary: Summary;
  /** The latest run; null: it has not run. */
  readonly lastRun: PanelRun | null;
}

interface PanelsPartProps {
  readonly panels: readonly PanelSummary[];
  readonly hasMore: boolean;
  /** What has been read; null: it could not be. */
  readonly read: ReadonlyMap<string, PanelOverview | null>;
  readonly take: (panelId: string, read: PanelOverview | null) => void;
}

/** What each panel's figures come to, and below what changed in any of them. */
export function PanelsPart({ panels, hasMore, read, take }: PanelsPartProps) {
  const t = overviewMessages.value;
  return (
    <>
      <section class={css.panels} aria-labelledby="overview-panels">
        <header class={css.head}>
          <h2 id="overview-panels">{t.panels}</h2>
          <a href={to("/panels")}>{hasMore ? t.morePanels : t.allPanels}</a>
        </header>
        <ul class={css.cards}>
          {panels.map((panel, index) => {
            // One after the other: the service computes few figures of an account at once.
            const isDue = panels.slice(0, index).every(({ panelId }) => read.has(panelId));
            return <PanelCard key={panel.panelId} panel={panel} isDue={isDue} take={take} />;
          })}
        </ul>
      </section>
      <Changes read={panels.flatMap(({ panelId }) => read.get(panelId) ?? [])} />
    </>
  );
}

interface PanelCardProps {
  readonly panel: PanelSummary;
  readonly isDue: boolean;
  readonly take: PanelsPartProps["take"];
}

function PanelCard({ panel: { panelId, name, revision }, isDue, take }: PanelCardProps) {
  const t = overviewMessages.value;
  const { value, failed, refresh } = useLive<PanelOverview | null>(
    `overview of ${panelId} ${revision} ${isDue}`,
    async (call) => (isDue ? readPanel(panelId, { ...call, maxRetries: 3 }) : null),
    { everyMs: refreshMs },
  );
  useEffect(() => {
    if (value !== null || failed !== null) take(panelId, value);
  }, [value, failed]);
  return (
    <li class={`panel ${css.card}`} data-panel={panelId}>
      <h3>
        <a href={to(`/panels/${panelId}`)} dir="auto">
          {name}
        </a>
      </h3>
      {failed === null ? null : <FailureNote failed={failed} retry={refresh} />}
      {value === null ? failed === null && <p class="quiet">{t.computing}</p> : <PanelWords read={value} />}
    </li>
  );
}

async function readPanel(panelId: string, call: CallOptions): Promise<PanelOverview> {
  const panel = await querent.panels.get(panelId, call);
  const [summary, runs] = await Promise.all([
    readSummary(panel, { days: null, from: null, to: null }, call),
    may("panels:read") ? querent.panels.runs(panelId, call).next() : null,
  ]);
  return { panel, summary, lastRun: runs === null || runs.done === true ? null : runs.value };
}

/** One paragraph: whether the brand is named, more or less than before, against whom, and because of which sources. */
function PanelWords({ read: { panel, summary, lastRun } }: { read: PanelOverview }) {
  const t = overviewMessages.value;
  const words = verdictMessages.value;
  const [first, ...others] = summary.surfaces;
  const verdict = first === undefined ? null : verdictOf(summary, first.surface);
  const sites = verdict === null ? [] : topSites(summary.rows, verdict.surface);
  const step = nextStepOf({ panel, summary, verdict, sites, hasRun: lastRun !== null });
  const failure = failedRunOf(lastRun);
  const isPaused = panel.schedule?.paused === true;
  const isSample = first !== undefined && isSimulated(first.surface);
  return (
    <>
      {isPaused || isSample ? (
        <p class="tags">
          {isSample ? <span class="tag">{words.simulated}</span> : null}
          {isPaused ? <span class="tag">{words.pausedPanel}</span> : null}
        </p>
      ) : null}
      {failure === null ? null : <RunFailure run={failure} />}
      {verdict === null ? (
        <p class={css.lead}>{lastRun === null && may("panels:read") ? t.neverRun : t.noAnswers}</p>
      ) : verdict.own === null ? (
        <p class={css.lead}>{t.noBrand}</p>
      ) : (
        <>
          <p class={css.lead}>{leadOf(verdict, summary).join(words.between)}</p>
          <p>{[...rivalSentences(verdict), ...sourceSentences(verdict, sites)].join(words.between)}</p>
        </>
      )}
      {others.length === 0 ? null : (
        <p class="small">
          <span class="quiet">{t.alsoOn}</span>{" "}
          {others.slice(0, surfacesShown).map(({ surface }) => (
            <a key={surfaceKey(surface)} href={to(`/panels/${panel.panelId}`, { surface: surfaceKey(surface) })}>
              {[surface.platformCode, surface.locale, surface.persona].filter((part) => part !== "").join(", ")}{" "}
            </a>
          ))}
        </p>
      )}
      <Allowed scope="panels:read" otherwise={<ToReport panelId={panel.panelId} />}>
        <p class={css.step}>
          <span class="quiet">{words.next}:</span> <a href={step.address}>{step.text}</a>
        </p>
      </Allowed>
    </>
  );
}

/** What somebody who reads figures alone does next. */
function ToReport({ panelId }: { panelId: string }) {
  const t = overviewMessages.value;
  return (
    <p class={css.step}>
      <a href={to(`/panels/${panelId}`)}>{t.toFigures}</a>
    </p>
  );
}

const surfacesShown = 6;
const changesShown = 8;

/** What was found in any of the panels, newest first. */
function Changes({ read }: { read: readonly PanelOverview[] }) {
  const t = overviewMessages.value;
  const found = read
    .flatMap(({ panel, summary }) =>
      summary.changes.changes.map((change) => ({ panel, change, brands: summary.brands })),
    )
    .filter(({ change }) => change.measure === "presence" || change.domain !== null)
    .toSorted((one, other) => (one.change.since < other.change.since ? 1 : -1))
    .slice(0, changesShown);
  if (read.length === 0) return null;
  return (
    <section class={`panel ${css.changes}`} aria-labelledby="overview-changes">
      <h2 id="overview-changes">{t.changes}</h2>
      {found.length === 0 ? (
        <p class="quiet">{t.noChanges}</p>
      ) : (
        <ul>
          {found.map(({ panel, change, brands }) => (
            <li key={change.changeId}>
              <time class="quiet small" dateTime={change.since}>
                {day(change.since)}
              </time>
              <span>
                {changeTold(change, brands)} <span class="quiet small">{change.platformCode}</span>
              </span>
              <a class="small" href={to(`/panels/${panel.panelId}`)} dir="auto">
                {panel.name}
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

/** The account's panels and brands, as far as the token may read them. */
export interface AccountPanels {
  readonly panels: readonly PanelSummary[];
  readonly hasMore: boolean;
  readonly brands: readonly EntityRecord[];
  /** The token may not read them. */
  readonly isForbidden: boolean;
}

export async function readAccountPanels(call: CallOptions): Promise<AccountPanels> {
  try {
    const [page, brands] = await Promise.all([
      readPanels(call),
      Array.fromAsync(querent.entities.list({ project: shownProject() }, call)),
    ]);
    return { ...page, brands, isForbidden: false };
  } catch (error) {
    if (error instanceof ForbiddenError) return { panels: [], hasMore: false, brands: [], isForbidden: true };
    throw error;
  }
}

async function readPanels(call: CallOptions): Promise<Pick<AccountPanels, "panels" | "hasMore">> {
  const panels: PanelSummary[] = [];
  for await (const panel of querent.panels.list({ ...call, project: shownProject() })) {
    if (panels.length === panelsShown) return { panels, hasMore: true };
    panels.push(panel);
  }
  return { panels, hasMore: false };
}
