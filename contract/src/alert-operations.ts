/** Alerts: what is found and what fails, told where people work. */
import { Alert, AlertRequest, alertRecipientsMax, Alerts, alertsMax, ToldFindings } from "./alert.ts";
import { json, operation, usual, withBody, withStorage } from "./operation.ts";
import { Closed, Uuid } from "./scalars.ts";

const tag = "Alerts";
const params = Closed({ alert_id: Uuid });
const body = { schema: AlertRequest, required: true, bytesMax: 64 * 1024 } as const;

export const listAlerts = operation({
  id: "listAlerts",
  method: "GET",
  path: "/v1/alerts",
  tag,
  summary: "List the alerts",
  description: "And whether mail can be sent.",
  scope: "panels:read",
  replies: { 200: { description: "The alerts.", content: json(Alerts) } },
  problems: usual,
});

export const createAlert = operation({
  id: "createAlert",
  method: "POST",
  path: "/v1/alerts",
  tag,
  summary: "Create an alert",
  description: `Tells from now on what is found, to channels and mail addresses: each finding once, and what is found within half a minute in one message. Conditions that hold already are told. An account has at most ${alertsMax} alerts, each with at most ${alertRecipientsMax} channels and addresses.`,
  scope: "panels:write",
  free: true,
  stores: "free",
  body,
  replies: { 201: { description: "The alert.", content: json(Alert) } },
  problems: [...usual, ...withBody, ...withStorage, "state_conflict"],
});

export const putAlert = operation({
  id: "putAlert",
  method: "PUT",
  path: "/v1/alerts/{alert_id}",
  tag,
  summary: "Replace an alert",
  description: "Findings that wait are told as it says now. If it is paused, they are not told.",
  scope: "panels:write",
  free: true,
  params,
  body,
  replies: { 200: { description: "The alert.", content: json(Alert) } },
  problems: [...usual, ...withBody, "not_found", "state_conflict"],
});

export const deleteAlert = operation({
  id: "deleteAlert",
  method: "DELETE",
  path: "/v1/alerts/{alert_id}",
  tag,
  summary: "Delete an alert",
  description: "Findings that wait are not told. Messages on their way are still delivered.",
  scope: "panels:write",
  free: true,
  params,
  replies: { 204: { description: "Nothing is told by it any more." } },
  problems: [...usual, "not_found"],
});

export const listToldFindings = operation({
  id: "listToldFindings",
  method: "GET",
  path: "/v1/alerts/{alert_id}/findings",
  tag,
  summary: "List what an alert has told",
  description: "With each destination and what became of the message. Findings are kept for 90 days.",
  scope: "panels:read",
  params,
  replies: { 200: { description: "The findings.", content: json(ToldFindings) } },
  problems: [...usual, "not_found"],
});
