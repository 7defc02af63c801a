/** Asks one question with a client made from the OpenAPI document, and waits for its end. */
import { randomUUID } from "node:crypto";
import createClient from "openapi-fetch";
import type { components, paths } from "./schema.d.ts";

const [baseUrl = "", token = ""] = process.argv.slice(2);
const client = createClient<paths>({ baseUrl, headers: { Authorization: `Bearer ${token}` } });

// `options` and its members may be left out.
const items: components["schemas"]["SubmissionItem"][] = [
  { question: "How fine should I grind for espresso?", platformCode: "sample", options: { deepAnalysis: true } },
  { question: "cards=product,video,image sources=3", platformCode: "simulator" },
];
const { data: accepted, error } = await client.POST("/v1/tasks/batch", {
  params: { header: { "Idempotency-Key": randomUUID() } },
  body: items,
});
if (accepted === undefined) throw new Error(error.detail);

for (const { taskId } of accepted.tasks) {
  const task = await ended(taskId);
  console.log(task.state, describe(task));
}

async function ended(taskId: string) {
  for (;;) {
    const { data: task, error } = await client.GET("/v1/tasks/{task_id}", {
      params: { path: { task_id: taskId }, header: { Prefer: "wait=30" } },
    });
    if (task === undefined) throw new Error(error?.detail ?? "not changed");
    if (task.state !== "pending") return task;
  }
}

/** Each state has its own type: what is there needs no check. */
function describe(task: Awaited<ReturnType<typeof ended>>): string {
  switch (task.state) {
    case "completed":
      return `${task.completedAt}: ${task.content ?? "(no text)"}`;
    case "failed":
      return `${task.failure.code}: ${task.failure.message}`;
    case "canceled":
      return `at ${task.canceledAt}`;
  }
}
