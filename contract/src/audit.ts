/** The audit log: who changed or read what, when, and from where. */
import { Type, type Static } from "typebox";
import type { Operation } from "./operation.ts";
import { Nullable, Timestamp, Uuid } from "./scalars.ts";

/** Why an entry is in the log. */
export const auditKinds = {
  change: "something was changed",
  secret: "a secret was read",
  export: "data were taken as a file",
  spend: "the spending of other accounts was read",
  refusal: "a sign-in was refused",
} as const;
export type AuditKind = keyof typeof auditKinds;

export const auditActorKinds = {
  person: "a person who is a member of the account",
  token: "a program with an access token of the account",
  operator: "an operator of the service, by the API or with `querentd`",
  system: "the service itself",
  visitor: "somebody who was not signed in",
} as const;
export type AuditActorKind = keyof typeof auditActorKinds;

const listed = (words: Readonly<Record<string, string>>) =>
  Object.entries(words)
    .map(([name, about]) => `\`${name}\`: ${about}.`)
    .join(" ");

export const AuditKindName = Type.Enum(Object.keys(auditKinds) as AuditKind[], { description: listed(auditKinds) });

/** Settings by name. Questions' texts, answers and secrets are never in them. */
const settings = (description: string) => Nullable(Type.Record(Type.String(), Type.Unknown()), { description });

export const AuditEntry = Type.Object({
  entryId: Uuid,
  accountId: { ...Uuid, description: "Whose log it is in. All zeros: that of the installation." },
  at: Timestamp,
  kind: AuditKindName,
  operation: Type.String({
    description: "The id of the operation in the API, or the command, such as `querentd token create`.",
  }),
  actor: Type.Object({
    kind: Type.Enum(Object.keys(auditActorKinds) as AuditActorKind[], { description: listed(auditActorKinds) }),
    id: Nullable(Uuid, { description: "The person or the token. Null: a command, or the service." }),
    name: Nullable(Type.String(), {
      description:
        "The person's e-mail address, the token's name, or the operating system's user. Null for operators of other accounts.",
    }),
  }),
  target: Nullable(Type.Object({ type: Type.String(), id: Type.String() }), {
    description: "What was changed or read, such as a `panel`. Null: the account as a whole.",
  }),
  before: settings("Settings before the change, where they are known."),
  after: settings("Settings after it."),
  address: Nullable(Type.String(), { description: "The client's address. Null: a command, or the service." }),
  requestId: Nullable(Type.String(), { description: "`X-Request-Id` of the response." }),
  sequence: Nullable(Type.Integer({ minimum: 1 }), {
    description: "The place in the account's chain, without gaps. Null for the moment before the entry is sealed.",
  }),
  digest: Nullable(Type.String(), {
    description: "SHA-256 of this entry and the digest before it, in hexadecimal. Null until it is sealed.",
  }),
});
export type AuditEntry = Static<typeof AuditEntry>;

export const AuditPage = Type.Object({
  entries: Type.Array(AuditEntry, { description: "Newest first." }),
  nextCursor: Nullable(Type.String()),
});
export type AuditPage = Static<typeof AuditPage>;

/** Why an operation is in the audit log; null if it is not. An export is in it if the reply is a file, and not a page of JSON. */
export function auditKindOf({ audit, method, scope, replies }: Operation): AuditKind | null {
  if (audit !== undefined) return audit === false ? null : audit;
  if (method !== "GET") return "change";
  const types = Object.values(replies).flatMap(({ content = {} }) => Object.keys(content));
  return scope !== null && types.some((type) => !shownTypes.has(type)) ? "export" : null;
}

const shownTypes: ReadonlySet<string> = new Set(["application/json", "application/problem+json", "text/event-stream"]);
