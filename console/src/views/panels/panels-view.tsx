import { ForbiddenError, type PanelSummary } from "@querent/client";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { Allowed } from "../../app/allowed.tsx";
import { to } from "../../app/address.ts";
import { projects, shownProject } from "../../app/projects.ts";
import { panelsMessages } from "../../i18n/panels.ts";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Icon } from "../../ui/icon.tsx";
import { number } from "../../ui/time.tsx";
import { dateTime } from "./date-time.ts";
import { useTitle } from "../../ui/use-title.ts";
import { ColumnHeads } from "../../ui/column-heads.tsx";

const refreshMs = 15_000;
const shownMax = 200;

/** The account's panels, newest first. */
export function PanelsView() {
  const t = panelsMessages.value;
  const { value, failed, refresh } = useLive<PanelSummary[]>(`panels ${shownProject() ?? ""}`, readPanels, {
    everyMs: refreshMs,
  });
  useTitle(t.title);
  return (
    <div class="view">
      <header class="view-head">
        <h1>{t.title}</h1>
        <Allowed scope="panels:write">
          <a class="button primary" href={to("/panels/new")}>
            <Icon name="add" />
            {t.create}
          </a>
        </Allowed>
      </header>
      {failed === null ? null : failed instanceof ForbiddenError ? (
        <p class="note">{t.forbidden}</p>
      ) : (
        <FailureNote failed={failed} retry={refresh} />
      )}
      {value === null ? null : value.length === 0 ? <NoPanels /> : <PanelTable panels={value} />}
    </div>
  );
}

async function readPanels(call: object): Promise<PanelSummary[]> {
  const panels: PanelSummary[] = [];
  for await (const panel of querent.panels.list({ ...call, project: shownProject() })) {
    panels.push(panel);
    if (panels.length >= shownMax) break;
  }
  return panels;
}

function NoPanels() {
  const t = panelsMessages.value;
  return (
    <div class="empty">
      <h2>{t.emptyTitle}</h2>
      <p class="quiet">{t.emptyText}</p>
      <Allowed scope="panels:write">
        <a class="button primary" href={to("/panels/new")}>
          {t.create}
        </a>
      </Allowed>
    </div>
  );
}

function PanelTable({ panels }: { panels: readonly PanelSummary[] }) {
  const t = panelsMessages.value;
  // Where panels of several are listed.
  const names = new Map(
    shownProject() === undefined && projects.value.length > 1
      ? projects.value.map(({ projectId, name }) => [projectId, name])
      : [],
  );
  return (
    <div class="table-frame">
      <table>
        <ColumnHeads columns={["name", "revision", "cells", "tasks", "next"]} labels={t.columns} />
        <tbody>
          {panels.map(({ panelId, projectId, name, revision, cellCount, taskCount, schedule, nextRunAt }) => (
            <tr key={panelId} data-panel={panelId}>
              <td>
                <a href={to(`/panels/${panelId}`)} dir="auto">
                  {name}
                </a>{" "}
                {names.has(projectId) ? <bdi class="tag">{names.get(projectId)}</bdi> : null}
              </td>
              <td>{revision}</td>
              <td>{number(cellCount)}</td>
              <td>{number(taskCount)}</td>
              <td>
                {schedule?.paused === true ? (
                  <span class="mark mark-warn">{t.form.paused}</span>
                ) : nextRunAt === null ? (
                  t.onRequest
                ) : (
                  dateTime(nextRunAt)
                )}
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
