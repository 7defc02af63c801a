import type { PanelRecord } from "@querent/client";
import { useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { mayManageProjects, projects, projectsChanged } from "../../app/projects.ts";
import { projectsMessages } from "../../i18n/projects.ts";
import { announce } from "../../ui/announcer.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import * as css from "./projects.module.css";

interface PanelProjectProps {
  readonly panel: PanelRecord;
  readonly moved: () => void;
}

/** In which project a panel stands, and a way to move it. Nothing, if the account has one. */
export function PanelProject({ panel: { panelId, projectId }, moved }: PanelProjectProps) {
  const t = projectsMessages.value;
  const [target, setTarget] = useState("");
  const { busy, failed, run } = useAttempt();
  if (projects.value.length < 2) return null;
  const others = projects.value.filter((one) => one.projectId !== projectId && one.archivedAt === null);
  const move = () =>
    run(async () => {
      const { entityIds } = await querent.projects.move(target, { panelIds: [panelId] });
      announce(t.moved(entityIds.length));
      setTarget("");
      projectsChanged();
      moved();
    });
  return (
    <section class="panel stack" aria-labelledby="panel-project">
      <h2 id="panel-project">{t.project}</h2>
      <p>
        <bdi>{projects.value.find((one) => one.projectId === projectId)?.name}</bdi>
      </p>
      {failed === null ? null : <FailureNote failed={failed} />}
      {mayManageProjects() && others.length > 0 ? (
        <>
          <p class="quiet small">{t.moveNote}</p>
          <div class="actions">
            <select
              class={`input ${css.target}`}
              aria-label={t.moveTo}
              value={target}
              onChange={({ currentTarget }) => setTarget(currentTarget.value)}
            >
              <option value="">{t.moveTo}…</option>
              {others.map((one) => (
                <option key={one.projectId} value={one.projectId}>
                  {one.name}
                </option>
              ))}
            </select>
            <button type="button" class="button" disabled={busy || target === ""} onClick={move}>
              {t.move}
            </button>
          </div>
        </>
      ) : null}
    </section>
  );
}
