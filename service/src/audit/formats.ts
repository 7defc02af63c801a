/** The audit log as files: JSON lines, CSV, and events of the Open Cybersecurity Schema Framework. */
import { csvLines } from "@querent/client";
import type { AuditEntry } from "@querent/contract";
import type { Queryable } from "../db/index.ts";
import { sealedEntries, type AuditFilter } from "./entries.ts";

export const auditFormats = ["jsonl", "csv", "ocsf"] as const;
export type AuditFormat = (typeof auditFormats)[number];

/** The sealed entries of an account, oldest first, as pieces of a file. `withHead`: a CSV file begins with its columns. */
export async function* streamEntries(
  db: Queryable,
  accountId: string,
  format: AuditFormat,
  { filter = {}, after = 0, version, withHead = true }: StreamOptions,
): AsyncGenerator<string> {
  if (format === "csv" && withHead) yield csvLines([columnNames]);
  for await (const entries of sealedEntries(db, accountId, filter, after))
    yield format === "csv"
      ? csvLines(entries.map(cellsOf))
      : entries.map((each) => `${JSON.stringify(format === "ocsf" ? ocsfOf(each, version) : each)}\n`).join("");
}

interface StreamOptions {
  readonly filter?: AuditFilter;
  readonly after?: number;
  readonly version: string;
  readonly withHead?: boolean;
}

const columnNames = [
  ...[
    "accountId",
    "sequence",
    "at",
    "kind",
    "operation",
    "actorKind",
    "actorId",
    "actorName",
    "targetType",
    "targetId",
  ],
  ...["before", "after", "address", "requestId", "entryId", "digest"],
];

function cellsOf(entry: AuditEntry): (string | number | null)[] {
  const { actor, target } = entry;
  return [
    ...[entry.accountId, entry.sequence, entry.at, entry.kind, entry.operation, actor.kind, actor.id, actor.name],
    ...[target?.type ?? null, target?.id ?? null],
    ...[entry.before, entry.after].map((settings) => (settings === null ? null : JSON.stringify(settings))),
    ...[entry.address, entry.requestId, entry.entryId, entry.digest],
  ];
}

/** Operations that begin and end logins are events of authentication: 1 is a logon, 2 a logoff. */
const authentications: Readonly<Record<string, { id: number; name: string }>> = {
  signIn: { id: 1, name: "Logon" },
  acceptLink: { id: 1, name: "Logon" },
  signInWithProvider: { id: 1, name: "Logon" },
  signInByProxy: { id: 1, name: "Logon" },
  signOut: { id: 2, name: "Logoff" },
  signOutAtProvider: { id: 2, name: "Logoff" },
  endProviderLogins: { id: 2, name: "Logoff" },
};

/**
 * An event of OCSF 1.3: Authentication (3002) for sign-ins, and API Activity (6003) for everything else. What OCSF has no attribute for is
 * in `unmapped`.
 */
function ocsfOf(entry: AuditEntry, version: string): object {
  const { operation, actor, target } = entry;
  const user = {
    type_id: actor.kind === "system" ? 3 : actor.kind === "operator" ? 2 : 1,
    ...(actor.id === null ? {} : { uid: actor.id }),
    name: actor.name ?? actor.kind,
    ...(actor.name?.includes("@") === true ? { email_addr: actor.name } : {}),
  };
  const authentication = authentications[operation];
  const { classId, categoryId, activity } =
    authentication === undefined
      ? { classId: 6003, categoryId: 6, activity: activityOf(entry) }
      : { classId: 3002, categoryId: 3, activity: authentication };
  return {
    metadata: {
      version: "1.3.0",
      product: { name: "Querent", vendor_name: "Querent", version },
      uid: entry.entryId,
      sequence: entry.sequence,
      ...(entry.requestId === null ? {} : { correlation_uid: entry.requestId }),
      tenant_uid: entry.accountId,
    },
    time: Date.parse(entry.at),
    category_uid: categoryId,
    class_uid: classId,
    activity_id: activity.id,
    activity_name: activity.name,
    type_uid: classId * 100 + activity.id,
    severity_id: 1,
    // 2 is a failure.
    status_id: entry.kind === "refusal" ? 2 : 1,
    ...(authentication === undefined
      ? {
          actor: { user },
          api: { operation, ...(entry.requestId === null ? {} : { request: { uid: entry.requestId } }) },
          ...(target === null ? {} : { resources: [{ type: target.type, uid: target.id }] }),
        }
      : { user }),
    src_endpoint: entry.address === null ? { name: actor.kind } : { ip: entry.address },
    unmapped: { kind: entry.kind, before: entry.before, after: entry.after, digest: entry.digest },
  };
}

/** Create, read, update and delete, by the verb that the operation's name begins with. */
function activityOf({ kind, operation }: AuditEntry): { id: number; name: string } {
  if (kind !== "change") return { id: 2, name: "Read" };
  const verb = operation.replace(/^querentd (.* )?/, "");
  if (/^(create|issue|invite|import|submit|share|run|start|grant|redeliver)/i.test(verb))
    return { id: 1, name: "Create" };
  if (/^(delete|remove|revoke|withdraw|end|cancel|drop)/i.test(verb)) return { id: 4, name: "Delete" };
  return { id: 3, name: "Update" };
}
