/** Where reports and alerts of an account arrive beside mail. The secrets are encrypted, and leave this file only to be sent to. */
import {
  channelsMax,
  type Channel,
  type ChannelChange,
  type ChannelKind,
  type ChannelRequest,
} from "@querent/contract";
import { ProblemError } from "../../api/problem-error.ts";
import type { Database, Queryable, Transaction } from "../../db/index.ts";
import type { EgressGuard } from "../../egress/index.ts";
import { newId } from "../../kernel/ids.ts";
import { noteAudit } from "../../runtime/audited.ts";
import { headOf, type MasterKey, type SealedTable } from "../../vault/index.ts";

interface ChannelsDeps {
  readonly database: Database;
  readonly masterKey: MasterKey;
  readonly guard: EgressGuard;
}

interface ChannelRow {
  readonly id: string;
  readonly kind: ChannelKind;
  readonly name: string;
  readonly address: string;
  readonly region: Channel["region"];
  readonly gone_at: Date | null;
  readonly problem: string | null;
  readonly last_success_at: Date | null;
  readonly created_at: Date;
  readonly updated_at: Date;
}

const columns = "id, kind, name, address, region, gone_at, problem, last_success_at, created_at, updated_at";

export async function listChannels(db: Queryable, accountId: string): Promise<Channel[]> {
  // Index: the primary key. Locks nothing.
  const { rows } = await db.query<ChannelRow & Record<string, unknown>>(
    `select ${columns} from channels where account_id = $1 order by id`,
    [accountId],
  );
  return rows.map(channelOf);
}

/** What must be known of a channel to choose and to name it. */
export interface ChannelName {
  readonly id: string;
  readonly kind: ChannelKind;
  readonly name: string;
}

/** These channels of an account, by id. */
export async function readChannels(
  db: Queryable,
  accountId: string,
  ids: readonly string[],
): Promise<ReadonlyMap<string, ChannelName>> {
  if (ids.length === 0) return new Map();
  // Index: the primary key. Locks nothing.
  const { rows } = await db.query<ChannelName & Record<string, unknown>>(
    "select id, kind, name from channels where account_id = $1 and id = any($2::uuid[])",
    [accountId, ids],
  );
  return new Map(rows.map((row) => [row.id, row]));
}

export async function createChannel(
  { database, masterKey, guard }: ChannelsDeps,
  accountId: string,
  request: ChannelRequest,
  signal: AbortSignal,
): Promise<Channel> {
  const { kind, name } = request;
  const region = regionOf(kind, request.region ?? null);
  const address = await checkSecret(guard, kind, request.secret, signal);
  const id = newId();
  return database.transaction(async (tx) => {
    // Two requests at the same time must not exceed the limit. Locks: nothing but this.
    await tx.query("select pg_advisory_xact_lock(hashtextextended('channels ' || $1, 0))", [accountId]);
    const { rows } = await tx.query<ChannelRow & Record<string, unknown>>(
      `insert into channels (account_id, id, kind, name, sealed, address, region, created_at, updated_at)
       select $1, $2, $3, $4, $5, $6, $7, date_trunc('milliseconds', now()), date_trunc('milliseconds', now())
        where (select count(*) from channels where account_id = $1) < $8
       returning ${columns}`,
      [
        accountId,
        id,
        kind,
        name,
        masterKey.seal(request.secret, sealNameOf(accountId, id)),
        address,
        region,
        channelsMax,
      ],
    );
    const [row] = rows;
    if (row === undefined)
      throw new ProblemError(
        "state_conflict",
        `The account has ${channelsMax} channels, which is the most. Nothing was stored. Delete one that is not needed.`,
      );
    noteAudit({ target: { type: "channel", id }, after: { kind, name, address, region } });
    return channelOf(row);
  });
}

/** Null: the account has no such channel. */
export async function replaceChannel(
  { database, masterKey, guard }: ChannelsDeps,
  { accountId, channelId }: { readonly accountId: string; readonly channelId: string },
  change: ChannelChange,
  signal: AbortSignal,
): Promise<Channel | null> {
  const found = (await readChannels(database, accountId, [channelId])).get(channelId);
  if (found === undefined) return null;
  const secret = change.secret ?? null;
  const address = secret === null ? null : await checkSecret(guard, found.kind, secret, signal);
  const region = regionOf(found.kind, change.region ?? null);
  return database.transaction(async (tx) => {
    const before = await lockChannel(tx, accountId, channelId);
    if (before === null) return null;
    const { rows } = await tx.query<ChannelRow & Record<string, unknown>>(
      `update channels
          set name = $3, region = $4, sealed = coalesce($5, sealed), address = coalesce($6, address),
              gone_at = case when $6::text is null then gone_at end, problem = case when $6::text is null then problem end,
              updated_at = date_trunc('milliseconds', now())
        where account_id = $1 and id = $2 returning ${columns}`,
      [
        ...[accountId, channelId, change.name, region],
        ...[secret === null ? null : masterKey.seal(secret, sealNameOf(accountId, channelId)), address],
      ],
    );
    const [row = before] = rows;
    noteAudit({
      before: { name: before.name, address: before.address, region: before.region },
      after: { name: row.name, address: row.address, region: row.region, secretReplaced: secret !== null },
    });
    return channelOf(row);
  });
}

async function lockChannel(tx: Transaction, accountId: string, channelId: string): Promise<ChannelRow | null> {
  // Locks: the channel's row. Index: the primary key.
  const { rows } = await tx.query<ChannelRow & Record<string, unknown>>(
    `select ${columns} from channels where account_id = $1 and id = $2 for update`,
    [accountId, channelId],
  );
  return rows[0] ?? null;
}

/** False: the account has no such channel. */
export async function deleteChannel(
  database: Database,
  { accountId, channelId }: { readonly accountId: string; readonly channelId: string },
): Promise<boolean> {
  return database.transaction(async (tx) => {
    // Locks: the channel's row. Index: the primary key.
    const { rows } = await tx.query<{ kind: string; name: string; address: string }>(
      "delete from channels where account_id = $1 and id = $2 returning kind, name, address",
      [accountId, channelId],
    );
    noteAudit({ before: rows[0] ?? null });
    return rows.length === 1;
  });
}

/** A channel to which something is sent. */
export interface OpenChannel extends ChannelName {
  readonly secret: string;
  readonly region: Channel["region"];
  readonly isGone: boolean;
}

/** Null: the account has no such channel. Throws if this process has not the key with which its secret was encrypted. */
export async function openChannel(
  db: Queryable,
  masterKey: MasterKey,
  { accountId, channelId }: { readonly accountId: string; readonly channelId: string },
): Promise<OpenChannel | null> {
  // Index: the primary key. Locks nothing.
  const { rows } = await db.query<{
    kind: ChannelKind;
    name: string;
    sealed: Buffer;
    region: Channel["region"];
    gone: boolean;
  }>("select kind, name, sealed, region, gone_at is not null as gone from channels where account_id = $1 and id = $2", [
    accountId,
    channelId,
  ]);
  const [row] = rows;
  if (row === undefined) return null;
  const { kind, name, sealed, region, gone: isGone } = row;
  return {
    id: channelId,
    kind,
    name,
    region,
    isGone,
    secret: masterKey.open(sealed, sealNameOf(accountId, channelId)),
  };
}

/** What an attempt says about its channel. */
interface ChannelHealth {
  readonly delivered: boolean;
  readonly isGone: boolean;
  /** For people; null if it was delivered. */
  readonly problem: string | null;
}

export async function recordChannelHealth(
  db: Queryable,
  { accountId, channelId }: { readonly accountId: string; readonly channelId: string },
  { delivered, isGone, problem }: ChannelHealth,
): Promise<void> {
  // Under constant success the row is written once per minute. Locks: the channel's row. Index: the primary key.
  await db.query(
    `update channels
        set last_success_at = case when $3 then date_trunc('milliseconds', now()) else last_success_at end,
            gone_at = case when $3 then null when $4 then coalesce(gone_at, date_trunc('milliseconds', now())) else gone_at end,
            problem = $5
      where account_id = $1 and id = $2
        and (not $3 or problem is not null or last_success_at is null or last_success_at < now() - interval '1 minute')`,
    [accountId, channelId, delivered, isGone, problem],
  );
}

const sealNameOf = (accountId: string, channelId: string) => `channel ${accountId} ${channelId}`;

/** Returns what people recognize the secret by. The errors do not contain it. */
async function checkSecret(
  guard: EgressGuard,
  kind: ChannelKind,
  secret: string,
  signal: AbortSignal,
): Promise<string> {
  if (kind === "pagerduty") {
    if (!/^[A-Za-z0-9]{20,64}$/.test(secret))
      throw new ProblemError("validation_failed", "The channel is not valid. Nothing was stored.", {
        errors: [
          {
            pointer: "/secret",
            code: "malformed",
            detail:
              "This is no integration key: it has 32 letters and digits. In PagerDuty, open the service, Integrations, and add one of the type Events API v2.",
          },
        ],
      });
    return `PagerDuty …${secret.slice(-4)}`;
  }
  const { url } = await guard.requireResolvedAddress(secret, "/secret", signal);
  const rest = `${url.pathname}${url.search}`;
  // Of a shorter secret the ending would reveal too much.
  return `${url.host.slice(0, 260)}/…${rest.length < 16 ? "" : rest.slice(-4)}`;
}

function regionOf(kind: ChannelKind, region: Channel["region"]): Channel["region"] {
  if (kind === "pagerduty") return region ?? "us";
  if (region === null) return null;
  throw new ProblemError("validation_failed", "The channel is not valid. Nothing was stored.", {
    errors: [{ pointer: "/region", code: "not_allowed", detail: "Only a channel of `pagerduty` has it." }],
  });
}

function channelOf(row: ChannelRow): Channel {
  const { kind, name, address, region, problem } = row;
  return {
    channelId: row.id,
    ...{ kind, name, address, region },
    state: row.gone_at === null ? "active" : "gone",
    goneSince: row.gone_at?.toISOString() ?? null,
    problem,
    lastSuccessAt: row.last_success_at?.toISOString() ?? null,
    createdAt: row.created_at.toISOString(),
    updatedAt: row.updated_at.toISOString(),
  };
}

const idOf = "account_id::text || '/' || id::text";

/** The secrets of channels, for a change of the master key. */
export const sealedChannels: SealedTable = {
  what: "addresses of channels",
  count: async (db) =>
    (
      await db.query<{ head: Buffer; values: number }>(
        `select ${headOf("sealed")} as head, count(*)::int as values from channels group by 1`,
      )
    ).rows,
  async readOthers(db, head, after, limit) {
    const none = "00000000-0000-0000-0000-000000000000";
    const [accountId = none, id = none] = after?.split("/") ?? [];
    // Index: the primary key, in its order.
    const { rows } = await db.query<{ id: string; sealed: Buffer }>(
      `select ${idOf} as id, sealed from channels
        where ${headOf("sealed")} <> $1 and (account_id, id) > ($2::uuid, $3::uuid) order by account_id, id limit $4`,
      [head, accountId, id, limit],
    );
    return rows;
  },
  encryptAgain(masterKey, { id, sealed }) {
    const [accountId = "", channelId = ""] = id.split("/");
    const name = sealNameOf(accountId, channelId);
    return masterKey.seal(masterKey.open(sealed, name), name);
  },
  async replace(db, values) {
    // Locks: the rows, for this statement. A secret that was replaced meanwhile stays.
    for (const { id, former, sealed } of values) {
      const [accountId, channelId] = id.split("/");
      await db.query("update channels set sealed = $4 where account_id = $1 and id = $2 and sealed = $3", [
        ...[accountId, channelId, former, sealed],
      ]);
    }
  },
};

/** After the master key was lost: these are created anew. */
export async function forgetChannels(database: Database, ids: readonly string[]): Promise<void> {
  for (const id of ids) await database.query("delete from channels where account_id = $1 and id = $2", id.split("/"));
}

/** A message for people, whatever it arrives in. Its texts may have names that anybody has chosen. */
export interface Notice {
  /** One sentence: what it is about. */
  readonly title: string;
  readonly paragraphs: readonly NoticePart[];
  /** Addresses of the service itself. */
  readonly links: readonly { readonly words: string; readonly url: string }[];
  /** Ends a list that was cut. */
  readonly more: (count: number) => string;
  readonly at: Date;
  readonly incident: Incident;
}

export type NoticePart = string | { readonly list: readonly string[] };

/** What a service for incidents makes of it. */
export interface Incident {
  /** Notices with the same key are about the same incident. */
  readonly key: string;
  readonly severity: "critical" | "error" | "warning" | "info";
  /** It is over: the incident is resolved. */
  readonly isOver: boolean;
  /** What is affected. */
  readonly source: string;
}

/** Event of a delivery to a channel, from which its notice is composed. */
export interface EventToTell {
  readonly accountId: string;
  readonly type: string;
  readonly createdAt: Date;
  readonly data: unknown;
}

/** Makes the notice of an event. Null: it says nothing to people. */
export type ComposeNotice = (event: EventToTell) => Notice | null;
