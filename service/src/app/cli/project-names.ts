/** Projects as options and arguments name them: by name or id. */
import type { Database } from "../../db/index.ts";
import { listProjects } from "../../projects/index.ts";
import { CommandError } from "../command-error.ts";

type Listed = Awaited<ReturnType<typeof listProjects>>;

export function oneNamed(all: Listed, text: string): Listed[number] {
  const found = all.find(({ projectId }) => projectId === text) ?? all.find(({ name }) => name === text.trim());
  if (found !== undefined) return found;
  throw new CommandError(
    `The account has no project ${text}. It has: ${all
      .slice(0, 20)
      .map(({ name }) => name)
      .join(", ")}.`,
  );
}

/** The ids of projects by their names or ids, as an option has them. Null: the option is not given. */
export async function projectIdsNamed(
  database: Database,
  accountId: string,
  texts: readonly string[] | undefined,
): Promise<string[] | null> {
  if (texts === undefined) return null;
  const all = await listProjects(database, { accountId, projects: null });
  return texts.map((text) => oneNamed(all, text).projectId);
}

/** Collects an option that can be given several times. */
export const collectProjects = (text: string, before: string[] = []): string[] => [...before, text];
