/** How entries get into the audit log: with the change that they are about, in its transaction. */
import { auditKindOf, type AuditKind, type Operation } from "@querent/contract";
import type { Caller, RouteReply } from "../api/route.ts";
import type { Database, Queryable } from "../db/index.ts";
import { newId } from "../kernel/ids.ts";
import {
  AuditedAction,
  withinAction,
  type AuditNote,
  type AuditStatement,
  type AuditTarget,
} from "../runtime/audited.ts";

/** Whose log has what concerns no single account. */
export const installationId = "00000000-0000-0000-0000-000000000000";

/** A request for an operation, before its handler is called. */
export interface AuditedRequest {
  readonly operation: Operation;
  /** Null: nobody is identified yet, as before a sign-in. The handler notes who it was. */
  readonly caller: Caller | null;
  readonly params: Readonly<Record<string, string>>;
  readonly address: string;
  readonly requestId: string;
}

export type AuditRequests = (request: AuditedRequest, work: () => Promise<RouteReply>) => Promise<RouteReply>;

/** Returns what runs the handlers of requests, so that each that changes or reveals something has its entry. */
export function auditRequests(database: Database): AuditRequests {
  return async (request, work) => {
    const kind = auditKindOf(request.operation);
    if (kind === null) return work();
    const { operation, address, requestId } = request;
    const action = new AuditedAction({
      note: noteOf(request),
      isWrittenWithChange: kind === "change",
      statementOf: entryStatement({
        ...{ kind, operation: operation.id, address, requestId },
        callerAccountId: request.caller?.accountId ?? null,
      }),
    });
    return finish(database, action, work, (reply) => reply.status < 300 && (kind !== "export" || isFile(reply)));
  };
}

/** Runs a command of an operator, or what the service does by itself, with an entry. */
export function auditCommand<Result>(
  database: Database,
  command: { readonly operation: string; readonly kind: AuditKind; readonly user: string | null },
  work: () => Promise<Result>,
): Promise<Result> {
  const { operation, kind, user } = command;
  const action = new AuditedAction({
    note: {
      accountId: installationId,
      actor: { kind: user === null ? "system" : "operator", id: null, name: user },
    },
    isWrittenWithChange: kind === "change",
    statementOf: entryStatement({ kind, operation, address: null, requestId: null, callerAccountId: null }),
  });
  return finish(database, action, work, () => true);
}

async function finish<Result>(
  database: Database,
  action: AuditedAction,
  work: () => Promise<Result>,
  isDone: (result: Result) => boolean,
): Promise<Result> {
  try {
    const result = await withinAction(action, work);
    // It wrote nothing to the database, or in statements of their own. What was asked for is only told once the entry is there.
    if (action.isOpen && isDone(result)) await database.query(action.ownStatement());
    return result;
  } finally {
    action.end();
  }
}

/** A page of JSON is what a view shows; anything else is taken away as a file. */
const isFile = ({ headers = {} }: RouteReply) => {
  const type = headers["content-type"];
  return type !== undefined && !type.startsWith("application/json");
};

function noteOf({ operation: { scope, path }, caller, params }: AuditedRequest): AuditNote {
  const target = targetOf(path, params);
  if (caller === null) return target === null ? {} : { target };
  const isOperators = scope === "admin";
  const { account_id: ofAccount } = params;
  const accountId = isOperators ? (ofAccount ?? installationId) : caller.accountId;
  const kind = isOperators ? "operator" : caller.person === null ? "token" : "person";
  const actor = { kind, id: caller.person?.personId ?? caller.tokenId, name: caller.name } as const;
  return { accountId, actor, target: ofAccount === undefined ? target : null };
}

/** What the last parameter of the path names: of `/v1/panels/{panel_id}` a panel. */
function targetOf(path: string, params: Readonly<Record<string, string>>): AuditTarget | null {
  const name = [...path.matchAll(/\{(\w+)\}/g)].at(-1)?.[1];
  const id = name === undefined ? undefined : params[name];
  // The token of a public page is a secret.
  if (name === undefined || id === undefined || name === "token") return null;
  return { type: name.replace(/_(id|code|name|kind)$/, "").replaceAll("_", "-"), id };
}

/** Settings in more characters of JSON than these are left out: the entry is written beside the change, and must stay small. */
const settingsLengthMax = 8000;

const settingsText = (settings: object | null | undefined) => {
  if (settings === undefined || settings === null) return null;
  const text = JSON.stringify(settings);
  return text.length <= settingsLengthMax ? text : JSON.stringify({ omitted: `${text.length} characters` });
};

/** Writes an entry beside that of the request, for an account that the request is not about. */
export async function recordBeside(
  tx: Queryable,
  {
    kind = "change",
    operation,
    address,
    requestId,
    ...note
  }: AuditNote & {
    readonly kind?: AuditKind;
    readonly operation: string;
    readonly address: string;
    readonly requestId: string;
  },
): Promise<void> {
  const recorded = { kind, operation, address, requestId, callerAccountId: null };
  const { text, values } = entryStatement(recorded)(note, true);
  await tx.query(text, values);
}

interface Recorded {
  readonly kind: AuditKind;
  readonly operation: string;
  readonly address: string | null;
  readonly requestId: string | null;
  /** The account of whoever did it. */
  readonly callerAccountId: string | null;
}

/** Returns what makes the statement of one entry. The entry has one id, so that a repeated transaction writes it once. */
function entryStatement(recorded: Recorded): (note: AuditNote, isAlone: boolean) => AuditStatement {
  const id = newId();
  return ({ accountId = installationId, actor, target, before, after }, isAlone) => {
    // An operator's name is not told to other accounts.
    const isOwn = [installationId, recorded.callerAccountId].includes(accountId) || actor?.kind !== "operator";
    const isCommand = recorded.callerAccountId === null;
    return {
      name: "record audit entry",
      // A transaction has an id once it has written or locked something. Locks: the new row, for which no other request waits.
      text: `insert into audit_entries (account_id, id, kind, operation, actor_kind, actor_id, actor_name, target_type, target_id,
               before, after, address, request_id)
             select $1::uuid, $2::uuid, $3, $4, $5, $6::uuid, $7, $8, $9, $10, $11, $12, $13
              where $14::boolean or pg_current_xact_id_if_assigned() is not null
             on conflict (account_id, id) do nothing`,
      values: [
        accountId,
        id,
        recorded.kind,
        recorded.operation,
        actor?.kind ?? "system",
        actor?.id ?? null,
        isOwn || isCommand ? (actor?.name ?? null) : null,
        target?.type ?? null,
        target?.id ?? null,
        settingsText(before),
        settingsText(after),
        recorded.address,
        recorded.requestId,
        isAlone,
      ],
    };
  };
}
