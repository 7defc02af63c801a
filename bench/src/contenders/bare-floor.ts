/**
 * A lower baseline: four rows per task (acceptance, result, ledger entry, outbox row) with few indexes, in batched statements, and one signed
 * POST per task, whose result is not recorded. Any service of this kind has to do more.
 */
import pg from "pg";
import { newId } from "../../../service/src/kernel/ids.ts";
import { answerParent, machineMs } from "../processes/child.ts";
import { answer, askedBatch, notification } from "./answer.ts";
import type { ContenderInput } from "./contender.ts";
import { openReceiver, type PostSigned } from "./post-signed.ts";

const schema = `
  create table floor_tasks (id uuid primary key, account_id uuid not null, question text not null, created_at timestamptz not null default now());
  create table floor_results (task_id uuid primary key, result json not null);
  create table floor_ledger (id bigint generated always as identity primary key, task_id uuid not null unique, points bigint not null);
  create table floor_outbox (id uuid primary key, task_id uuid not null, body bytea not null);`;

let database: pg.Pool | null = null;
let post: PostSigned | null = null;

answerParent({
  start: async (input: ContenderInput) => {
    database = new pg.Pool({ connectionString: input.databaseUrl, max: 20 });
    await database.query(schema);
    post = openReceiver(input);
  },
  run: async ({ tasks, batchSize, connections }: { tasks: number; batchSize: number; connections: number }) => {
    const startMs = machineMs();
    let left = tasks / batchSize;
    const posts: Promise<void>[] = [];
    await Promise.all(
      Array.from({ length: connections }, async () => {
        while (left-- > 0) posts.push(...(await writeBatch(batchSize)));
      }),
    );
    await Promise.all(posts);
    return { startMs };
  },
});

async function writeBatch(size: number): Promise<Promise<void>[]> {
  const send = post;
  if (database === null || send === null) throw new Error("not started");
  const tasks = askedBatch(size);
  const ids = tasks.map((task) => task.taskId);
  const deliveryIds = tasks.map(() => newId());
  await database.query("insert into floor_tasks (id, account_id, question) select id, $2, question from unnest($1::uuid[], $3::text[]) as t(id, question)", [
    ids,
    newId(),
    tasks.map((task) => task.question),
  ]); // prettier-ignore
  const results = await Promise.all(tasks.map(answer));
  const bodies = tasks.map((task, index) => notification(task, results[index] ?? {}));
  await database.query(
    `with result as (
       insert into floor_results select * from unnest($1::uuid[], $2::json[])
     ), line as (
       insert into floor_ledger (task_id, points) select unnest($1::uuid[]), 1
     )
     insert into floor_outbox select * from unnest($3::uuid[], $1::uuid[], array[${bodies.map((_, index) => `$${index + 4}::bytea`).join(",")}])`,
    [ids, results.map((result) => JSON.stringify(result)), deliveryIds, ...bodies],
  );
  return deliveryIds.map((deliveryId, index) => send(deliveryId, bodies[index] ?? Buffer.alloc(0)));
}
