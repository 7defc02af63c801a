import { randomBytes } from "node:crypto";
import { after } from "node:test";
import type { Database } from "../../src/db/index.ts";
import { systemClock } from "../../src/kernel/clock.ts";
import { newId } from "../../src/kernel/ids.ts";
import { EgressGuard, type EgressOptions } from "../../src/egress/index.ts";
import type { ClaimedDelivery } from "../../src/webhooks/send/claim-deliveries.ts";
import type { DeliveryResult } from "../../src/webhooks/send/record-attempts.ts";
import { getTasks } from "../../src/tasks/index.ts";
import { taskRecord } from "../harness/task-record.ts";
import {
  createSigningSecret,
  Notifier,
  Sender,
  writeDeliveries,
  type NotifierLog,
  type NotifierOptions,
  type OutboxOptions,
  type SenderOptions,
} from "../../src/webhooks/index.ts";
import { MasterKey } from "../../src/vault/index.ts";

export const masterKey = new MasterKey(randomBytes(32));

export const silentLog: NotifierLog = { debug: () => {}, info: () => {}, warn: () => {}, error: () => {} };

export async function createAccount(
  database: Database,
  defaultUrl: string | null = null,
  key = masterKey,
): Promise<string> {
  const id = newId();
  await database.transaction(async (tx) => {
    await tx.query("insert into accounts (id, name) values ($1, $2)", [id, id]);
    await createSigningSecret(tx, key, id);
    await tx.query("update webhooks set url = $2, origin = $3, url_set_at = now() where account_id = $1", [
      id,
      defaultUrl,
      defaultUrl === null ? null : new URL(defaultUrl).origin,
    ]);
  });
  return id;
}

export interface EndOptions extends OutboxOptions {
  count?: number;
  webhookUrl?: string | null;
  content?: string;
}

/** Ends so many tasks of an account in one transaction, as the engine does; returns their ids. */
export async function endTasks(database: Database, accountId: string, options: EndOptions = {}): Promise<string[]> {
  const { count = 1, webhookUrl = null, content = "An answer.", ...outbox } = options;
  const batchId = newId();
  const records = Array.from({ length: count }, () => taskRecord({ batchId, content }));
  await database.transaction(async (tx) => {
    await tx.query(
      "insert into batches (id, account_id, task_count, estimated_points, created_at) values ($1, $2, $3, 0, now())",
      [batchId, accountId, count],
    );
    await tx.query(
      `insert into tasks (id, account_id, batch_id, item_index, question, platform, deep_analysis, output, result_format, webhook_url,
                          priority, price_points, state, charged_points, revision, created_at, completed_at)
       select t.id, $2, $3, t.n, 'q', 'simulator', false, 'answer', 'json', $4, 5, 1, 'completed', 1, 1, now(), now()
         from unnest($1::uuid[]) with ordinality as t(id, n)`,
      [records.map(({ taskId }) => taskId), accountId, batchId, webhookUrl],
    );
    await writeDeliveries(
      tx,
      records.map((record) => ({ accountId, taskId: record.taskId, webhookUrl, record })),
      outbox,
    );
  });
  return records.map(({ taskId }) => taskId);
}

export function guardFor(caFile: string, options: EgressOptions = {}): EgressGuard {
  return new EgressGuard({ allow: "127.0.0.0/8,::1", caFile, ...options });
}

export interface NotifierSetup extends NotifierOptions {
  caFile: string;
  sender?: Partial<SenderOptions>;
  guard?: EgressGuard;
  log?: NotifierLog;
  key?: MasterKey;
}

/** A notifier that runs, and is stopped when the test ends at the latest. */
export function startNotifier(
  database: Database,
  setup: NotifierSetup,
): Notifier & { end(drainMs?: number): Promise<void> } {
  const {
    caFile,
    sender: senderOptions,
    guard = guardFor(caFile),
    log = silentLog,
    key = masterKey,
    ...options
  } = setup;
  const sender = new Sender({ guard, clock: systemClock, version: "0.0.0", ...senderOptions });
  const notifier = new Notifier(
    { database, clock: systemClock, log, masterKey: key, sender, records: { read: getTasks }, bodyBytesMax: 262_144 },
    { pollMs: 50, upkeepMs: 50, ...options },
  );
  notifier.start();
  const end = async (drainMs = 2_000) => {
    await notifier.stop(drainMs);
    await sender.close();
  };
  after(() => end(0));
  return Object.assign(notifier, { end });
}

/** Waits until `read` gives something true. Fails after three minutes, when it never comes. */
export async function until<Value>(
  read: () => Promise<Value> | Value,
  what = "the condition",
): Promise<NonNullable<Value>> {
  const deadline = performance.now() + 180_000;
  for (;;) {
    const value = await read();
    if (value !== undefined && value !== null && value !== false) return value;
    if (performance.now() > deadline) throw new Error(`Waited three minutes in vain for ${what}.`);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
}

export interface DeliveryRow {
  id: string;
  state: string;
  /** The phase of its row in the queue. */
  phase: string | null;
  attempts: number;
  body: Buffer | null;
  url: string | null;
  to_default: boolean;
  next_attempt_at: Date | null;
  fence: number | null;
}

export async function deliveriesOf(database: Database, accountId: string): Promise<DeliveryRow[]> {
  const { rows } = await database.query<DeliveryRow>(
    `select d.id, d.state, q.state as phase, jsonb_array_length(d.attempt_log) as attempts, d.body, d.url, d.to_default, q.next_attempt_at, q.fence
       from deliveries d left join delivery_queue q on d.id = any (q.delivery_ids) where d.account_id = $1 order by d.id`,
    [accountId],
  );
  return rows;
}

export async function secretOf(database: Database, accountId: string): Promise<{ secret: string; version: number }> {
  const { rows } = await database.query<{ version: number; ciphertext: Buffer }>(
    "select version, ciphertext from signing_secrets where account_id = $1 order by version desc limit 1",
    [accountId],
  );
  const row = rows[0];
  if (row === undefined) throw new Error("no secret");
  return { secret: masterKey.decrypt(row.ciphertext, accountId, row.version), version: row.version };
}

/** A claim of all that is due. */
export const everything = {
  slots: 10_000,
  lateSlots: 10_000,
  sharedSlots: 10_000,
  accountSlots: 10_000,
  inFlight: new Map<string, number>(),
  slotDeliveries: 32,
  leaseMs: 45_000,
  afterAccount: null,
};

/** What came of sending it: a success, save where it is said otherwise. */
export const attempted = (
  delivery: ClaimedDelivery,
  fields: Partial<Extract<DeliveryResult, { kind: "attempted" }>> = {},
): DeliveryResult => ({
  kind: "attempted",
  delivery,
  startedAt: new Date(),
  durationMs: 1,
  status: 200,
  fault: null,
  snippet: "",
  signed: { signature: "sha256=", secretVersion: 1 },
  next: { state: "delivered" },
  ...fields,
});
