import { Type } from "typebox";
import { AuditKindName, AuditPage } from "./audit.ts";
import { cursor, json, operation, pageLimit, usual } from "./operation.ts";
import { Closed, UtcTimestamp, Uuid } from "./scalars.ts";

/** What the audit log is filtered by. */
export const auditFilters = {
  kind: Type.Optional(AuditKindName),
  operation: Type.Optional(
    Type.String({ minLength: 1, maxLength: 100, description: "Only this operation or command, by its name." }),
  ),
  actorId: Type.Optional({ ...Uuid, description: "Only what this person or token did." }),
  targetId: Type.Optional(
    Type.String({ minLength: 1, maxLength: 200, description: "Only what concerns the panel, token, … with this id." }),
  ),
  from: Type.Optional({ ...UtcTimestamp, description: "Only entries at this time or later." }),
  to: Type.Optional({ ...UtcTimestamp, description: "Only entries before this time." }),
};

export const listAudit = operation({
  id: "listAudit",
  method: "GET",
  path: "/v1/audit",
  tag: "Audit",
  summary: "List the audit log",
  description:
    "Who changed what, and who read secrets, exports and the spending of others. As JSON, a page, newest first; as `application/x-ndjson` or `text/csv`, all sealed entries that the filters select, oldest first. A program that follows the log asks for those after the last `sequence` that it has: none is skipped. `ocsf` sends each as an event of the Open Cybersecurity Schema Framework, for a SIEM.",
  scope: "audit:read",
  isList: true,
  query: Closed({
    ...auditFilters,
    of: Type.Optional(
      Type.Enum(["account", "installation"], {
        default: "account",
        description:
          "`installation`: what concerns no single account, such as the limits of platforms. For operators, with the scope `admin`.",
      }),
    ),
    after: Type.Optional(
      Type.Integer({ minimum: 0, description: "Of a stream: only sealed entries with a higher `sequence`." }),
    ),
    ocsf: Type.Optional(
      Type.Boolean({ default: false, description: "Of `application/x-ndjson`: events of OCSF instead of entries." }),
    ),
    cursor,
    limit: pageLimit,
  }),
  replies: {
    200: {
      description: "The entries.",
      content: {
        ...json(AuditPage),
        "application/x-ndjson": Type.Record(Type.String(), Type.Unknown(), {
          description: "An entry or, with `ocsf`, an event of OCSF.",
        }),
        "text/csv": Type.String(),
      },
    },
  },
  problems: usual,
});
