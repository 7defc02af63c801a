import type { MemberRecord } from "@querent/client";
import { projects } from "../../app/projects.ts";
import { projectsMessages } from "../../i18n/projects.ts";

type Role = MemberRecord["role"];

/** Whether members with a role are limited to projects: always, never, or as it is chosen. */
export const limitOf = (role: Role | null): "always" | "never" | "chosen" =>
  role === "client" ? "always" : role === "owner" || role === "admin" ? "never" : "chosen";

interface ProjectChoiceProps {
  /** Null: of a token, which is limited as it is chosen. */
  readonly role: Role | null;
  /** Null: the whole account. */
  readonly value: readonly string[] | null;
  readonly choose: (projects: readonly string[] | null) => void;
}

/** The projects to which somebody or a token is limited. Nothing for a role that is not. */
export function ProjectChoice({ role, value, choose }: ProjectChoiceProps) {
  const t = projectsMessages.value;
  const limit = limitOf(role);
  // With one project, only a role that needs it has a choice.
  if (limit === "never" || (limit === "chosen" && projects.value.length < 2 && value === null)) return null;
  const chosen = value ?? [];
  const toggle = (projectId: string, isOn: boolean) =>
    choose(isOn ? [...chosen, projectId] : chosen.filter((one) => one !== projectId));
  return (
    <fieldset class="field" data-projects>
      <legend>{t.access}</legend>
      {limit === "always" ? null : (
        <>
          <label class="choice">
            <input type="radio" name="project-limit" checked={value === null} onChange={() => choose(null)} />
            <span>{t.whole}</span>
          </label>
          <label class="choice">
            <input type="radio" name="project-limit" checked={value !== null} onChange={() => choose([])} />
            <span>{t.limited}</span>
          </label>
        </>
      )}
      {limit === "always" || value !== null
        ? projects.value.map(({ projectId, name }) => (
            <label key={projectId} class="choice">
              <input
                type="checkbox"
                checked={chosen.includes(projectId)}
                onChange={({ currentTarget }) => toggle(projectId, currentTarget.checked)}
              />
              <bdi>{name}</bdi>
            </label>
          ))
        : null}
    </fieldset>
  );
}

/** What is sent: null for the whole account. Undefined: a project is still to be chosen. */
export function chosenProjects(role: Role | null, value: readonly string[] | null): string[] | null | undefined {
  const limit = limitOf(role);
  if (limit === "never" || (limit === "chosen" && value === null)) return null;
  return value === null || value.length === 0 ? undefined : [...value];
}
