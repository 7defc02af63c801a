import { Type, type Static } from "typebox";

interface ProblemKind {
  status: number;
  title: string;
  /** What happened, and what the client should do. Shown on the page that `type` refers to. */
  explanation: string;
}

/** Every problem that the service returns: one catalogue for the server, the OpenAPI document and the documentation. */
export const problems = {
  malformed_json: {
    status: 400,
    title: "The body is not JSON",
    explanation: "The request body could not be parsed as JSON in UTF-8. `detail` gives the position of the error.",
  },
  malformed_request: {
    status: 400,
    title: "The request could not be read",
    explanation:
      "The request is not valid HTTP: its request line, a header, the encoding of the URL, or the length is malformed.",
  },
  idempotency_key_missing: {
    status: 400,
    title: "Idempotency-Key is missing",
    explanation:
      "A submission requires an `Idempotency-Key` header, so that a retry is not charged twice. Use a new UUID for each new submission, and the same one when you repeat a submission.",
  },
  idempotency_key_malformed: {
    status: 400,
    title: "Idempotency-Key is malformed",
    explanation:
      "A key has 1 to 255 printable ASCII characters, with or without double quotes. The header must be sent once.",
  },
  unauthorized: {
    status: 401,
    title: "No valid access token",
    explanation:
      "Send `Authorization: Bearer <token>`. The token is missing, unknown, revoked or expired. The response is the same in all four cases. The operator issues tokens with `querentd token create`.",
  },
  link_password_required: {
    status: 401,
    title: "The link has a password",
    explanation:
      "Whoever made the link has set a password, and it was not sent, or is wrong. Programs send it with `Authorization: Basic`, with any user name; browsers show a page that asks for it. Ask whoever sent the link.",
  },
  sign_in_refused: {
    status: 403,
    title: "Not signed in",
    explanation:
      "The e-mail address or the password is wrong, or the person is a member of no account. The response is the same in all these cases. Whoever has forgotten the password asks the operator for a link: `querentd person password`. After a sign-in at an identity provider, `detail` says what was refused.",
  },
  second_factor_required: {
    status: 403,
    title: "A code is missing",
    explanation:
      "The password is right, and the person also has a second factor. Send the same request with `code`: the code that the authenticator app shows, or a recovery code.",
  },
  second_factor_missing: {
    status: 403,
    title: "The account requires a second factor",
    explanation:
      "The account requires its members to sign in with a passkey, or with a password and a code. Set up one of both in the console, which shows nothing else until then. A person who has a passkey signs in with it. Access tokens of programs and logins of identity providers are not affected.",
  },
  passkey_refused: {
    status: 403,
    title: "The passkey is not accepted",
    explanation:
      "To sign in: the passkey is not known here or was removed, its answer is for another request or another address, its signature is wrong, it has not verified the person, or the person is a member of no account. The response is the same in all these cases. Begin again, or sign in in another way. To add one: `detail` says what was wrong.",
  },
  fresh_sign_in_required: {
    status: 403,
    title: "Sign in again",
    explanation:
      "Ways to sign in are changed with the person's password, or within ten minutes after signing in. Send `password`, or sign in again and repeat the request.",
  },
  foreign_request: {
    status: 403,
    title: "The request came from another site",
    explanation:
      "Requests with a login are accepted from the service's own pages only: from the same origin, and with the header `X-Querent-Login: 1`. Programs use access tokens instead. Behind a proxy, `QUERENT_PUBLIC_URL` has to be the address that the browser shows.",
  },
  points_short: {
    status: 402,
    title: "Not enough points",
    explanation:
      "The account does not have enough points for the whole batch, so nothing was accepted. `detail` gives the shortfall. Submit fewer items, or ask the operator to grant points with `querentd points grant`.",
  },
  max_points_exceeded: {
    status: 402,
    title: "The price is above X-Max-Points",
    explanation:
      "The submission costs more points than its `X-Max-Points` header allows, so nothing was accepted and no points are held. `detail` gives both figures. Submit fewer items or cheaper options, or raise the limit.",
  },
  cap_exceeded: {
    status: 402,
    title: "A cap does not allow it",
    explanation:
      "The submission would exceed a cap on points of the account, a panel or a tag, so nothing was accepted and no points are held. `detail` names each cap and by how much it would be exceeded. Wait for the next day or month (UTC), submit less, or raise the cap with `PUT /v1/caps`.",
  },
  scope_missing: {
    status: 403,
    title: "The token or role lacks a scope",
    explanation:
      "The token is valid, or the person is signed in, but the token or the person's role lacks a scope that this operation requires. `detail` names the scope.",
  },
  storage_quota_exceeded: {
    status: 403,
    title: "The account stores as much as it may",
    explanation:
      "The account stores as many rows, or as many bytes, as its quota allows, so nothing was stored. `detail` names the quota, and `GET /v1/usage` shows what the account stores, by kind. Delete observations, panels, entities or shared reports that are not needed, or ask the operator for a larger quota. Repeating the request does not help. Reading, deleting and canceling are never refused, and tasks that have been accepted end and keep their results. New tasks are refused only if the tasks that failed or were canceled, or the files of results, have reached the quota.",
  },
  not_found: {
    status: 404,
    title: "Not found",
    explanation: "The resource does not exist, or belongs to another account.",
  },
  method_not_allowed: {
    status: 405,
    title: "Method not allowed",
    explanation: "The path exists but does not support this method. The `Allow` header lists the supported methods.",
  },
  request_timeout: {
    status: 408,
    title: "The request did not arrive in time",
    explanation:
      "The headers or the body of the request took too long to arrive. Nothing was accepted. Send it again over a faster connection, or split the batch.",
  },
  idempotency_key_in_use: {
    status: 409,
    title: "The same key is being processed",
    explanation:
      "A request with this `Idempotency-Key` is in progress. Wait for the time in `Retry-After`, then repeat the request to receive the original response.",
  },
  state_conflict: {
    status: 409,
    title: "The state forbids it",
    explanation:
      "The operation is not possible in the current state of the resource, such as canceling a task that has ended.",
  },
  gone: { status: 410, title: "Gone", explanation: "The resource existed, but its retention period has passed." },
  events_replaced: {
    status: 410,
    title: "The last event no longer exists",
    explanation:
      "The last event of the cursor is not in the event feed any more: the service's database was restored from a backup, or failed over to a server without its latest changes. Continue after the cursor in `resumeAfter`, a position before the changes were lost, and skip the events whose `deliveryId` you have already processed: no event that exists now is missed. Events that you processed before and that do not return were lost. Their tasks may be pending again, and end with a new event.",
  },
  payload_too_large: {
    status: 413,
    title: "The body is too large",
    explanation: "The body exceeds the limit of this operation. Split the batch.",
  },
  uri_too_long: {
    status: 414,
    title: "The URL is too long",
    explanation: "The path or the query exceeds the limit.",
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
      "The request was parsed but is not valid. `errors` lists the first 100 errors, each with a JSON Pointer. Nothing was accepted: a submission is accepted or rejected as a whole.",
  },
  idempotency_key_reused: {
    status: 422,
    title: "The key was used for another body",
    explanation:
      "This `Idempotency-Key` belongs to an earlier submission with different content. Use a new key for a new submission. To retry, send the same list: the order of members, white space, an explicit `null` and explicit defaults make no difference.",
  },
  rate_limited: {
    status: 429,
    title: "Too many requests",
    explanation:
      "The account exceeds its rate limit or its limit of concurrent event streams, exports, lists or large bodies, its limit of memory for figures, reports, diffs and plans, or its rate of requests that cost no points and store, delete or compute something. For public pages and invalid tokens, the limit applies to the client's address. `detail` names the limit. The request had no effect. Wait for the time in `Retry-After`. For rate limits, `RateLimit-Policy` gives the limit.",
  },
  headers_too_large: {
    status: 431,
    title: "The headers are too large",
    explanation: "The headers of the request exceed 16 KiB in total.",
  },
  internal: {
    status: 500,
    title: "Internal error",
    explanation:
      "The service failed. Nothing was accepted. The operator can find the cause in the log by its `requestId`.",
  },
  unavailable: {
    status: 503,
    title: "Not available right now",
    explanation:
      "The service or its database is unavailable or shutting down, or has as much under way as it takes at once. Unless `detail` states that the outcome is unknown, nothing was accepted. Retry after the time in `Retry-After`, a submission with the same `Idempotency-Key`.",
  },
  queue_full: {
    status: 503,
    title: "The account's queue is full",
    explanation:
      "The account has reached its limit of unfinished tasks. Nothing was accepted. Retry when some tasks have ended.",
  },
} as const satisfies Record<string, ProblemKind>;

export type ProblemCode = keyof typeof problems;
export const problemCodes = Object.keys(problems) as ProblemCode[];

/** Problems that any request can return before it is matched to an operation. */
export const layerProblems = [
  "malformed_request",
  "method_not_allowed",
  "request_timeout",
  "payload_too_large",
  "uri_too_long",
  "headers_too_large",
] as const satisfies readonly ProblemCode[];

/** The errors of one member or parameter of a request. */
export const itemProblems = {
  required: "A required member is missing.",
  unknown_field: "The member is unknown, or its name is misspelled.",
  wrong_type: "The value has the wrong type.",
  too_short: "The value is too short, or blank.",
  too_long: "The value is too long.",
  too_few: "The list has too few elements.",
  too_many: "The list has too many elements.",
  out_of_range: "The number is out of range.",
  not_allowed: "The value is not one of the allowed values.",
  malformed: "The value does not have the expected format.",
  unstorable_text: "The text contains U+0000 or a lone surrogate, and cannot be stored as sent.",
  unknown_platform: "No platform has this code. `GET /v1/platforms` lists them.",
  platform_not_configured: "The platform exists, but the operator has not configured it.",
  option_unsupported:
    'The platform does not support this option, or not with this value. `options` and `optionValues` of `GET /v1/platforms` list what it supports. Omit the option, or send `onUnsupported: "ignore"` to ask without it.',
  browser_unavailable:
    "Screenshots and web platforms require a browser, and no worker currently has a working one. `GET /v1/platforms` shows whether they are accepted.",
  address_not_allowed: "Webhooks cannot be sent to this URL. It must be an HTTPS URL of a public host.",
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

/** A problem as in RFC 9457. `type` is the URL of a page that explains the code. */
export const Problem = Type.Object(
  {
    type: Type.String({
      description: "A URL relative to the service, `/problems/<code>`, of a page that explains the problem.",
    }),
    title: Type.String(),
    status: Type.Integer(),
    detail: Type.String(),
    instance: Type.String({ description: "The path of the request." }),
    code: Type.Enum(problemCodes),
    requestId: Type.String({ description: "The same as the `X-Request-Id` header." }),
    errors: Type.Optional(Type.Array(ProblemItem, { maxItems: 100 })),
    resumeAfter: Type.Optional(
      Type.String({ description: "With a 410 of `GET /v1/events`: the cursor after which to continue." }),
    ),
  },
  { description: "application/problem+json (RFC 9457)" },
);
export type Problem = Static<typeof Problem>;
