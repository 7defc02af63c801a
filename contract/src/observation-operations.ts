import { Type, type Static, type TObject } from "typebox";
import {
  DeletedObservations,
  EntitySpanPage,
  FailedTaskPage,
  FailedTaskRecord,
  MentionRecount,
  ObservationPage,
  ObservationRecord,
  SourceCounts,
} from "./observation.ts";
import { failureCodes } from "./failure.ts";
import { cursor, inProject, json, operation, pageLimit, usual, withBody } from "./operation.ts";
import { Closed, StorableText, UtcTimestamp, Uuid } from "./scalars.ts";
import { ofObservations, toolLimit, windowNames } from "./tool-arguments.ts";

const name = (description: string, maxLength: number) =>
  Type.Optional(StorableText({ minLength: 1, maxLength, description }));

const project = Type.Optional({
  ...inProject,
  description: "The id or the name of a project: what its panels have asked, or what was imported into them.",
});

const selection = {
  panelId: Type.Optional(Uuid),
  runId: Type.Optional(Uuid),
  batchId: Type.Optional(Uuid),
  taskId: Type.Optional(Uuid),
  importId: Type.Optional(Uuid),
  platformCode: name("Code of a platform.", 64),
  locale: name("The locale as in `cell.locale`.", 255),
  persona: name("The persona as in `cell.persona`.", 255),
  promptId: name("A prompt of a panel.", 255),
  tag: name("A tag.", 64),
  clientReference: name("Exact match.", 255),
  entityId: Type.Optional(Uuid),
  domain: name("Answers that cite this domain.", 255),
  observedFrom: Type.Optional(UtcTimestamp),
  observedBefore: Type.Optional(UtcTimestamp),
};

/** Which observations are meant. All given members must match. */
export type ObservationFilter = Static<TObject<typeof selection>>;

export const listObservations = operation({
  id: "listObservations",
  method: "GET",
  path: "/v1/observations",
  tag: "Observations",
  summary: "List or export observations",
  description:
    "Newest first. An observation describes a completed task or an imported answer, and remains after the result has expired; it contains neither the question nor the answer. With `Accept: application/x-ndjson`, `text/csv` or `application/vnd.apache.parquet`, all observations of the selection are streamed, and `limit` and `cursor` have no effect. A page of JSON can have fewer than `limit` observations, or none, although there are more: continue with `nextCursor` until it is null.",
  scope: "tasks:read",
  isList: true,
  projects: "within",
  query: Closed({ project, ...selection, limit: pageLimit, cursor }),
  replies: {
    200: {
      description: "A page of observations, or all of them.",
      content: {
        "application/json": ObservationPage,
        "application/x-ndjson": ObservationRecord,
        "text/csv": Type.String(),
        "application/vnd.apache.parquet": Type.String(),
      },
    },
  },
  problems: [...usual, "not_found"],
  tool: {
    name: "observations",
    title: "List observed answers",
    description:
      "Lists what was observed of answers, newest first: which brands an answer names and where, which sources it cites, and with which model it was made. These are the answers that figures are made of. Read the answers themselves with the tool results.",
    names: windowNames,
    arguments: { ...ofObservations, limit: toolLimit(100) },
  },
});

const { importId: _importId, entityId: _entityId, domain: _domain, ...ofTasks } = selection;

export const listFailedTasks = operation({
  id: "listFailedTasks",
  method: "GET",
  path: "/v1/observations/failures",
  tag: "Observations",
  summary: "List or export failed tasks of panels",
  description:
    "Newest first. What remains of the tasks of panels that failed, from which `failure_rate` and `refusal_rate` are computed, and which are kept and deleted as observations are. Canceled tasks are not among them. With `Accept: application/x-ndjson`, `text/csv` or `application/vnd.apache.parquet`, all of the selection are streamed, and `limit` and `cursor` have no effect. A page of JSON can have fewer than `limit`, or none, although there are more: continue with `nextCursor` until it is null.",
  scope: "tasks:read",
  isList: true,
  projects: "within",
  query: Closed({
    project,
    ...ofTasks,
    code: Type.Optional(Type.Enum([...failureCodes], { description: "Why they failed." })),
    limit: pageLimit,
    cursor,
  }),
  replies: {
    200: {
      description: "A page of failed tasks, or all of them.",
      content: {
        "application/json": FailedTaskPage,
        "application/x-ndjson": FailedTaskRecord,
        "text/csv": Type.String(),
        "application/vnd.apache.parquet": Type.String(),
      },
    },
  },
  problems: [...usual, "not_found"],
});

export const deleteObservations = operation({
  id: "deleteObservations",
  method: "DELETE",
  path: "/v1/observations",
  tag: "Observations",
  summary: "Delete observations",
  description:
    "Deletes every observation of the selection, with the stored texts of imported answers among them, and the failed tasks of panels that it selects. The query must contain at least one filter. Tasks, results and files that were exported before are not deleted.",
  scope: "tasks:write",
  free: true,
  query: Closed(selection),
  replies: { 200: { description: "Deleted.", content: json(DeletedObservations) } },
  problems: [...usual, ...withBody],
});

export const listSources = operation({
  id: "listSources",
  method: "GET",
  path: "/v1/sources",
  tag: "Observations",
  summary: "Count the sources that answers cite",
  description:
    "By registrable domain, or by canonical URL with `by=address`. Each canonical URL counts once per answer, under however many URLs the answer cites it. Counted from observations, so the figures do not change when results expire.",
  scope: "tasks:read",
  isList: true,
  projects: "within",
  query: Closed({
    project,
    ...selection,
    by: Type.Optional(Type.Enum(["domain", "address"], { default: "domain" })),
    limit: Type.Optional(
      Type.Integer({ minimum: 1, maximum: 1000, default: 100, description: "Maximum number of sources." }),
    ),
  }),
  replies: {
    200: { description: "The counts. Default window: the last 28 days.", content: json(SourceCounts) },
  },
  problems: [...usual, "not_found"],
  tool: {
    name: "sources",
    title: "Count sources",
    description:
      "Counts the domains that answers cite, or their addresses: those of most answers first. These are counts of a sample, without intervals.",
    names: windowNames,
    arguments: { ...ofObservations, limit: toolLimit(200) },
  },
});

export const listEntityMentions = operation({
  id: "listEntityMentions",
  method: "GET",
  path: "/v1/entities/{entity_id}/mentions",
  tag: "Observations",
  summary: "List the mentions of an entity",
  description:
    "Every place that a count of mentions is made of, with the text around it as long as the answer has not expired. A page has the mentions of at most `limit` answers, and can be empty although there are more: continue with `nextCursor` until it is null.",
  scope: "tasks:read",
  isList: true,
  params: Closed({ entity_id: Uuid }),
  query: Closed({
    panelId: selection.panelId,
    platformCode: selection.platformCode,
    importId: selection.importId,
    observedFrom: selection.observedFrom,
    observedBefore: selection.observedBefore,
    limit: pageLimit,
    cursor,
  }),
  replies: { 200: { description: "A page of mentions.", content: json(EntitySpanPage) } },
  problems: [...usual, "not_found"],
});

export const recountMentions = operation({
  id: "recountMentions",
  method: "POST",
  path: "/v1/observations/recount",
  tag: "Observations",
  summary: "Find mentions again",
  description:
    "After a change of entities: searches the answers that have not expired again, newest first, and replaces the mentions of their observations. Stops after some seconds: repeat with `nextCursor` until it is null.",
  scope: "tasks:write",
  isList: true,
  free: true,
  query: Closed({ cursor }),
  replies: { 200: { description: "What was recounted, and what could not be.", content: json(MentionRecount) } },
  problems: [...usual, ...withBody],
});
