/** Submits a batch and waits for each task, with types generated from the OpenAPI document. */
import { randomUUID } from "node:crypto";
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.d.ts";

const [baseUrl = "", token = ""] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });

const items: components["schemas"]["SubmissionItem"][] = [
  { question: "How fine should I grind for espresso?", platformCode: "sample", options: {} },
  {
    question: "delay=2s cards=product,video sources=1",
    platformCode: "simulator",
    options: {},
    clientReference: "shop-7",
  },
];
const { data: accepted, error } = await client.POST("/v1/tasks/batch", {
  params: { header: { "Idempotency-Key": randomUUID() } },
  body: items,
});
if (accepted === undefined) throw new Error(error.detail);

for (const { taskId } of accepted.tasks) {
  const task = await wait(taskId);
  console.log(task.state, describe(task));
}

async function wait(taskId: string) {
  for (;;) {
    const { data: task, error } = await client.GET("/v1/tasks/{task_id}", {
      params: { path: { task_id: taskId }, header: { Prefer: "wait=30" } },
    });
    if (task === undefined) throw new Error(error?.detail ?? "not modified");
    if (task.state !== "pending") return task;
  }
}

/** The state narrows the type of the task, so its members need no further checks. */
function describe(task: Awaited<ReturnType<typeof wait>>): string {
  switch (task.state) {
    case "completed":
      return `${task.completedAt}: ${task.content ?? "(no text)"}`;
    case "failed":
      return `${task.failure.code}: ${task.failure.message}`;
    case "canceled":
      return `at ${task.canceledAt}`;
  }
}
