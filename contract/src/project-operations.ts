import { json, operation, usual, withBody, withStorage } from "./operation.ts";
import { MovedToProject, ProjectChange, ProjectList, ProjectMove, ProjectRecord, ProjectRequest } from "./project.ts";
import { ReportLooks, ReportLooksChange } from "./report-looks.ts";
import { Closed, Uuid } from "./scalars.ts";

const tag = "Projects";
const params = Closed({ project_id: Uuid });
const bytesMax = 16 * 1024;

export const listProjects = operation({
  id: "listProjects",
  method: "GET",
  path: "/v1/projects",
  tag,
  summary: "List projects",
  description: "Those of the account or, for access that is limited to projects, these.",
  scope: "reports:read",
  projects: "within",
  replies: { 200: { description: "The projects.", content: json(ProjectList) } },
  problems: usual,
});

export const createProject = operation({
  id: "createProject",
  method: "POST",
  path: "/v1/projects",
  tag,
  summary: "Create a project",
  description: "A second project of the same name is refused, so a request can be repeated if its response was lost.",
  scope: "panels:write",
  projects: "refused",
  free: true,
  body: { schema: ProjectRequest, required: true, bytesMax },
  replies: { 201: { description: "The project.", content: json(ProjectRecord) } },
  problems: [...usual, ...withBody, "state_conflict"],
});

export const putProject = operation({
  id: "putProject",
  method: "PUT",
  path: "/v1/projects/{project_id}",
  tag,
  summary: "Rename, archive or restore a project",
  description: "The default project can be renamed, and stays in use.",
  scope: "panels:write",
  projects: "refused",
  free: true,
  params,
  body: { schema: ProjectChange, required: true, bytesMax },
  replies: { 200: { description: "The project.", content: json(ProjectRecord) } },
  problems: [...usual, ...withBody, "not_found", "state_conflict"],
});

export const deleteProject = operation({
  id: "deleteProject",
  method: "DELETE",
  path: "/v1/projects/{project_id}",
  tag,
  summary: "Delete a project that is empty",
  description:
    "A project with panels or brands is refused: move or delete them first. Members, invitations and tokens that are limited to it alone keep access to nothing. The default project cannot be deleted.",
  scope: "panels:write",
  projects: "refused",
  free: true,
  params,
  replies: { 204: { description: "It is deleted." } },
  problems: [...usual, ...withBody, "not_found", "state_conflict"],
});

export const getReportLooks = operation({
  id: "getReportLooks",
  method: "GET",
  path: "/v1/projects/{project_id}/looks",
  tag,
  summary: "Read how a project's reports look",
  scope: "reports:read",
  projects: "within",
  params,
  replies: { 200: { description: "The looks.", content: json(ReportLooks) } },
  problems: [...usual, "not_found"],
});

export const putReportLooks = operation({
  id: "putReportLooks",
  method: "PUT",
  path: "/v1/projects/{project_id}/looks",
  tag,
  summary: "Set how a project's reports look",
  description:
    "Name, logo and colour stand in the pages, PDFs and mails of the project's reports that are made from now on. Links that were shared before show what they did. The signed zip has no looks.",
  scope: "panels:write",
  projects: "within",
  free: true,
  stores: "free",
  params,
  body: { schema: ReportLooksChange, required: true, bytesMax: 384 * 1024 },
  replies: { 200: { description: "The looks.", content: json(ReportLooks) } },
  problems: [...usual, ...withBody, ...withStorage, "not_found"],
});

export const moveToProject = operation({
  id: "moveToProject",
  method: "POST",
  path: "/v1/projects/{project_id}/contents",
  tag,
  summary: "Move panels and brands to a project",
  description:
    "A panel takes along its runs, observations, figures, reports, links, addresses of figures and schedules of mails, and the brands of its set. Refused, and nothing is moved, if one of these brands is in the set of a panel that stays, or if the project has a brand of the same name. What stands in the project already is left as it is, so a request can be repeated.",
  scope: "panels:write",
  projects: "refused",
  free: true,
  params,
  body: { schema: ProjectMove, required: true, bytesMax },
  replies: { 200: { description: "What was moved.", content: json(MovedToProject) } },
  problems: [...usual, ...withBody, "not_found", "state_conflict"],
});
