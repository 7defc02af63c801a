import { projectsMessages } from "../i18n/projects.ts";
import { offeredProjects, shownProject, showProject, useProjects } from "./projects.ts";
import * as css from "./project-switch.module.css";

/** Chooses the project whose panels and brands are shown, if there are several. */
export function ProjectSwitch() {
  const t = projectsMessages.value;
  useProjects();
  const offered = offeredProjects();
  if (offered.length < 2) return null;
  return (
    <label class={css.switch}>
      <span class="quiet small">{t.project}</span>
      <select
        class="input"
        data-project-switch
        value={shownProject() ?? ""}
        onChange={({ currentTarget: { value } }) => showProject(value === "" ? null : value)}
      >
        <option value="">{t.all}</option>
        {offered.map(({ projectId, name }) => (
          <option key={projectId} value={projectId}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}
