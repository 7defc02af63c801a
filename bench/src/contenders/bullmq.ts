/** The most common alternative: Fastify, BullMQ on Redis, and PostgreSQL for tasks and results. Two queues: questions and webhooks. */
import { Queue, Worker } from "bullmq";
import { Redis } from "ioredis";
import pg from "pg";
import { answerParent } from "../processes/child.ts";
import { answer, type Asked } from "./answer.ts";
import type { ContenderInput } from "./contender.ts";
import { insertTasks, peerSchema, poster, startApi, storeResult } from "./peer.ts";

const retries = { attempts: 10, backoff: { type: "exponential", delay: 1000 }, removeOnComplete: true } as const;

answerParent({
  start: async (input: ContenderInput) => {
    if (input.redisPort === null) throw new Error("no Redis");
    const database = new pg.Pool({ connectionString: input.databaseUrl, max: 20 });
    await database.query(peerSchema);
    const connect = () => new Redis({ port: input.redisPort ?? 0, maxRetriesPerRequest: null });
    const ask = new Queue<Asked>("ask", { connection: connect() });
    const tell = new Queue<{ task: Asked; result: object }>("tell", { connection: connect() });
    const post = poster(input);
    if (input.acceptOnly !== true) {
      new Worker<Asked>(
        "ask",
        async ({ data }) => {
          const result = await answer(data);
          await storeResult(database, data, result);
          await tell.add("tell", { task: data, result }, { ...retries, jobId: data.taskId });
        },
        { connection: connect(), concurrency: 100 },
      );
      new Worker<{ task: Asked; result: object }>("tell", ({ data }) => post(data.task, data.result), {
        connection: connect(),
        concurrency: 100,
      });
    }
    return startApi(async (tasks) => {
      await insertTasks(database, tasks);
      await ask.addBulk(tasks.map((task) => ({ name: "ask", data: task, opts: { ...retries, jobId: task.taskId } })));
    });
  },
});
