/** Assistants that people connect by signing in. */
import { Closed, Uuid } from "./scalars.ts";
import { ConnectionAnswer, ConnectionDecision, ConnectionList, ConnectionRequest } from "./connection.ts";
import { json, ofLogins, operation, usual, withBody } from "./operation.ts";

const connectionId = Closed({ connection_id: Uuid });

export const getConnectionRequest = operation({
  id: "getConnectionRequest",
  method: "GET",
  path: "/v1/connection-request",
  tag: "People",
  summary: "Get the assistant that asks to be connected",
  description:
    "For browsers: the request that an assistant has begun in this browser last, by the cookie that `/oauth/authorize` has set. It is kept for half an hour.",
  scope: null,
  login: "required",
  replies: { 200: { description: "Who asks for what.", content: json(ConnectionRequest) } },
  problems: [...ofLogins, "not_found"],
});

export const decideConnectionRequest = operation({
  id: "decideConnectionRequest",
  method: "POST",
  path: "/v1/connection-request/decision",
  tag: "People",
  summary: "Connect an assistant, or refuse it",
  description:
    "For the browser in which the assistant has begun the request. Works once. The browser then goes to the address of the response, which sends it back to the assistant: with a code, or with `access_denied`.",
  scope: null,
  login: "required",
  body: { schema: ConnectionDecision, required: true, bytesMax: 4 * 1024 },
  replies: { 200: { description: "Where to go.", content: json(ConnectionAnswer) } },
  problems: [...ofLogins, ...withBody, "not_found", "state_conflict", "scope_missing"],
});

export const listOwnConnections = operation({
  id: "listOwnConnections",
  method: "GET",
  path: "/v1/login/connections",
  tag: "People",
  summary: "List the own connections",
  description: "The assistants that the person has connected, in all accounts.",
  scope: null,
  login: "required",
  replies: { 200: { description: "The connections.", content: json(ConnectionList) } },
  problems: ofLogins,
});

export const endOwnConnection = operation({
  id: "endOwnConnection",
  method: "DELETE",
  path: "/v1/login/connections/{connection_id}",
  tag: "People",
  summary: "End one of the own connections",
  description: "Takes effect immediately, in every process.",
  scope: null,
  login: "required",
  params: connectionId,
  replies: { 204: { description: "It is ended." } },
  problems: [...ofLogins, ...withBody, "not_found"],
});

export const listConnections = operation({
  id: "listConnections",
  method: "GET",
  path: "/v1/connections",
  tag: "People",
  summary: "List the assistants that members have connected",
  scope: "access:manage",
  replies: { 200: { description: "The connections of the account.", content: json(ConnectionList) } },
  problems: usual,
});

export const endConnection = operation({
  id: "endConnection",
  method: "DELETE",
  path: "/v1/connections/{connection_id}",
  tag: "People",
  summary: "End the connection of an assistant",
  description: "Takes effect immediately, in every process. The member can connect the assistant again.",
  scope: "access:manage",
  params: connectionId,
  replies: { 204: { description: "It is ended." } },
  problems: [...usual, ...withBody, "not_found"],
});
