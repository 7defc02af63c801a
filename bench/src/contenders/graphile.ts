/** The alternative without Redis: Fastify and graphile-worker, with jobs in the same transactions as the rows. */
import { run, Logger } from "graphile-worker";
import pg from "pg";
import { answerParent } from "../processes/child.ts";
import { answer, type Asked } from "./answer.ts";
import type { ContenderInput } from "./contender.ts";
import { insertTasks, peerSchema, poster, startApi, storeResult } from "./peer.ts";

answerParent({
  start: async (input: ContenderInput) => {
    const database = new pg.Pool({ connectionString: input.databaseUrl, max: 30 });
    await database.query(peerSchema);
    const post = poster(input);
    await run({
      pgPool: database,
      noHandleSignals: true,
      logger: new Logger(() => () => undefined),
      // As recommended by its documentation for throughput: jobs are prefetched and completed in batches.
      preset: {
        worker: { concurrentJobs: 50, localQueue: { size: 200 }, completeJobBatchDelay: 0, pollInterval: 500 },
      },
      taskList: {
        ask: async (payload, { withPgClient }) => {
          const task = payload as Asked;
          const result = await answer(task);
          await withPgClient(async (client) => {
            await client.query("begin");
            try {
              await storeResult(client, task, result);
              await client.query({
                name: "tell",
                text: "select graphile_worker.add_job('tell', $1::json)",
                values: [JSON.stringify({ task, result })],
              });
              await client.query("commit");
            } catch (error) {
              await client.query("rollback");
              throw error;
            }
          });
        },
        tell: async (payload) => {
          const { task, result } = payload as { task: Asked; result: object };
          await post(task, result);
        },
      },
    });
    return startApi(async (tasks) => {
      const client = await database.connect();
      try {
        await client.query("begin");
        await insertTasks(client, tasks);
        await client.query({
          name: "ask",
          text: `select graphile_worker.add_jobs(array(
                   select json_populate_record(null::graphile_worker.job_spec, json_build_object('identifier', 'ask', 'payload', j))
                   from json_array_elements($1::json) as j))`,
          values: [JSON.stringify(tasks)],
        });
        await client.query("commit");
      } catch (error) {
        await client.query("rollback");
        throw error;
      } finally {
        client.release();
      }
    });
  },
});
