import { ForbiddenError, type ProjectRecord } from "@querent/client";
import { useEffect, useRef, useState } from "preact/hooks";
import { querent } from "../../api/querent.ts";
import { useLive } from "../../api/use-live.ts";
import { go, to } from "../../app/address.ts";
import { mayManageProjects, projectsChanged, showProject } from "../../app/projects.ts";
import { may } from "../../app/session.ts";
import { looksMessages } from "../../i18n/looks.ts";
import { phrases } from "../../i18n/phrases.ts";
import { projectsMessages } from "../../i18n/projects.ts";
import { announce } from "../../ui/announcer.tsx";
import { ConfirmButtons } from "../../ui/confirm-buttons.tsx";
import { FailureNote } from "../../ui/failure-note.tsx";
import { Icon } from "../../ui/icon.tsx";
import { TablePlace } from "../../ui/table-place.tsx";
import { number } from "../../ui/time.tsx";
import { useAttempt } from "../../ui/use-attempt.ts";
import { useTitle } from "../../ui/use-title.ts";
import { LooksForm } from "./looks-form.tsx";
import * as css from "./projects.module.css";

const refreshMs = 30_000;

type Asked = { readonly projectId: string; readonly what: "rename" | "looks" | "archive" | "delete" } | null;

/** The projects of the account: made, renamed, archived and deleted here. */
export function ProjectsView() {
  const t = projectsMessages.value;
  useTitle(t.title);
  const { value, failed, refresh } = useLive("projects", (call) => querent.projects.list(call), {
    everyMs: refreshMs,
  });
  const [making, setMaking] = useState(false);
  const mayManage = mayManageProjects();
  const changed = () => {
    refresh();
    projectsChanged();
  };
  return (
    <div class="view">
      <header class="view-head">
        <h1>{t.title}</h1>
        {mayManage && !making ? (
          <button type="button" class="button primary" onClick={() => setMaking(true)}>
            <Icon name="add" />
            {t.create}
          </button>
        ) : null}
      </header>
      <p class="quiet">{t.lead}</p>
      {making ? (
        <NameForm
          label={t.create}
          name=""
          save={async (name) => {
            await querent.projects.create({ name });
            announce(t.made);
            setMaking(false);
            changed();
          }}
          cancel={() => setMaking(false)}
        />
      ) : null}
      {failed === null ? null : failed instanceof ForbiddenError ? (
        <p class="note">{t.forbidden}</p>
      ) : (
        <FailureNote failed={failed} retry={refresh} />
      )}
      {value === null ? null : <ProjectTable projects={value} mayManage={mayManage} changed={changed} />}
    </div>
  );
}

interface ProjectTableProps {
  readonly projects: readonly ProjectRecord[];
  readonly mayManage: boolean;
  readonly changed: () => void;
}

function ProjectTable({ projects, mayManage, changed }: ProjectTableProps) {
  const t = projectsMessages.value;
  const [asked, setAsked] = useState<Asked>(null);
  const { failed, run } = useAttempt();
  const act = (work: () => Promise<unknown>, said: string) =>
    run(async () => {
      await work();
      announce(said);
      setAsked(null);
      changed();
    });
  const renamed = projects.find(({ projectId }) => asked?.what === "rename" && asked.projectId === projectId);
  const looked = projects.find(({ projectId }) => asked?.what === "looks" && asked.projectId === projectId);
  const show = (projectId: string) => {
    showProject(projectId);
    go(to("/panels"));
  };
  return (
    <>
      {failed === null ? null : <FailureNote failed={failed} />}
      {renamed === undefined ? null : (
        <NameForm
          key={renamed.projectId}
          label={t.renameOf(renamed.name)}
          name={renamed.name}
          save={async (name) => {
            await querent.projects.change(renamed.projectId, { name });
            announce(t.renamed);
            setAsked(null);
            changed();
          }}
          cancel={() => setAsked(null)}
        />
      )}
      {looked === undefined ? null : <LooksForm {...looked} close={() => setAsked(null)} />}
      <TablePlace label={t.title}>
        <table class="table">
          <thead>
            <tr>
              <th scope="col">{t.columns.name}</th>
              <th scope="col" class="figure">
                {t.columns.panels}
              </th>
              <th scope="col" class="figure">
                {t.columns.brands}
              </th>
              <td />
            </tr>
          </thead>
          <tbody>
            {projects.map((project) => (
              <tr key={project.projectId} data-project={project.projectId}>
                <th scope="row">
                  <button
                    type="button"
                    class="plain link"
                    aria-label={t.show(project.name)}
                    onClick={() => show(project.projectId)}
                  >
                    <bdi>{project.name}</bdi>
                  </button>{" "}
                  {project.isDefault ? <span class="tag">{t.isDefault}</span> : null}
                  {project.archivedAt === null ? null : <span class="tag">{t.archived}</span>}
                </th>
                <td class="figure">{number(project.panelCount)}</td>
                <td class="figure">{number(project.entityCount)}</td>
                <td class="figure">
                  {mayManage ? (
                    <Actions project={project} asked={asked} ask={setAsked} act={act} />
                  ) : may("panels:write") ? (
                    <LooksButton project={project} ask={setAsked} />
                  ) : null}
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </TablePlace>
    </>
  );
}

interface ActionsProps {
  readonly project: ProjectRecord;
  readonly asked: Asked;
  readonly ask: (asked: Asked) => void;
  readonly act: (work: () => Promise<unknown>, said: string) => void;
}

function LooksButton({ project: { projectId, name }, ask }: Pick<ActionsProps, "project" | "ask">) {
  const t = looksMessages.value;
  return (
    <button
      type="button"
      class="button ghost"
      aria-label={t.looksOf(name)}
      onClick={() => ask({ projectId, what: "looks" })}
    >
      {t.looks}
    </button>
  );
}

function Actions({ project, asked, ask, act }: ActionsProps) {
  const t = projectsMessages.value;
  const { projectId, name, isDefault, archivedAt, panelCount, entityCount } = project;
  const change = (archived: boolean) => () => querent.projects.change(projectId, { name, archived });
  if (asked?.projectId === projectId && (asked.what === "archive" || asked.what === "delete")) {
    const isDeleted = asked.what === "delete";
    return (
      <span class={`actions ${css.end}`}>
        <ConfirmButtons
          yes={isDeleted ? t.reallyDelete : t.reallyArchive}
          confirm={() =>
            isDeleted ? act(() => querent.projects.delete(projectId), t.deleted) : act(change(true), t.archivedNow)
          }
          no={phrases.value.cancel}
          withdraw={() => ask(null)}
        />
      </span>
    );
  }
  return (
    <span class={`actions ${css.end}`}>
      <button
        type="button"
        class="button ghost"
        aria-label={t.renameOf(name)}
        onClick={() => ask({ projectId, what: "rename" })}
      >
        {t.rename}
      </button>
      <LooksButton {...{ project, ask }} />
      {isDefault ? null : archivedAt === null ? (
        <button
          type="button"
          class="button ghost"
          aria-label={t.archiveOf(name)}
          onClick={() => ask({ projectId, what: "archive" })}
        >
          {t.archive}
        </button>
      ) : (
        <button
          type="button"
          class="button ghost"
          aria-label={t.restoreOf(name)}
          onClick={() => act(change(false), t.restored)}
        >
          {t.restore}
        </button>
      )}
      {isDefault || panelCount + entityCount > 0 ? null : (
        <button
          type="button"
          class="button ghost"
          aria-label={t.deleteOf(name)}
          onClick={() => ask({ projectId, what: "delete" })}
        >
          {t.delete}
        </button>
      )}
    </span>
  );
}

interface NameFormProps {
  readonly label: string;
  readonly name: string;
  readonly save: (name: string) => Promise<void>;
  readonly cancel: () => void;
}

function NameForm({ label, name: before, save, cancel }: NameFormProps) {
  const t = projectsMessages.value;
  const [name, setName] = useState(before);
  const { busy, failed, run } = useAttempt();
  const field = useRef<HTMLInputElement>(null);
  useEffect(() => field.current?.focus(), []);
  const submit = (event: Event) => {
    event.preventDefault();
    if (name.trim() !== "") run(() => save(name.trim()));
  };
  return (
    <form class="panel form" aria-label={label} onSubmit={submit}>
      <div class="field">
        <label for="project-name">{t.name}</label>
        <input
          id="project-name"
          ref={field}
          class="input"
          required
          maxLength={100}
          autocomplete="off"
          value={name}
          onInput={({ currentTarget }) => setName(currentTarget.value)}
        />
      </div>
      {failed === null ? null : <FailureNote failed={failed} />}
      <div class="actions">
        <button type="submit" class="button primary" aria-disabled={busy}>
          {t.save}
        </button>
        <button type="button" class="button" onClick={cancel}>
          {phrases.value.cancel}
        </button>
      </div>
    </form>
  );
}
