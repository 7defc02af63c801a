/** Projects: what an agency calls a client. */
import { Type, type Static } from "typebox";
import { Closed, Nullable, OptionalOrNull, StorableText, Timestamp, Uuid } from "./scalars.ts";

/** Of one account. */
export const projectsMax = 500;
/** Of one membership, invitation or token. */
export const accessProjectsMax = 100;
/** Panels that are moved in one request, and brands. */
export const movedMax = 100;
/** The name of the project that every account has, unless it was renamed. */
export const defaultProjectName = "default";

export const ProjectRef = Type.Object({ projectId: Uuid, name: Type.String() });
export type ProjectRef = Static<typeof ProjectRef>;

/** Panels and brands that belong together, such as those of one client. */
export const ProjectRecord = Type.Object({
  projectId: Type.String({ ...Uuid, description: "Of the default project: the id of the account." }),
  name: Type.String({ description: "Unique in the account." }),
  isDefault: Type.Boolean({
    description: "The project that every account has. What is created without a project is created there.",
  }),
  panelCount: Type.Integer({ minimum: 0 }),
  entityCount: Type.Integer({ minimum: 0, description: "Brands, products and people." }),
  archivedAt: Nullable(Timestamp, {
    description:
      "Since when it takes no new panels and brands; the schedules of its panels were paused then. Null: it is in use.",
  }),
});
export type ProjectRecord = Static<typeof ProjectRecord>;

export const ProjectList = Type.Object({
  projects: Type.Array(ProjectRecord, {
    description: `The default project first, the others by name. An account has at most ${projectsMax}.`,
  }),
});
export type ProjectList = Static<typeof ProjectList>;

const name = StorableText({
  minLength: 1,
  maxLength: 100,
  description: "Unique in the account. Spaces around it are dropped.",
});

/** The properties of a new project. */
export const ProjectRequest = Closed({ name });
export type ProjectRequest = Static<typeof ProjectRequest>;

/** What a project is to be. */
export const ProjectChange = Closed({
  name,
  archived: OptionalOrNull(
    Type.Boolean({
      description:
        "True: it takes no new panels and brands, and the schedules of its panels are paused now. False: it is in use; schedules stay paused until they are resumed. Left out: as before.",
    }),
  ),
});
export type ProjectChange = Static<typeof ProjectChange>;

const ids = (description: string) =>
  OptionalOrNull(Type.Array(Uuid, { maxItems: movedMax, uniqueItems: true, description }));

/** What is moved to a project. */
export const ProjectMove = Closed({
  panelIds: ids("Panels, with the brands of their sets."),
  entityIds: ids("Brands that are in the set of no panel, or only in those of panels that are moved as well."),
});
export type ProjectMove = Static<typeof ProjectMove>;

/** What was moved. */
export const MovedToProject = Type.Object({
  panelIds: Type.Array(Uuid, { description: "Without those that were in the project before." }),
  entityIds: Type.Array(Uuid, { description: "With the brands of the moved panels." }),
});
export type MovedToProject = Static<typeof MovedToProject>;
