/** The projects of whoever is signed in, and the one whose panels and brands the views show. */
import { signal } from "@preact/signals";
import { ForbiddenError, type ProjectRecord } from "@querent/client";
import { useEffect } from "preact/hooks";
import { querent } from "../api/querent.ts";
import { useLive } from "../api/use-live.ts";
import { recall, remember } from "../ui/browser-storage.ts";
import { may, session } from "./session.ts";

const entry = "querent.project";
const everyMs = 60_000;

/** Those that were read last; empty until then, and for a token that may not read them. */
export const projects = signal<readonly ProjectRecord[]>([]);
const chosen = signal<string | null>(recall("tab", entry));
/** Counts up when a view has changed one. */
const changes = signal(0);

/** The project that is chosen. Undefined: all of them. */
export const shownProject = (): string | undefined =>
  projects.value.find(({ projectId }) => projectId === chosen.value)?.projectId;

/** The project in which something new is created. Undefined: the service chooses. */
export function projectOfNew(): string | undefined {
  const own = session.value?.login?.projects ?? null;
  return shownProject() ?? (own !== null && own.length > 1 ? own[0]?.projectId : undefined);
}

export function showProject(projectId: string | null): void {
  chosen.value = projectId;
  remember("tab", entry, projectId);
}

export const projectsChanged = (): void => void changes.value++;

/** Whether whoever is signed in sees some projects of the account only. */
export const isLimited = (): boolean => (session.value?.login?.projects ?? null) !== null;

/** Whether whoever is signed in may make projects, and move panels between them. */
export const mayManageProjects = (): boolean => may("panels:write") && !isLimited();

/** Those that are offered: archived ones only while they are shown. */
export const offeredProjects = (): readonly ProjectRecord[] =>
  projects.value.filter(({ archivedAt, projectId }) => archivedAt === null || projectId === chosen.value);

/** Reads them for as long as somebody is signed in. */
export function useProjects(): void {
  const { account = null, tokenId = null } = session.value ?? {};
  const { value } = useLive(
    `projects ${account ?? ""} ${tokenId ?? ""} ${changes.value}`,
    async (call) => {
      try {
        return await querent.projects.list(call);
      } catch (error) {
        if (error instanceof ForbiddenError) return [];
        throw error;
      }
    },
    { everyMs },
  );
  useEffect(() => {
    if (value !== null) projects.value = value;
  }, [value]);
  useEffect(() => () => void (projects.value = []), []);
}
