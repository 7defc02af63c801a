import type { PanelRun } from "@querent/client";
import { to } from "../../app/address.ts";
import { panelsMessages } from "../../i18n/panels.ts";
import { number } from "../../ui/time.tsx";
import { countsOf, failedRunOf } from "./run-failure.tsx";
import { dateTime } from "./date-time.ts";
import { ColumnHeads } from "../../ui/column-heads.tsx";
import * as css from "./panel-view.module.css";

/** The last runs of a panel, with those that were refused or missed, and why. */
export function PanelRuns({ runs }: { runs: readonly PanelRun[] }) {
  const t = panelsMessages.value;
  return (
    <section class={`panel ${css.part}`} aria-labelledby="panel-runs">
      <h2 id="panel-runs">{t.runs}</h2>
      {runs.length === 0 ? (
        <p>
          <strong>{t.noRunsTitle}</strong> <span class="quiet">{t.noRunsText}</span>
        </p>
      ) : (
        <div class="table-frame">
          <table>
            <ColumnHeads columns={["time", "state", "tasks", "points", "batches"]} labels={t.runColumns} />
            <tbody>
              {runs.map((run) => (
                <RunRow key={run.runId} run={run} />
              ))}
            </tbody>
          </table>
        </div>
      )}
    </section>
  );
}

function RunRow({ run }: { run: PanelRun }) {
  const t = panelsMessages.value;
  const { completed, failed } = countsOf(run);
  const hasEnded = run.state === "started" && run.endedAt !== null;
  const charged = run.batches.reduce((sum, { points }) => sum + points.charged, 0);
  return (
    <tr data-run={run.runId}>
      <td>{dateTime(run.slot ?? run.createdAt)}</td>
      <td>
        {failedRunOf(run) === run && run.state === "started" ? (
          <strong class="mark mark-bad">{t.allFailed}</strong>
        ) : (
          t.states[hasEnded ? "ended" : run.state]
        )}{" "}
        {run.slot === null ? <span class="quiet small">{t.requested}</span> : null}
        {run.waves === null ? null : <Waves waves={run.waves} panelId={run.panelId} />}
      </td>
      {run.problem === null ? (
        <>
          <td>
            {number(completed)} / {number(run.taskCount)}
            {failed === 0 ? null : <span class="tile-bad"> {t.failedTasks(number(failed))}</span>}
          </td>
          <td>{number(hasEnded ? charged : run.points)}</td>
          <td>
            {run.batches.map(({ batchId, counts }) => (
              <a key={batchId} href={to(`/batches/${batchId}`)}>
                {number(counts.completed)}{" "}
              </a>
            ))}
          </td>
        </>
      ) : (
        <td colSpan={3} class="quiet">
          <RunProblem problem={run.problem} panelId={run.panelId} />
        </td>
      )}
    </tr>
  );
}

/** Why nothing was asked. A cap says by how much it would be exceeded, and is linked. */
function RunProblem({ problem, panelId }: { problem: NonNullable<PanelRun["problem"]>; panelId: string }) {
  const t = panelsMessages.value;
  return (
    <>
      {problem.detail}{" "}
      {problem.code === "cap_exceeded" ? (
        <a class="link" href={to("/caps", { panel: panelId })}>
          {t.caps}
        </a>
      ) : null}
    </>
  );
}

/** How far a run in waves is, or why it stopped and what that saved. */
function Waves({
  waves: { asked, max, stopped, pointsSaved, problem, platforms },
  panelId,
}: {
  waves: NonNullable<PanelRun["waves"]>;
  panelId: string;
}) {
  const t = panelsMessages.value;
  const parts = [
    t.waves(number(asked), number(max)),
    ...(stopped === null ? [] : [t.stops[stopped]]),
    ...(pointsSaved === null ? [] : [t.saved(number(pointsSaved))]),
    ...platforms.flatMap(({ platformCode, width }) =>
      width === null ? [] : [t.widthOf(platformCode, `${(100 * width).toFixed(1)} %`)],
    ),
  ];
  return (
    <>
      <p class="quiet small">{parts.join(" · ")}</p>
      {problem === null ? null : (
        <p class="quiet small">
          <RunProblem problem={problem} panelId={panelId} />
        </p>
      )}
    </>
  );
}
