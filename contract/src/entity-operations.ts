import { Type } from "typebox";
import {
  EntityChanges,
  EntityList,
  EntityMentions,
  EntityPage,
  EntityRecord,
  EntityRequest,
  entityRelations,
  EntityRevisions,
  EntityTrial,
  NameDecisions,
  NameProposals,
} from "./entity.ts";
import { cursor, inProject, json, operation, pageLimit, usual, withBody, withStorage } from "./operation.ts";
import { Closed, Uuid } from "./scalars.ts";

const params = Closed({ entity_id: Uuid });
const entityBody = { schema: EntityRequest, required: true, bytesMax: 256 * 1024 };

export const listEntities = operation({
  id: "listEntities",
  method: "GET",
  path: "/v1/entities",
  tag: "Entities",
  summary: "List the entities of the account",
  description: "Newest first.",
  scope: "reports:read",
  projects: "within",
  query: Closed({
    project: inProject,
    relation: Type.Optional(Type.Enum([...entityRelations])),
    limit: pageLimit,
    cursor,
  }),
  replies: { 200: { description: "A page of entities.", content: json(EntityPage) } },
  problems: [...usual, "not_found"],
});

export const createEntity = operation({
  id: "createEntity",
  method: "POST",
  path: "/v1/entities",
  tag: "Entities",
  summary: "Create an entity",
  description: "A second entity of the same name is refused, so a request can be repeated if its response was lost.",
  scope: "panels:write",
  projects: "within",
  free: true,
  stores: "free",
  query: Closed({ project: inProject }),
  body: entityBody,
  replies: { 201: { description: "The entity.", content: json(EntityRecord) } },
  problems: [...usual, ...withBody, "not_found", ...withStorage, "state_conflict"],
});

export const putEntities = operation({
  id: "putEntities",
  method: "PUT",
  path: "/v1/entities",
  tag: "Entities",
  summary: "Create or change entities by their names",
  description:
    "Each entity of the list replaces the account's entity of the same name, or is created. Entities that are not in the list are unchanged. Either the whole list takes effect or none of it; every error is reported.",
  scope: "panels:write",
  projects: "within",
  free: true,
  stores: "free",
  query: Closed({ project: inProject }),
  body: { schema: EntityList, required: true, bytesMax: 4 * 1024 ** 2, checkedByHandler: true },
  replies: { 200: { description: "The number of entities that changed.", content: json(EntityChanges) } },
  problems: [...usual, ...withBody, "not_found", ...withStorage, "state_conflict"],
});

export const tryEntities = operation({
  id: "tryEntities",
  method: "POST",
  path: "/v1/entities/try",
  tag: "Entities",
  summary: "Find mentions in a text",
  description:
    "Nothing is stored. Mentions in code, in the targets of links and in addresses do not count; the name of a host alone, such as `you.com`, counts if it is a name or alias.",
  scope: "panels:read",
  projects: "within",
  audit: false,
  free: true,
  query: Closed({ project: inProject }),
  body: { schema: EntityTrial, required: true, bytesMax: 4 * 1024 ** 2 },
  replies: { 200: { description: "The mentions.", content: json(EntityMentions) } },
  problems: [...usual, ...withBody, "not_found"],
});

export const getEntity = operation({
  id: "getEntity",
  method: "GET",
  path: "/v1/entities/{entity_id}",
  tag: "Entities",
  summary: "Read an entity",
  scope: "reports:read",
  params,
  replies: { 200: { description: "The entity.", content: json(EntityRecord) } },
  problems: [...usual, "not_found"],
});

export const putEntity = operation({
  id: "putEntity",
  method: "PUT",
  path: "/v1/entities/{entity_id}",
  tag: "Entities",
  summary: "Change an entity",
  description: "Replaces its content. A change makes a new revision; the same content again does not.",
  scope: "panels:write",
  free: true,
  stores: "free",
  params,
  body: entityBody,
  replies: { 200: { description: "The entity.", content: json(EntityRecord) } },
  problems: [...usual, ...withBody, ...withStorage, "not_found", "state_conflict"],
});

export const deleteEntity = operation({
  id: "deleteEntity",
  method: "DELETE",
  path: "/v1/entities/{entity_id}",
  tag: "Entities",
  summary: "Delete an entity",
  description: "Deletes its revisions, too. Observations keep the mentions that were found before.",
  scope: "panels:write",
  free: true,
  params,
  replies: { 200: { description: "The entity as it was.", content: json(EntityRecord) } },
  problems: [...usual, ...withBody, "not_found"],
});

export const listEntityRevisions = operation({
  id: "listEntityRevisions",
  method: "GET",
  path: "/v1/entities/{entity_id}/revisions",
  tag: "Entities",
  summary: "List the revisions of an entity",
  scope: "panels:read",
  params,
  replies: { 200: { description: "The revisions.", content: json(EntityRevisions) } },
  problems: [...usual, "not_found"],
});

export const proposeNames = operation({
  id: "proposeNames",
  method: "GET",
  path: "/v1/entities/{entity_id}/proposals",
  tag: "Entities",
  summary: "Propose aliases and negative contexts",
  description:
    "Searches the newest answers whose texts are still there (at most 200, of at most 512 KiB together) for other forms of the entity's names, and for places at which a name means something else. Nothing changes until `POST` approves a proposal. Each has some of the places that it comes from, and the number of mentions that it would add or take away, alone and without the others.",
  scope: "tasks:read",
  // The answers that it reads are of all projects.
  projects: "refused",
  free: true,
  params,
  query: Closed({
    panelId: Type.Optional(Type.String({ ...Uuid, description: "Only answers of this panel." })),
    neighbours: Type.Optional(
      Type.Boolean({
        default: false,
        description:
          "Also words that stand mostly beside the name, with the reason `neighbour`. Most of them show no other sense.",
      }),
    ),
  }),
  replies: { 200: { description: "The proposals.", content: json(NameProposals) } },
  problems: [...usual, ...withBody, "not_found"],
});

export const decideNames = operation({
  id: "decideNames",
  method: "POST",
  path: "/v1/entities/{entity_id}/proposals",
  tag: "Entities",
  summary: "Approve or decline proposals",
  description:
    "Adds what is approved to the entity as it is now, in one new revision: all or nothing. Approving what the entity has already changes nothing, so a request can be repeated.",
  scope: "panels:write",
  free: true,
  stores: "free",
  params,
  body: { schema: NameDecisions, required: true, bytesMax: 256 * 1024 },
  replies: { 200: { description: "The entity.", content: json(EntityRecord) } },
  problems: [...usual, ...withBody, ...withStorage, "not_found", "state_conflict"],
});
