import { useState } from "preact/hooks";
import { ForbiddenError, type Overview } from "@querent/client";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { query, to } from "../../app/address.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { overviewMessages } from "../../i18n/overview.ts";
import { projectsMessages } from "../../i18n/projects.ts";
import { Allowed } from "../../app/allowed.tsx";
import { shownProject } from "../../app/projects.ts";
import { session } from "../../app/session.ts";
import { Checklist } from "./checklist.tsx";
import { PanelsPart, readAccountPanels, type PanelOverview } from "./panels-part.tsx";
import { Charts } from "./charts.tsx";
import { InExample, OpenExample } from "./example.tsx";
import { NothingAsked } from "./nothing-asked.tsx";
import { NowTiles } from "./now-tiles.tsx";
import { PeriodTiles } from "./period-tiles.tsx";
import { useTitle } from "../../ui/use-title.ts";
import * as css from "./overview-view.module.css";

const periods = ["24h", "7d", "30d"] as const satisfies readonly Overview["period"][];
const refreshMs = 10_000;
const panelsRefreshMs = 30_000;

/** Whether the account's brands are named, and below how its tasks and deliveries do. */
export function OverviewView() {
  const t = overviewMessages.value;
  useTitle(t.title);
  const { value, failed, refresh } = useLive(`overview of panels ${shownProject() ?? ""}`, readAccountPanels, {
    everyMs: panelsRefreshMs,
  });
  const [read, setRead] = useState<ReadonlyMap<string, PanelOverview | null>>(new Map());
  const take = (panelId: string, one: PanelOverview | null) => setRead((before) => new Map(before).set(panelId, one));
  return (
    <div class="view">
      <header class="view-head">
        <h1>{limitedTo() ?? t.title}</h1>
      </header>
      {failed === null ? null : <FailureNote failed={failed} retry={refresh} />}
      {value === null ? (
        failed === null && <div class={`panel ${css.boneCard}`} aria-hidden="true" />
      ) : (
        <>
          <InExample />
          {value.panels.length === 0 ? null : <PanelsPart {...value} read={read} take={take} />}
          {value.isForbidden ? null : (
            <Allowed scope="panels:write">
              <Checklist account={value} />
            </Allowed>
          )}
          {value.panels.length === 0 ? <NoPanels /> : null}
        </>
      )}
      <Allowed scope="usage:read">
        <Operations hasPanels={value !== null && value.panels.length > 0} />
      </Allowed>
    </div>
  );
}

/** The names of the projects to which whoever is signed in is limited; null: the whole account. */
function limitedTo(): string | null {
  const own = session.value?.login?.projects ?? null;
  if (own === null) return null;
  const shown = own.find(({ projectId }) => projectId === shownProject());
  return (shown === undefined ? own : [shown]).map(({ name }) => name).join(", ");
}

function NoPanels() {
  const own = session.value?.login?.projects ?? null;
  if (own === null) return <OpenExample />;
  return <p class="quiet">{own.length === 0 ? projectsMessages.value.noProjects : overviewMessages.value.noPanels}</p>;
}

/** What finished in a period, compared with the one before, and what is in progress: for those who may see it. */
function Operations({ hasPanels }: { hasPanels: boolean }) {
  const t = overviewMessages.value;
  const period = periods.find((known) => known === query.value.get("period")) ?? "24h";
  const { value, failed, refresh } = useLive(
    `overview ${period}`,
    (call) => querent.usage.overview({ ...call, period }),
    { everyMs: refreshMs },
  );
  return (
    <section class={css.operations} aria-labelledby="overview-operations">
      <header class="view-head">
        <h2 id="overview-operations">{t.operations}</h2>
        <ul class="segments" aria-label={t.period}>
          {periods.map((choice) => (
            <li key={choice}>
              <a
                class="segment"
                aria-current={choice === period ? "true" : undefined}
                href={to("/", { period: choice === "24h" ? "" : choice })}
              >
                {t.periods[choice]}
              </a>
            </li>
          ))}
        </ul>
      </header>
      {failed === null ? null : failed instanceof ForbiddenError ? (
        <p class="note">{t.forbidden}</p>
      ) : (
        <FailureNote failed={failed} retry={refresh} />
      )}
      {value === null ? (
        failed === null && <Bones />
      ) : (
        <>
          {isEmpty(value) ? (
            <NothingAsked asked={refresh} isBrief={hasPanels} />
          ) : (
            <>
              <PeriodTiles overview={value} />
              <Charts overview={value} />
            </>
          )}
          <NowTiles overview={value} />
        </>
      )}
    </section>
  );
}

function isEmpty({ current, before, pending }: Overview): boolean {
  const ended = [current, before].some(({ completed, failed, canceled }) => completed + failed + canceled > 0);
  return !ended && pending.total === 0;
}

/** As tall as the content that replaces it, so that the layout does not shift. */
function Bones() {
  return (
    <div class={css.overviewBones} aria-hidden="true">
      <div class="tiles">
        {[0, 1, 2, 3].map((tile) => (
          <div key={tile} class={`tile ${css.boneTile}`} />
        ))}
      </div>
      <div class={`panel ${css.boneChart}`} />
    </div>
  );
}
