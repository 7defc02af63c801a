import { Type, type Static } from "typebox";

interface ProblemKind {
  status: number;
  title: string;
  /** What happened, and what the client should do about it. Shown on the page that `type` points to. */
  explanation: string;
}

/** Every problem the service answers with: the catalogue that the server, the OpenAPI document and the documentation share. */
export const problems = {
  malformed_json: {
    status: 400,
    title: "The body is not JSON",
    explanation:
      "The request body could not be read as JSON in UTF-8. Check it with a JSON parser and send it again. The `detail` tells where it broke.",
  },
  malformed_request: {
    status: 400,
    title: "The request could not be read",
    explanation:
      "The request is not HTTP as the service understands it: a broken request line, header, encoding of the address, or length.",
  },
  idempotency_key_missing: {
    status: 400,
    title: "Idempotency-Key is missing",
    explanation:
      "A submission needs an `Idempotency-Key` header, so that a retry can't be paid for twice. Use a new UUID for each new submission, and the same one when you send the same submission again.",
  },
  idempotency_key_malformed: {
    status: 400,
    title: "Idempotency-Key is malformed",
    explanation: "The key is 1 to 255 printable ASCII characters, bare or in double quotes, sent once.",
  },
  unauthorized: {
    status: 401,
    title: "No valid access token",
    explanation:
      "Send `Authorization: Bearer <token>`. The token is missing, unknown, revoked or expired; the answer is the same for all four. The operator issues tokens: `querentd token create`.",
  },
  points_short: {
    status: 402,
    title: "Not enough points",
    explanation:
      "The account's available points can't hold the whole batch, so none of it was accepted. `detail` names the shortfall. Submit less, or ask the operator to grant points: `querentd points grant`.",
  },
  scope_missing: {
    status: 403,
    title: "The token lacks a scope",
    explanation: "The token is valid, and was not issued for this operation. `detail` names the scope it needs.",
  },
  not_found: {
    status: 404,
    title: "Not found",
    explanation:
      "There is nothing at this address for your account. What belongs to another account is answered the same way.",
  },
  method_not_allowed: {
    status: 405,
    title: "Method not allowed",
    explanation: "The address exists and does not take this method. The `Allow` header lists those it takes.",
  },
  request_timeout: {
    status: 408,
    title: "The request did not arrive in time",
    explanation:
      "The request's headers or body took longer to arrive than the service waits. Nothing was accepted. Send it again over a better connection, or split the batch.",
  },
  idempotency_key_in_use: {
    status: 409,
    title: "The same key is being processed",
    explanation:
      "A request with this `Idempotency-Key` is under way. Wait as `Retry-After` says, then send the same request again: the answer will be the first one's.",
  },
  state_conflict: {
    status: 409,
    title: "The state forbids it",
    explanation:
      "What you ask for is not possible in the state it is in: for example, canceling a task that has ended.",
  },
  gone: { status: 410, title: "Gone", explanation: "It was here, and its retention period has passed." },
  payload_too_large: {
    status: 413,
    title: "The body is too large",
    explanation: "The body is larger than this operation takes. Split the batch.",
  },
  uri_too_long: {
    status: 414,
    title: "The address is too long",
    explanation: "The path or the query is longer than the service takes.",
  },
  unsupported_media_type: {
    status: 415,
    title: "The body is not declared as JSON",
    explanation: "Send `Content-Type: application/json`, in UTF-8, without `Content-Encoding`.",
  },
  validation_failed: {
    status: 422,
    title: "The request is not valid",
    explanation:
      "The body was read, and breaks a rule. `errors` lists every place, as a JSON Pointer each (the first 100). Nothing was accepted. A submission is accepted whole or refused whole.",
  },
  idempotency_key_reused: {
    status: 422,
    title: "The key was used for another body",
    explanation:
      "This `Idempotency-Key` belongs to an earlier submission that means something else. Use a new key for a new submission. To retry, send the same list: the order of members, white space, `null` for what is left out and written defaults make no difference.",
  },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    explanation:
      "The account, or for public pages and wrong tokens the address that you call from, sends requests faster than the service allows; or the account has as many event streams, exports, lists or large bodies under way as it may have at once. `detail` says which. Nothing was done. Wait as `Retry-After` says. Where requests are counted, `RateLimit-Policy` tells the limit.",
  },
  headers_too_large: {
    status: 431,
    title: "The headers are too large",
    explanation: "The request's headers are larger together than the service takes (16 KiB).",
  },
  internal: {
    status: 500,
    title: "Internal error",
    explanation:
      "The service failed. Nothing was accepted. The operator finds the cause in the log by the `requestId`.",
  },
  unavailable: {
    status: 503,
    title: "Not available right now",
    explanation:
      "The service, or its database, is away or going down. Nothing was accepted. Try again as `Retry-After` says, a submission with the same `Idempotency-Key`.",
  },
  queue_full: {
    status: 503,
    title: "The account's queue is full",
    explanation:
      "The account has as many unfinished tasks as it may have. Nothing was accepted. Wait until some have ended.",
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof problems;
export const problemCodes = Object.keys(problems) as ProblemCode[];

/** Problems that any address may answer with, before it is known which operation is meant, or whether there is one. */
export const layerProblems = [
  "malformed_request",
  "method_not_allowed",
  "request_timeout",
  "payload_too_large",
  "uri_too_long",
  "headers_too_large",
] as const satisfies readonly ProblemCode[];

/** What can be wrong at one place of a request. */
export const itemProblems = {
  required: "A required member is missing.",
  unknown_field: "This member is not known. A misspelt name is an error, not silence.",
  wrong_type: "The value has another type than the one expected.",
  too_short: "The value is shorter than allowed, or blank.",
  too_long: "The value is longer than allowed.",
  too_few: "The list has fewer elements than allowed.",
  too_many: "The list has more elements than allowed.",
  out_of_range: "The number is outside its range.",
  not_allowed: "The value is not one of those allowed.",
  malformed: "The value does not have the form it should have.",
  unstorable_text: "The text holds U+0000 or half of a surrogate pair, and could not be given back as it was sent.",
  unknown_platform: "No platform has this code. `GET /v1/platforms` lists them.",
  platform_not_configured: "The platform is known, and the operator has not configured it.",
  browser_unavailable:
    "A screenshot, or a platform that is a web page, needs a browser, and no worker of the service has one that works at present. `GET /v1/platforms` tells when it is accepted again.",
  address_not_allowed: "The address is not one that notifications may be sent to: HTTPS to a public host.",
} as const;
export type ItemProblemCode = keyof typeof itemProblems;

export const ProblemItem = Type.Object({
  pointer: Type.String({
    description: "JSON Pointer (RFC 6901) into the body, or the name of a parameter as `?name`.",
  }),
  code: Type.Enum(Object.keys(itemProblems) as ItemProblemCode[]),
  detail: Type.String(),
});
export type ProblemItem = Static<typeof ProblemItem>;

/** RFC 9457. `type` resolves to a page of the service that explains the code. */
export const Problem = Type.Object(
  {
    type: Type.String({
      description: "Relative to the service's address: `/problems/<code>`, a page that explains it.",
    }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    instance: Type.String({ description: "The path that was asked for." }),
    code: Type.Enum(problemCodes),
    requestId: Type.String({ description: "The same as the `X-Request-Id` header." }),
    errors: Type.Optional(Type.Array(ProblemItem, { maxItems: 100 })),
  },
  { description: "application/problem+json (RFC 9457)" },
);
export type Problem = Static<typeof Problem>;
