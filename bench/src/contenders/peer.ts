/** What both alternatives share: API, rows, POST. Written as a user would: one handler per job, and a transaction for related rows. */
import Fastify from "fastify";
import type pg from "pg";
import { v7 } from "uuid";
import { notification, type Asked } from "./answer.ts";
import type { ContenderInput } from "./contender.ts";
import { openReceiver } from "./post-signed.ts";

export const peerSchema = `
  create table peer_tasks (id uuid primary key, question text not null, client_reference text, state text not null default 'pending',
                           created_at timestamptz not null default now(), completed_at timestamptz);
  create table peer_results (task_id uuid primary key, result json not null);`;

interface Item {
  readonly question: string;
  readonly clientReference: string;
}

/** Accepts batches over HTTP; `enqueue` stores the rows and the jobs. */
export async function startApi(enqueue: (tasks: readonly Asked[]) => Promise<void>): Promise<{ address: string }> {
  const app = Fastify({ logger: false });
  const schema = {
    body: {
      type: "array",
      minItems: 1,
      maxItems: 1000,
      items: {
        type: "object",
        required: ["question", "platformCode", "options"],
        properties: { question: { type: "string" }, platformCode: { type: "string" }, options: { type: "object" }, clientReference: { type: "string" } },
      },
    },
  }; // prettier-ignore
  app.post<{ Body: Item[] }>("/batch", { schema }, async (request, reply) => {
    const tasks = request.body.map(({ question, clientReference }) => ({ taskId: v7(), question, clientReference }));
    await enqueue(tasks);
    return reply.code(202).send({ tasks: tasks.map(({ taskId }) => ({ taskId })) });
  });
  return { address: await app.listen({ host: "127.0.0.1", port: 0 }) };
}

export function insertTasks(db: pg.Pool | pg.PoolClient, tasks: readonly Asked[]): Promise<unknown> {
  return db.query({
    name: "tasks",
    text: "insert into peer_tasks (id, question, client_reference) select * from unnest($1::uuid[], $2::text[], $3::text[])",
    values: [tasks.map((task) => task.taskId), tasks.map((task) => task.question), tasks.map((task) => task.clientReference)],
  }); // prettier-ignore
}

/** Result and state of one task, in one statement. */
export function storeResult(db: pg.Pool | pg.PoolClient, task: Asked, result: object): Promise<unknown> {
  return db.query({
    name: "result",
    text: `with result as (insert into peer_results values ($1, $2) on conflict do nothing)
           update peer_tasks set state = 'completed', completed_at = now() where id = $1`,
    values: [task.taskId, JSON.stringify(result)],
  });
}

export type Post = (task: Asked, result: object) => Promise<void>;

/** Throws if the request fails, so that the queue retries. */
export function poster(input: ContenderInput): Post {
  const post = openReceiver(input);
  return (task, result) => post(task.taskId, notification(task, result));
}
