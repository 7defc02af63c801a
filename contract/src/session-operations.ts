/** Sessions of web platforms, and signing in to one, for operators. */
import { Type } from "typebox";
import { json, operation, usual, withBody } from "./operation.ts";
import { Closed, StorableText, Uuid } from "./scalars.ts";
import { SessionList, SessionRecord } from "./session.ts";
import { SessionName, SessionState, SignIn, SignInInput, SignInRequest } from "./sign-in.ts";

const sessionOf = Closed({
  platform_code: StorableText({ minLength: 1, maxLength: 64, description: "A code listed by `GET /v1/platforms`." }),
  session_name: SessionName,
});
const signInId = Closed({ sign_in_id: Uuid });
const bytesMax = 16 * 1024;
const noBody = "The request has no body.";

export const listSessions = operation({
  id: "listSessions",
  method: "GET",
  path: "/v1/admin/sessions",
  tag: "Operator",
  summary: "List the sessions of web platforms",
  description:
    "The signed-in sessions with which the pages of web platforms are asked: their age, last use, last success and state, without their contents.",
  scope: "admin",
  replies: { 200: { description: "The sessions.", content: json(SessionList) } },
  problems: usual,
});

export const putSession = operation({
  id: "putSession",
  method: "PUT",
  path: "/v1/admin/platforms/{platform_code}/sessions/{session_name}",
  tag: "Operator",
  summary: "Store a session of a web platform",
  description:
    "Encrypts the session and stores it in place of the former one of that name. Tasks that start later use it. It cannot be read through the API.",
  scope: "admin",
  params: sessionOf,
  body: { schema: SessionState, required: true, bytesMax: 8 * 1024 * 1024 },
  replies: { 200: { description: "The session, without its contents.", content: json(SessionRecord) } },
  problems: [...usual, ...withBody, "not_found"],
});

export const deleteSession = operation({
  id: "deleteSession",
  method: "DELETE",
  path: "/v1/admin/platforms/{platform_code}/sessions/{session_name}",
  tag: "Operator",
  summary: "Remove a session of a web platform",
  description: "Tasks that use it end as usual. The account at the platform stays signed in there.",
  scope: "admin",
  params: sessionOf,
  replies: { 204: { description: "It is removed." } },
  problems: [...usual, "not_found"],
});

export const resumeSession = operation({
  id: "resumeSession",
  method: "POST",
  path: "/v1/admin/platforms/{platform_code}/sessions/{session_name}/resumption",
  tag: "Operator",
  summary: "Use a session again",
  description: `For a session that was set aside as signed out or pauses, when you know that it works. If it doesn't, the next task sets it aside again. ${noBody}`,
  scope: "admin",
  params: sessionOf,
  replies: { 200: { description: "The session, without its contents.", content: json(SessionRecord) } },
  problems: [...usual, ...withBody, "not_found"],
});

export const startSignIn = operation({
  id: "startSignIn",
  method: "POST",
  path: "/v1/admin/sign-ins",
  tag: "Operator",
  summary: "Start to sign in to a web platform",
  description:
    "Opens the platform's page in a browser of the process that answers, with the stored session of that name if there is one. Ends a sign-in that was started with the same token before. The sign-in exists in this process only: with several, send its requests to the same one. It ends after 15 minutes, or when nobody has read its picture for 45 seconds.",
  scope: "admin",
  body: { schema: SignInRequest, required: true, bytesMax },
  replies: { 201: { description: "The sign-in.", content: json(SignIn) } },
  problems: [...usual, ...withBody, "not_found", "state_conflict"],
});

export const getSignIn = operation({
  id: "getSignIn",
  method: "GET",
  path: "/v1/admin/sign-ins/{sign_in_id}",
  tag: "Operator",
  summary: "Read the picture of a sign-in",
  description:
    "With `after`, waits until something has changed, for at most 15 seconds. Only the token that started it can read it.",
  scope: "admin",
  params: signInId,
  query: Closed({
    after: Type.Optional(
      Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description: "The `version` that was read last." }),
    ),
  }),
  replies: { 200: { description: "The sign-in.", content: json(SignIn) } },
  problems: [...usual, "not_found"],
});

export const sendSignInInput = operation({
  id: "sendSignInInput",
  method: "POST",
  path: "/v1/admin/sign-ins/{sign_in_id}/input",
  tag: "Operator",
  summary: "Send input to the page of a sign-in",
  description: "Mouse, wheel, keys and text, in order. What is typed is neither logged nor stored.",
  scope: "admin",
  params: signInId,
  body: { schema: SignInInput, required: true, bytesMax: 512 * 1024 },
  replies: { 204: { description: "The page has received it." } },
  problems: [...usual, ...withBody, "not_found"],
});

export const saveSignIn = operation({
  id: "saveSignIn",
  method: "POST",
  path: "/v1/admin/sign-ins/{sign_in_id}/session",
  tag: "Operator",
  summary: "Store the session of a sign-in",
  description: `Stores cookies, local storage and IndexedDB of the page, encrypted, and ends the sign-in. ${noBody}`,
  scope: "admin",
  params: signInId,
  replies: { 201: { description: "The session, without its contents.", content: json(SessionRecord) } },
  problems: [...usual, ...withBody, "not_found"],
});

export const cancelSignIn = operation({
  id: "cancelSignIn",
  method: "DELETE",
  path: "/v1/admin/sign-ins/{sign_in_id}",
  tag: "Operator",
  summary: "Cancel a sign-in",
  description: "Closes its page. Nothing is stored.",
  scope: "admin",
  params: signInId,
  replies: { 204: { description: "It is canceled." } },
  problems: [...usual, "not_found"],
});
