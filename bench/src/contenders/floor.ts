/**
 * The baseline: writes the service's rows to the service's tables in batches: acceptance and held points, then end, result, captured points
 * and notification, then the receiver's response. Sends one signed POST per task. It has no API, queue, limits, fairness or retries, and
 * loses work in progress when it dies.
 */
import { byteaArray, Database, jsonArray, jsonbArray, migrate } from "../../../service/src/db/index.ts";
import { newId } from "../../../service/src/kernel/ids.ts";
import { maintainResults } from "../../../service/src/tasks/index.ts";
import { answerParent, machineMs } from "../processes/child.ts";
import { answer, askedBatch, notification, type Asked } from "./answer.ts";
import type { ContenderInput } from "./contender.ts";
import { openReceiver, type PostSigned } from "./post-signed.ts";

interface Floor {
  readonly database: Database;
  readonly post: PostSigned;
  readonly receiverUrl: string;
}

let floor: Floor | null = null;

answerParent({
  start: async (input: ContenderInput) => {
    const database = new Database({ connection: { connectionString: input.databaseUrl }, connectionsMax: 20 });
    await migrate(database);
    await maintainResults(database);
    floor = { database, post: openReceiver(input), receiverUrl: input.receiverUrl };
  },
  run: async ({ tasks, batchSize, connections }: { tasks: number; batchSize: number; connections: number }) => {
    if (floor === null) throw new Error("not started");
    const started = floor;
    const { database } = started;
    const accountIds = Array.from({ length: connections }, newId);
    await database.query(
      "insert into accounts (id, name, points_granted, points_available) select id, id::text, $2, $2 from unnest($1::uuid[]) as a(id)",
      [accountIds, tasks],
    );
    const startMs = machineMs();
    let left = tasks / batchSize;
    const sent: Promise<void>[] = [];
    const write = async (accountId: string) => {
      while (left-- > 0) {
        const batch = { id: newId(), accountId, tasks: askedBatch(batchSize) };
        await accept(database, batch);
        const notices = await end(started, batch);
        // The next batch does not wait for these requests.
        sent.push(send(started, accountId, notices));
      }
    };
    await Promise.all(accountIds.map(write));
    await Promise.all(sent);
    return { startMs };
  },
});

interface Batch {
  readonly id: string;
  readonly accountId: string;
  readonly tasks: readonly Asked[];
}

interface Notice {
  readonly id: string;
  readonly body: Buffer;
}

async function accept(database: Database, { id, accountId, tasks }: Batch): Promise<void> {
  await database.transactionOf([
    {
      name: "floor_batch",
      text: "insert into batches (id, account_id, task_count, estimated_points, created_at) values ($1, $2, $3::int, $3::int, now())",
      values: [id, accountId, tasks.length],
    },
    {
      name: "floor_tasks",
      text: `insert into tasks (id, account_id, batch_id, item_index, client_reference, question, platform, deep_analysis, output, result_format,
                                priority, price_points, created_at)
             select t.id, $1, $2, t.nth, t.client_reference, t.question, 'simulator', false, 'answer', 'json', 5, 1, now()
               from unnest($3::uuid[], $4::text[], $5::text[]) with ordinality as t(id, question, client_reference, nth)`,
      values: [
        accountId,
        id,
        tasks.map(({ taskId }) => taskId),
        tasks.map(({ question }) => question),
        tasks.map(({ clientReference }) => clientReference),
      ],
    },
    {
      name: "floor_hold",
      text: `with held as (
               update accounts set points_available = points_available - $2, points_held = points_held + $2 where id = $1
             )
             insert into ledger (account_id, kind, points, batch_id) values ($1, 'hold', $2, $3)`,
      values: [accountId, tasks.length, id],
    },
  ]);
}

async function end({ database, receiverUrl }: Floor, { id, accountId, tasks }: Batch): Promise<Notice[]> {
  const results = await Promise.all(tasks.map(answer));
  const notices = tasks.map((task, index) => ({ id: newId(), body: notification(task, results[index] ?? {}) }));
  const taskIds = tasks.map(({ taskId }) => taskId);
  await database.transactionOf([
    {
      name: "floor_end",
      text: `update tasks set state = 'completed', charged_points = 1, revision = 1, started_at = now(), completed_at = now(),
                              expires_at = now() + interval '7 days', result_day = (now() at time zone 'UTC')::date
              where account_id = $2 and id = any($1::uuid[])`,
      values: [taskIds, accountId],
    },
    {
      name: "floor_results",
      text: `insert into task_results (day, account_id, task_id, expires_at, result)
             select (now() at time zone 'UTC')::date, $3, id, now() + interval '7 days', result from unnest($1::uuid[], $2::json[]) as r(id, result)`,
      values: [taskIds, jsonArray(results.map((result) => JSON.stringify(result))), accountId],
    },
    {
      name: "floor_capture",
      text: `with captured as (
               update accounts set points_held = points_held - $2, points_captured = points_captured + $2 where id = $1
             )
             insert into ledger (account_id, kind, points, batch_id, task_id) select $1, 'capture', 1, $3, unnest($4::uuid[])`,
      values: [accountId, tasks.length, id, taskIds],
    },
    {
      name: "floor_notices",
      text: `insert into deliveries (id, account_id, task_id, delivery_revision, event_number, url, origin, state, body)
             select n.id, $1, n.task_id, 1, nextval('event_numbers'), $2, $3, 'pending', n.body
               from unnest($4::uuid[], $5::uuid[], $6::bytea[]) as n(id, task_id, body)`,
      values: [
        accountId,
        receiverUrl,
        new URL(receiverUrl).origin,
        notices.map((notice) => notice.id),
        taskIds,
        byteaArray(notices.map(({ body }) => body)),
      ],
    },
  ]);
  return notices;
}

async function send({ database, post }: Floor, accountId: string, notices: readonly Notice[]): Promise<void> {
  const attempts = await Promise.all(
    notices.map(async ({ id, body }) => {
      const startedAt = new Date();
      await post(id, body);
      const durationMs = Date.now() - startedAt.getTime();
      return { startedAt, durationMs, status: 204, fault: null, responseSnippet: "", nextAttemptAt: null };
    }),
  );
  await database.query({
    name: "floor_sent",
    text: `update deliveries d set state = 'delivered', attempt_log = d.attempt_log || o.attempt, body = null, finished_at = now()
             from unnest($2::uuid[], $3::jsonb[]) as o(id, attempt) where d.account_id = $1 and d.id = o.id`,
    values: [accountId, notices.map(({ id }) => id), jsonbArray(attempts.map((attempt) => JSON.stringify(attempt)))],
  });
}
