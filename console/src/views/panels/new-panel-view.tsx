import { go, to } from "../../app/address.ts";
import { projectOfNew, projects } from "../../app/projects.ts";
import { projectsMessages } from "../../i18n/projects.ts";
import { panelsMessages } from "../../i18n/panels.ts";
import { PanelForm } from "./panel-form.tsx";
import { useTitle } from "../../ui/use-title.ts";

/** Creates a panel, and goes to it. */
export function NewPanelView() {
  const t = panelsMessages.value;
  useTitle(t.create);
  return (
    <div class="view">
      <header class="view-head">
        <h1>{t.create}</h1>
      </header>
      {projects.value.length < 2 ? null : (
        <p class="quiet">
          {projectsMessages.value.project}: <bdi>{nameOf(projectOfNew())}</bdi>
        </p>
      )}
      <PanelForm
        before={null}
        done={({ panelId }) => go(to(`/panels/${panelId}`, { part: "runs" }))}
        cancel={() => go(to("/panels"))}
      />
    </div>
  );
}

/** Without one, a panel is created in the default project. */
const nameOf = (projectId: string | undefined) =>
  projects.value.find((project) => (projectId === undefined ? project.isDefault : project.projectId === projectId))
    ?.name;
