import { Type } from "typebox";
import { Caps, CapsChange } from "./cap.ts";
import {
  cursor,
  headers,
  inProject,
  json,
  maxPoints,
  operation,
  pageLimit,
  usual,
  withBody,
  withStorage,
} from "./operation.ts";
import { PanelInput, PanelPage, PanelQuote, PanelRecord, PanelRevisions, PanelRun, PanelRuns } from "./panel.ts";
import { Closed, Uuid } from "./scalars.ts";

const tag = "Panels";
const params = Closed({ panel_id: Uuid });
/** A panel of 1,000 prompts of 10,000 characters fits. */
const panelBytesMax = 16 * 1024 ** 2;

export const createPanel = operation({
  id: "createPanel",
  method: "POST",
  path: "/v1/panels",
  tag,
  summary: "Create a panel",
  description:
    "A panel is a set of prompts that is asked again and again. Each combination of prompt, platform, locale and persona is a cell, and a run asks every cell `repeats` times. A panel that is not valid is refused with all of its errors, each with a JSON Pointer. Nothing is asked before the panel runs.",
  scope: "panels:write",
  projects: "within",
  free: true,
  stores: "free",
  query: Closed({ project: inProject }),
  body: { schema: PanelInput, required: true, bytesMax: panelBytesMax, checkedByHandler: true },
  replies: { 201: { description: "The panel, revision 1.", content: json(PanelRecord) } },
  problems: [...usual, ...withBody, "not_found", "state_conflict", ...withStorage],
});

export const listPanels = operation({
  id: "listPanels",
  method: "GET",
  path: "/v1/panels",
  tag,
  summary: "List panels",
  description: "Newest first.",
  scope: "reports:read",
  projects: "within",
  query: Closed({ project: inProject, limit: pageLimit, cursor }),
  replies: { 200: { description: "A page of panels.", content: json(PanelPage) } },
  problems: [...usual, "not_found"],
  tool: {
    name: "panels",
    title: "List panels and brands",
    description:
      "Lists the panels (sets of prompts that are asked again and again), newest first, and the brands, products and people that their answers are searched for. A panel's figures are of the brands in its own set, whatever the relation of a brand here. Both stand in projects, such as one for each client of an agency, and a brand can be in several of them under the same name. Their ids are inputs of the other tools.",
    arguments: { limit: null, cursor: null },
  },
});

export const quoteNewPanel = operation({
  id: "quoteNewPanel",
  method: "POST",
  path: "/v1/panels/quote",
  tag,
  summary: "Get a quote for a panel as sent",
  description: "A dry run: creates nothing, and returns cells, tasks, the price of a run, and every error.",
  scope: "panels:read",
  projects: "within",
  audit: false,
  free: true,
  query: Closed({ project: inProject }),
  body: { schema: PanelInput, required: true, bytesMax: panelBytesMax, checkedByHandler: true },
  replies: { 200: { description: "The quote.", content: json(PanelQuote) } },
  problems: [...usual, ...withBody, "not_found", "state_conflict"],
});

export const getPanel = operation({
  id: "getPanel",
  method: "GET",
  path: "/v1/panels/{panel_id}",
  tag,
  summary: "Read one panel",
  scope: "reports:read",
  params,
  query: Closed({
    revision: Type.Optional(
      Type.Integer({
        minimum: 1,
        maximum: 2_147_483_647,
        description: "An earlier revision. Default: the current one.",
      }),
    ),
  }),
  replies: { 200: { description: "The panel.", content: json(PanelRecord) } },
  problems: [...usual, "not_found"],
});

export const putPanel = operation({
  id: "putPanel",
  method: "PUT",
  path: "/v1/panels/{panel_id}",
  tag,
  summary: "Edit a panel",
  description:
    "Replaces the panel. If what it asks has changed, this makes a new revision; the order of members makes no difference, and a change of the name or the schedule makes none. Runs that have started go on as they were.",
  scope: "panels:write",
  free: true,
  stores: "free",
  params,
  body: { schema: PanelInput, required: true, bytesMax: panelBytesMax, checkedByHandler: true },
  replies: { 200: { description: "The panel.", content: json(PanelRecord) } },
  problems: [...usual, ...withBody, ...withStorage, "not_found"],
});

export const deletePanel = operation({
  id: "deletePanel",
  method: "DELETE",
  path: "/v1/panels/{panel_id}",
  tag,
  summary: "Delete a panel",
  description:
    "Deletes the panel, its revisions, its runs and its observations, and which tasks belonged to them. The tasks themselves stay until they expire, and those that are pending go on.",
  scope: "panels:write",
  free: true,
  params,
  replies: { 204: { description: "It is deleted." } },
  problems: [...usual, "not_found"],
});

export const listPanelRevisions = operation({
  id: "listPanelRevisions",
  method: "GET",
  path: "/v1/panels/{panel_id}/revisions",
  tag,
  summary: "List a panel's revisions",
  description: "The newest 200.",
  scope: "panels:read",
  params,
  replies: { 200: { description: "The revisions.", content: json(PanelRevisions) } },
  problems: [...usual, "not_found"],
});

export const quotePanel = operation({
  id: "quotePanel",
  method: "POST",
  path: "/v1/panels/{panel_id}/quote",
  tag,
  summary: "Get a quote for a run of a panel",
  description: "Cells, tasks and the price of a run now, what would refuse it, and the next times of the schedule.",
  scope: "panels:read",
  audit: false,
  free: true,
  params,
  replies: { 200: { description: "The quote.", content: json(PanelQuote) } },
  problems: [...usual, ...withBody, "not_found"],
});

export const runPanel = operation({
  id: "runPanel",
  method: "POST",
  path: "/v1/panels/{panel_id}/runs",
  tag,
  summary: "Run a panel now",
  description:
    "Asks the current revision. All tasks are created and priced in one transaction, or none. To retry safely, send the same `Idempotency-Key`: the same run is returned with `Idempotent-Replayed: true`, and nothing is charged twice.",
  scope: "panels:write",
  stores: "tasks",
  params,
  headers: Type.Object({
    "idempotency-key": Type.String({
      minLength: 1,
      maxLength: 257,
      description:
        "1 to 255 printable ASCII characters, with or without double quotes. Kept as long as the panel, per panel.",
    }),
    "x-max-points": maxPoints,
  }),
  replies: {
    202: {
      description: "The run. Its tasks are durable.",
      content: json(PanelRun),
      headers: { "Idempotent-Replayed": headers.idempotentReplayed },
    },
  },
  problems: [
    ...usual,
    ...withBody,
    ...withStorage,
    "not_found",
    "idempotency_key_missing",
    "idempotency_key_malformed",
    "points_short",
    "max_points_exceeded",
    "cap_exceeded",
    "queue_full",
  ],
});

export const listPanelRuns = operation({
  id: "listPanelRuns",
  method: "GET",
  path: "/v1/panels/{panel_id}/runs",
  tag,
  summary: "List a panel's runs",
  description: "Newest first, with those that were refused or missed.",
  scope: "panels:read",
  params,
  query: Closed({ limit: pageLimit, cursor }),
  replies: { 200: { description: "A page of runs.", content: json(PanelRuns) } },
  problems: [...usual, "not_found"],
});

export const getPanelRun = operation({
  id: "getPanelRun",
  method: "GET",
  path: "/v1/panels/{panel_id}/runs/{run_id}",
  tag,
  summary: "Read a run of a panel",
  scope: "panels:read",
  params: Closed({ panel_id: Uuid, run_id: Uuid }),
  replies: { 200: { description: "The run.", content: json(PanelRun) } },
  problems: [...usual, "not_found"],
});

export const getCaps = operation({
  id: "getCaps",
  method: "GET",
  path: "/v1/caps",
  tag: "Caps",
  summary: "Read the caps",
  description: "The limits on points of the account, its projects, panels and tags, and what is used of them.",
  scope: "panels:read",
  replies: { 200: { description: "The caps.", content: json(Caps) } },
  problems: usual,
});

export const putCaps = operation({
  id: "putCaps",
  method: "PUT",
  path: "/v1/caps",
  tag: "Caps",
  summary: "Set the caps",
  description:
    "Replaces all caps of the account. Each batch and each run of a panel is priced and checked against them before its points are held; over a cap, nothing is accepted and nothing is held (402 `cap_exceeded`). A cap counts from the time when it is first set, and keeps its sums while it stays set.",
  scope: "panels:write",
  free: true,
  body: { schema: CapsChange, required: true, bytesMax: 512 * 1024 },
  replies: { 200: { description: "The caps.", content: json(Caps) } },
  problems: [...usual, ...withBody],
});
