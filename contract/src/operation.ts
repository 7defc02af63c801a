import { Type, type Static, type TObject, type TSchema } from "typebox";
import type { ProblemCode } from "./problem.ts";
import { StorableText } from "./scalars.ts";

export const scopes = [
  "tasks:write",
  "tasks:read",
  "panels:write",
  "panels:read",
  "reports:read",
  "webhook:manage",
  "usage:read",
  "members:read",
  "members:manage",
  "access:manage",
  "audit:read",
  "admin",
] as const;
export type Scope = (typeof scopes)[number];

/** The scopes that another one includes. */
const included: Partial<Record<Scope, readonly Scope[]>> = {
  "panels:read": ["reports:read"],
  admin: ["members:read", "members:manage", "access:manage", "audit:read"],
};

/** These scopes and those that they include, in the order of the list. */
export function withIncluded(held: readonly Scope[]): readonly Scope[] {
  const all = new Set(held.flatMap((scope) => [scope, ...(included[scope] ?? [])]));
  return scopes.filter((scope) => all.has(scope));
}

/** What a program's token has unless others are named: nothing that decides who else has access. */
export const programScopes: readonly Scope[] = scopes.filter(
  (scope) => scope !== "admin" && included.admin?.includes(scope) !== true,
);

/** What access that is limited to projects can have: operations with other scopes are about the whole account. */
export const projectScopes: readonly Scope[] = ["tasks:read", "panels:write", "panels:read", "reports:read"];

/** The groups of operations, in the order of the reference. */
export const tags = {
  Tasks: "Questions, each with its state, answer and points.",
  Batches: "The tasks of one submission.",
  Panels: "Sets of questions that are asked again and again, with their runs and changes.",
  Projects: "Panels and brands that belong together, such as those of one client, and are kept apart from others.",
  Figures: "What the answers of a panel say, with intervals.",
  Reports: "The figures of a panel in a window, for others to read and to compute again.",
  Alerts: "What is found and what fails, and the channels in which people read it.",
  Caps: "Limits on the points that runs, projects and tags may cost.",
  Platforms: "The sources of answers.",
  Webhook: "The webhook endpoint and the signing secret.",
  Deliveries: "Webhook deliveries with their attempts.",
  Events: "The ends of tasks, in order.",
  Usage: "Points and their usage.",
  Observations: "What remains of answers after their results have expired, and what is counted from it.",
  Entities: "The brands, products and people that answers are searched for.",
  Tokens: "Access tokens of the account.",
  People: "Who may sign in, as what, and in which browsers.",
  Audit: "Who changed what, and who read secrets and exports.",
  Operator: "Operations over all accounts.",
  Pages: "Pages that are open to anyone who has the URL.",
  Service: "The process and its documents.",
  Notifications: "The webhooks that the service sends.",
} as const;

export interface Reply {
  description: string;
  /** Schema of the body, by media type. Absent if there is no body. */
  content?: Record<string, TSchema>;
  headers?: Record<string, TSchema>;
}

/**
 * One operation of the API. The server, the OpenAPI document, the reference, the client's types and the tools of assistants are derived
 * from it.
 * Paths are written as in OpenAPI: `/v1/tasks/{task_id}`.
 */
export interface Operation {
  id: string;
  method: "GET" | "POST" | "PUT" | "DELETE";
  path: string;
  tag: keyof typeof tags;
  summary: string;
  description?: string;
  /** The required scope. Null: no token is required. */
  scope: Scope | null;
  /** Open to anyone who has the URL. Requests are limited by client address. */
  open?: true;
  /**
   * Of operations without a scope, for browsers in which a person signs in. `begins`: the reply may sign somebody in. `required`: somebody
   * has to be signed in.
   */
  login?: "begins" | "required";
  /** A person may call it who has not shown a second factor, where the account requires one: what it takes to set one up, or to leave. */
  withoutFactor?: true;
  /** May read many rows, depending on its filters: only a few of an account run at once. */
  isList?: true;
  /**
   * What access that is limited to projects may do with it. `within`: the handler keeps to the projects of its caller. `none`: it is
   * about nothing of any project. `refused`: it is about the whole account. Absent: if its path names a panel, a brand, a task or a batch,
   * it may; any other operation is refused. Whatever it is, what path and query name has to be of these projects.
   */
  projects?: "within" | "none" | "refused";
  /**
   * Costs no points, and stores, deletes or computes something: counts towards the account's rate of such requests. `rate`: waits for others, and has a limit of its own of
   * how many do so at once.
   */
  free?: true | "rate";
  /** Stores something without points, or tasks: refused with `storage_quota_exceeded` once the account stores as much as it may. */
  stores?: "free" | "tasks";
  /**
   * Whether the audit log has it. Absent: it has all operations but those that only read, and exports. `false`: it changes nothing that
   * anybody would ask about. Otherwise what it reveals.
   */
  audit?: false | "secret" | "spend";
  headers?: TObject;
  params?: TObject;
  query?: TObject;
  body?: {
    schema: TSchema;
    required: boolean;
    bytesMax: number;
    /** The handler validates it part by part, so that it can name every error of a long list. */
    checkedByHandler?: true;
    /** JSON lines: the schema is that of a line. The handler reads them, and forms. Of any type: it is not read. Absent: JSON. */
    type?: "application/x-ndjson" | "application/x-www-form-urlencoded" | "*/*";
  };
  replies: Record<number, Reply>;
  problems: readonly ProblemCode[];
  /** The tool with which assistants use the operation. */
  tool?: AssistantTool;
}

/** A tool of assistants. Its arguments are the parameters of the operation's path and query, with these differences. */
export interface AssistantTool {
  name: string;
  title: string;
  description: string;
  /** The names of arguments, by that of their parameter, where they differ. */
  names?: Readonly<Record<string, string>>;
  /** Arguments in another form than their parameter, and those that are no parameter. Null: the parameter is not offered. */
  arguments?: Readonly<Record<string, TSchema | null>>;
  /** What the tool returns, if it is not what the operation returns. */
  output?: TSchema;
}

type StaticOr<T, Otherwise> = T extends TSchema ? Static<T> : Otherwise;

/** The validated parts of a request for operation `O`. */
export interface OperationInput<O extends Operation> {
  params: StaticOr<O["params"], Record<never, never>>;
  query: StaticOr<O["query"], Record<never, never>>;
  body: O["body"] extends { schema: infer S extends TSchema } ? Static<S> : undefined;
}

/** What `operation` has declared so far. `operations.ts` loads all files that declare some. */
export const declaredOperations: Operation[] = [];

/** Declares an operation of the API. It keeps its literal types. */
export function operation<const O extends Operation>(definition: O): O {
  declaredOperations.push(definition);
  return definition;
}

/** What access that is limited to projects may do with an operation; `named`: what the request names has to be of these projects. */
export function projectReach({ projects, path, scope }: Operation): "within" | "none" | "refused" | "named" {
  if (projects !== undefined) return projects;
  if (scope === null) return "none";
  return projectScopes.includes(scope) && /\{(?:panel|entity|task|batch)_id\}/.test(path) ? "named" : "refused";
}

export const json = <S extends TSchema>(schema: S) => ({ "application/json": schema });

/** Problems of operations for browsers in which nobody has to be signed in. */
export const ofBrowsers = [
  "malformed_request",
  "validation_failed",
  "foreign_request",
  "rate_limited",
  "internal",
  "unavailable",
] as const;

/** Problems of operations for browsers in which somebody is signed in. */
export const ofLogins = ["unauthorized", "second_factor_missing", ...ofBrowsers] as const;

/** Problems that any operation with a scope may return. `validation_failed` is also returned for an unknown parameter. */
export const usual = ["scope_missing", ...ofLogins] as const;

/** Additional problems of operations that store something without points, or tasks. */
export const withStorage = ["storage_quota_exceeded"] as const;

/** Additional problems of operations that accept a body. */
export const withBody = ["malformed_json", "payload_too_large", "unsupported_media_type"] as const;

export const cursor = Type.Optional(
  Type.String({ minLength: 1, maxLength: 512, description: "The `nextCursor` of the previous page." }),
);

/** Elements per page. */
export const pageLimit = Type.Optional(
  Type.Integer({ minimum: 1, maximum: 200, default: 50, description: "Maximum number of elements per page." }),
);

/** `X-Max-Points`, of requests that hold points. */
export const maxPoints = Type.Optional(
  Type.Integer({
    minimum: 0,
    description:
      "The most points that this request may hold. If the price is higher, nothing is accepted (402 `max_points_exceeded`).",
  }),
);

/** A project, where something is listed or created. */
export const inProject = Type.Optional(
  StorableText({
    minLength: 1,
    maxLength: 100,
    description: "The id or the name of a project.",
  }),
);

/** Headers that several operations share. */
export const headers = {
  bodyOrigin: Type.Enum(["kept", "rebuilt"], {
    description: "`kept`: the stored body. `rebuilt`: created from the current task record.",
  }),
  etag: Type.String({ description: "Entity tag of the record. Pass it as `If-None-Match`." }),
  retryAfter: Type.Integer({ minimum: 0, description: "Seconds to wait before the next request." }),
  preferenceApplied: Type.String({ description: "`wait=N` if `Prefer: wait=N` was applied." }),
  asOf: Type.String({
    format: "utc-date-time",
    description:
      "Present if the response was read from a replica of the database: what was committed before this time is shown. Absent: everything is.",
  }),
  idempotentReplayed: Type.Literal("true", {
    description: "Present if this is the response to an earlier request with the same key.",
  }),
};
